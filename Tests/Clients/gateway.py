"""A gateway of its own for each check: the built program on a port that the system chose, with a scratch data directory."""

import base64
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
DESCRIPTION = REPOSITORY / "openapi.yaml"
MERCHANT = "TESTMERCHANT"


class Gateway:
    """Serves from `with` to its end."""

    def __init__(self, program: pathlib.Path, timeout_seconds: float = 60, options: tuple[str, ...] = ()) -> None:
        self.program = program
        self.options = options
        self.timeout_seconds = timeout_seconds

    def __enter__(self) -> "Gateway":
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tollgate-clients-"))
        self.output = self.folder / "output"
        # The tests' environment must not configure this gateway.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TOLLGATE_")}
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [self.program, "serve", "--port", "0", "--operations-port", "0", "--data", self.folder / "data",
                 *self.options],
                stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, cwd=REPOSITORY, env=environment)
        try:
            self.url = self._listening()
            self.password = (self.folder / "data/sandbox/password").read_text().strip()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        ended = self.process.poll()
        text = self.output.read_text(errors="replace")
        self._end()
        if ended is not None:
            raise SystemExit(f"✘ The gateway ended by itself with {ended}:\n{text[-2000:]}")

    @property
    def control_url(self) -> str:
        """The address of the control API, from the banner."""
        return re.search(r"^control +(\S+/_tollgate/)", self.output.read_text(errors="replace"), re.MULTILINE)[1]

    @property
    def authorization(self) -> str:
        """The content of the field Authorization."""
        return "Basic " + base64.b64encode(f"merchant.{MERCHANT}:{self.password}".encode()).decode()

    def _listening(self) -> str:
        end = time.monotonic() + self.timeout_seconds
        while time.monotonic() < end and self.process.poll() is None:
            text = self.output.read_text(errors="replace")
            found = re.search(r"^listening on (http://127\.0\.0\.1:[0-9]+)$", text, re.MULTILINE)
            if found:
                return found[1]
            time.sleep(0.05)
        raise SystemExit(f"✘ The gateway does not listen:\n{self.output.read_text(errors='replace')}")

    def _end(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def run(check: str, command: list[object], timeout_seconds: float, **options: object) -> str:
    """What a command prints; if it fails, the check ends with its last lines."""
    try:
        result = subprocess.run(
            [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace", timeout=timeout_seconds, **options)
    except subprocess.TimeoutExpired:
        raise SystemExit(f"✘ {check}: {command[0]} takes longer than {timeout_seconds} s")
    if result.returncode != 0:
        raise SystemExit(f"✘ {check}: {command[0]} ended with {result.returncode}\n{result.stdout[-12000:]}")
    return result.stdout


def expect(check: str, what: str, found: object, expected: object) -> None:
    """Ends the check unless both are equal."""
    if found != expected:
        raise SystemExit(f"✘ {check}: {what} is {found!r} instead of {expected!r}")


def passed(check: str, text: str) -> None:
    print(f"✔ {check}: {text}", flush=True)


def arguments() -> tuple[pathlib.Path, pathlib.Path]:
    """The program to start, and a folder for what is generated."""
    if len(sys.argv) != 3:
        raise SystemExit(f"usage: {sys.argv[0]} PROGRAM FOLDER")
    program, folder = (pathlib.Path(text).resolve() for text in sys.argv[1:])
    folder.mkdir(parents=True, exist_ok=True)
    return program, folder

"""Sends what schemathesis generates from the description, as the documentation has it, and fails if a reply differs from it."""

import pathlib
import re
import shlex
import sys

from gateway import DESCRIPTION, MERCHANT, REPOSITORY, Gateway, arguments, passed, run

CHECK = "schemathesis"
PAGE = "Sources/tollgate/Tollgate.docc/CI-Recipes.md"
CONFIGURATION = "Tests/Clients/schemathesis.toml"
# Enough for each kind of request; the coverage phase has its own count.
EXAMPLES_MAX = 20
# No failure where the machine is busy.
PATIENT = ["--suppress-health-check", "too_slow", "--request-timeout", "120"]


def documented() -> list[str]:
    """The command of the page on CI."""
    text = (REPOSITORY / PAGE).read_text()
    found = re.search(r"^schemathesis (?:.*\\\n)*.*$", text, re.MULTILINE)
    if found is None:
        raise SystemExit(f"✘ {CHECK}: {PAGE} has no command")
    return shlex.split(found[0].replace("\\\n", " "))


def main() -> None:
    program, folder = arguments()
    with Gateway(program) as gateway:
        words = [
            word.replace("openapi.yaml", str(DESCRIPTION)).replace(CONFIGURATION, str(REPOSITORY / CONFIGURATION))
            .replace("http://127.0.0.1:8080", gateway.url).replace("PASSWORD", gateway.password)
            for word in documented()
        ]
        command = [pathlib.Path(sys.executable).with_name(words[0]), *words[1:]]
        output = run(
            CHECK,
            [*command, "--max-examples", EXAMPLES_MAX, "--no-shrink", "--no-color", *PATIENT], 3600, cwd=folder)
    count = re.search(r"^ *(\d+) generated", output, re.MULTILINE)
    operations = re.search(r"^ *Tested: (\d+)", output, re.MULTILINE)
    if count is None or operations is None or int(count[1]) < 1000:
        raise SystemExit(f"✘ {CHECK} tested too little:\n{output[-4000:]}")
    passed(CHECK, f"{count[1]} requests to {operations[1]} operations, all replies as described")


main()

"""Generates a TypeScript client with openapi-generator, compiles it with Debian's tsc, and pays with it in Debian's Node."""

import pathlib
import shutil
import sys

from gateway import DESCRIPTION, MERCHANT, Gateway, arguments, passed, run

CHECK = "openapi-generator, typescript-fetch"
# tsc before 4.9 doesn't see that `"a" in value` makes `value["a"]` lawful, as the generated type guards ask.
COMPILER = [
    "--strict", "--suppressImplicitAnyIndexErrors", "--target", "es2020", "--module", "commonjs", "--lib", "es2020,dom",
]


def main() -> None:
    program, folder = arguments()
    client = folder / "tollgate_typescript"
    shutil.rmtree(client, ignore_errors=True)
    generator = pathlib.Path(sys.executable).with_name("openapi-generator-cli")
    run(CHECK, [generator, "generate", "-i", DESCRIPTION, "-g", "typescript-fetch", "-o", client], 300)
    shutil.copy(pathlib.Path(__file__).with_name("pay.ts"), client)
    sources = sorted(client.rglob("*.ts"))
    run(CHECK, ["tsc", *COMPILER, "--outDir", folder / "tollgate_javascript", *sources], 300)
    with Gateway(program) as gateway:
        run(
            CHECK,
            ["node", folder / "tollgate_javascript/pay.js", gateway.url, MERCHANT, gateway.password], 60)
    passed(CHECK, f"{len(sources)} files compile with --strict; AUTHORIZE by an Apple Pay token and by a card")


main()

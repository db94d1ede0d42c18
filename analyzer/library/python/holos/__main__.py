# SPDX-License-Identifier: BSD-3-Clause
"""The command `holos` from Python: `python3 -m holos record -- mpirun -n 4 ./app`.

It is the one that this package was built or installed with, otherwise that in PATH.
"""
import os
import pathlib
import shutil
import sys


def command() -> str | None:
    """The program: in the folder bin of one of the folders above, as in a build and below a prefix."""
    for folder in pathlib.Path(__file__).resolve().parents:
        program = folder / "bin" / "holos"
        if os.access(program, os.X_OK) and not program.is_dir():
            return str(program)
    return shutil.which("holos")


def main() -> None:
    program = command()
    if program is None:
        sys.exit("holos: the command is neither beside the package nor in PATH")
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Names the functions in the table of MPI's wrappers that a preprocessed mpi.h declares and no recorded program calls.

  called_functions.py HEADER
"""
import pathlib
import re
import sys

TESTS = pathlib.Path(__file__).resolve().parent
TABLE = TESTS.parents[1] / "tracing/recorder/mpi/functions"
ELSEWHERE = TESTS.parent / "fault/recorded_program.c"  # ways to die


def table():
    lines = [line for file in TABLE.glob("*.def") for line in file.read_text().splitlines()]
    return {match[1] for line in lines if (match := re.match(r"(MPI_\w+)\(", line))}


def called():
    names = set()
    for file in [*(TESTS / "programs").glob("*.c"), ELSEWHERE]:
        text = file.read_text()
        here = set(re.findall(r"\b(MPI_\w+)\s*\(", text)) | set(re.findall(r"\bCALL\((MPI_\w+)", text))
        names |= here
        if '"counts.h"' in text:  # built for large counts as well
            names |= {name + "_c" for name in here}
    return names


def main(header):
    declared = set(re.findall(r"\bP(MPI_\w+)\s*\(", pathlib.Path(header).read_text()))
    missing = sorted(declared & table() - called())
    if missing:
        print("no recorded program calls", " ".join(missing), file=sys.stderr)
    return 1 if missing or not declared else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

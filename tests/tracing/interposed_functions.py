#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Lists the functions that libraries of the recorder stand in front of and that the C library does not have.

  interposed_functions.py OUT.h LIBRARY...     writes `FUNCTION(name)` for each
"""
import ctypes
import re
import subprocess
import sys

# Our own names, and what we answer ourselves while we record.
OURS = re.compile(r"holos|_Z|ompt_start_tool$")


def main(out, libraries):
    c_library = ctypes.CDLL(None)
    symbols = subprocess.run(["nm", "-D", "--defined-only", *libraries], check=True, capture_output=True, text=True)
    names = {line.split()[2].split("@")[0] for line in symbols.stdout.splitlines() if re.search(r" [TW] ", line)}
    late = sorted(name for name in names if not OURS.match(name) and not hasattr(c_library, name))
    for family in ("MPI_", "mpi_", "GOMP_", "omp_", "__kmpc_", "__cxa_"):
        if not any(name.startswith(family) for name in late):
            sys.exit(f"interposed_functions.py: the recorder has no functions {family}*")
    with open(out, "w", encoding="ascii") as file:
        file.write("/* SPDX-License-Identifier: BSD-3-Clause */\n")
        file.writelines(f"FUNCTION({name})\n" for name in late)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])

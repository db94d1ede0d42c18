#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the call paths of two builds of a program: of one that was compiled by `holos cc`, which tells of each function,
and of others that nobody prepared. How often MPI was called by each path must be the same.

  scripts/compare_call_paths.py INSTRUMENTED.cubex PLAIN.cubex…

Each is a run of the same problem, recorded and analyzed. The first is best compiled by `holos cc --smallest 0 --inline-too`
and recorded with `--call-paths none`, so that it is independent of what it is compared with. Compared are the names of the
functions that the first one has, not lines: functions that only others have, as those of libraries, are left out of their
paths. Prints the paths that differ, with the calls of both. Exit code 0: all paths are equal; 1: some differ.
"""
import argparse
import collections
import csv
import subprocess
import sys

# They stand in place of functions, and are never left out.
MISSING = ("UNKNOWN CALLERS", "UNKNOWN CODE", "MORE CALLERS", "MORE CALL PATHS")


def rows_of(holos, file):
    """Depth, name without its call site, whether it is a function, and visits, of each call path."""
    command = [holos, "show", file, "--metric", "visits", "--tree", "calls", "--all", "--hide", "0", "--format", "csv"]
    shown = subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
    for row in csv.DictReader(shown.splitlines()):
        yield int(row["level"]), row["name"].split(" @")[0], row["kind"] == "function", float(row["exclusive"])


def functions_of(rows):
    return {name for level, name, is_function, _ in rows if level > 0 and is_function}


def calls_of(rows, functions, regions):
    """How often each region was entered, by the names of the functions that led there."""
    calls = collections.Counter()
    path = []
    for level, name, _, visits in rows:
        del path[level:]
        path.append(name)
        if name.startswith(regions) and visits > 0:
            kept = [one for one in path[1:-1] if one in functions or one in MISSING or one.startswith(regions)]
            calls["/".join([*kept, name])] += visits
    return calls


def compare(expected, found, file):
    """True where all are equal."""
    equal = [path for path in expected if expected[path] == found[path]]
    print(
        f"{file}: {len(equal)} of {len(expected)} call paths are equal, "
        f"with {sum(expected[path] for path in equal):.0f} of {sum(expected.values()):.0f} calls"
    )
    different = sorted(path for path in expected | found if expected[path] != found[path])
    for path in different:
        print(f"  {expected[path]:.0f} calls, here {found[path]:.0f}: {path}")
    return not different


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("instrumented", metavar="INSTRUMENTED.cubex")
    parser.add_argument("plain", nargs="+", metavar="PLAIN.cubex")
    parser.add_argument("--regions", default="MPI_", help="compare regions whose names begin with this (default: MPI_)")
    parser.add_argument("--holos", default="holos", help="the holos to read with (default: the one in PATH)")
    arguments = parser.parse_args()
    rows = list(rows_of(arguments.holos, arguments.instrumented))
    functions = functions_of(rows)
    expected = calls_of(rows, functions, arguments.regions)
    if not expected:
        sys.exit(f"{arguments.instrumented}: no {arguments.regions}… was called")
    results = [
        compare(expected, calls_of(rows_of(arguments.holos, file), functions, arguments.regions), file)
        for file in arguments.plain
    ]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the call paths of two builds of a program: of one that was compiled by `holos cc`, which tells of each function,
and of others that nobody prepared.

  scripts/compare_call_paths.py INSTRUMENTED.cubex PLAIN.cubex…
  scripts/compare_call_paths.py --each-call build/ci/bin/holos_list_calls INSTRUMENTED PLAIN…

Each is a run of the same problem, recorded and analyzed; with `--each-call` a folder with its trace. The first is best
compiled by `holos cc --smallest 0 --inline-too` and recorded with `--call-paths none`, so that it is independent of what it
is compared with. Without `--each-call`, MPI must have been called equally often by each path; with it, the first call of each
thread that communicates must have the path of the first one there, the second of the second, and so on.

Compared are the names of the functions that the first one has, not lines: functions that only others have, as those of
libraries, are left out of their paths. Prints what differs. Exit code 0: all paths are equal; 1: some differ.
"""
import argparse
import collections
import csv
import itertools
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


def path_of(names, functions, regions):
    """The last one's call path, by the names of those functions that led there."""
    kept = [one for one in names[:-1] if one in functions or one in MISSING or one.startswith(regions)]
    return "/".join([*kept, names[-1]])


def calls_of(rows, functions, regions):
    """How often each region was entered, by the names of the functions that led there."""
    calls = collections.Counter()
    path = []
    for level, name, _, visits in rows:
        del path[level:]
        path.append(name)
        if name.startswith(regions) and visits > 0:
            calls[path_of(path[1:], functions, regions)] += visits
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


def lists_of(tool, folder, regions):
    """Of each thread: the calls of such regions in their order, each a list of names."""
    lists = collections.defaultdict(list)
    listed = subprocess.run([tool, folder], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
    for line in listed.splitlines():
        thread, path = line.split("\t")
        names = path.split("/")
        if names[-1].startswith(regions):
            lists[int(thread)].append(names)
    return lists


def compare_lists(expected, found, file):
    """True where all calls are equal, one by one."""
    total = sum(map(len, expected.values()))
    equal = 0
    differences = []
    for thread in sorted(expected.keys() | found.keys()):
        pairs = itertools.zip_longest(expected.get(thread, []), found.get(thread, []), fillvalue="no call")
        for number, (one, other) in enumerate(pairs, 1):
            if one == other:
                equal += 1
            else:
                differences.append(f"  thread {thread}, call {number}: {one}, here {other}")
    print(f"{file}: {equal} of {total} calls have equal call paths, one by one")
    print(*differences[:20], sep="\n", end="\n" if differences else "")
    if len(differences) > 20:
        print(f"  and {len(differences) - 20} more")
    return not differences


def compare_each_call(tool, instrumented, plain, regions):
    """For each of `plain`, whether all calls are equal."""
    first = lists_of(tool, instrumented, regions)
    functions = {name for calls in first.values() for names in calls for name in names[:-1]}

    def kept(lists):
        return {thread: [path_of(names, functions, regions) for names in calls] for thread, calls in lists.items()}

    return [compare_lists(kept(first), kept(lists_of(tool, file, regions)), file) for file in plain]


def compare_counts(holos, instrumented, plain, regions):
    """For each of `plain`, whether all numbers of calls are equal."""
    rows = list(rows_of(holos, instrumented))
    functions = functions_of(rows)
    expected = calls_of(rows, functions, regions)
    if not expected:
        sys.exit(f"{instrumented}: no {regions}… was called")
    return [compare(expected, calls_of(rows_of(holos, file), functions, regions), file) for file in plain]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("instrumented", metavar="INSTRUMENTED")
    parser.add_argument("plain", nargs="+", metavar="PLAIN")
    parser.add_argument("--regions", default="MPI_", help="compare regions whose names begin with this (default: MPI_)")
    parser.add_argument("--holos", default="holos", help="the holos to read with (default: the one in PATH)")
    parser.add_argument("--each-call", metavar="PROGRAM", help="compare call by call: holos_list_calls of a build with tests")
    arguments = parser.parse_args()
    if arguments.each_call:
        results = compare_each_call(arguments.each_call, arguments.instrumented, arguments.plain, arguments.regions)
    else:
        results = compare_counts(arguments.holos, arguments.instrumented, arguments.plain, arguments.regions)
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()

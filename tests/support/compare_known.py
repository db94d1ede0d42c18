#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares what an analysis found in a generated trace with what is known of it.

    holos_generate_trace --known -o waits && holos analyze waits
    holos export waits/analysis.cubex | tests/support/compare_known.py waits/known.csv

Both are tables of metric, call path, rank, thread and value. Values that stand in one of them only are zero in the
other; metrics that are not known are left out. Ends with 1 where they differ.
"""
import csv
import sys

TOLERANCE = 1e-6  # seconds; counts are whole


def read(lines, metrics=None):
    table = {}
    for row in csv.DictReader(lines):
        if metrics is None or row["metric"] in metrics:
            table[row["metric"], row["call_path"], row["rank"], row["thread"]] = float(row["value"])
    return table


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], newline="") as file:
        known = read(file)
    found = read(sys.stdin, {key[0] for key in known})
    differing = [key for key in sorted(known.keys() | found.keys())
                 if abs(known.get(key, 0) - found.get(key, 0)) > TOLERANCE]
    for key in differing[:20]:
        print(*key, "known", known.get(key, 0), "found", found.get(key, 0))
    print(len(known), "known values,", len(differing), "differ")
    sys.exit(1 if differing else 0)


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Records small programs with one known fault each, on a busy machine, and compares what `holos show` says first.

    tests/study/recorded/study.py HOLOS [--runs N] [--busy N] [--steps N] [FAULT ...]

HOLOS: the command, as build/ci/bin/holos. Prints a table as that of docs/summary.md, and every run that is not right.
Exit code 1: fewer than 95 of 100 name the fault first, or fewer than 98 of 100 name nothing else. Needs Open MPI or MPICH,
gcc with OpenMP, and minutes.
"""
import argparse
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

# Fault: program, kinds of problem that name it, and words that `who` must have (none where nobody is to blame alone). That
# work grows is not said where threads lacked processors. Work between calls of two runs of a function is its caller's. Whom
# threads wait for that let others have their processors, nobody knows.
FAULTS = {
    "one_rank": ("processes", ["imbalance"], ["Rank 2"]),
    "half": ("processes", ["imbalance"], ["Rank 2", "3"]),
    "slope": ("processes", ["imbalance"], ["Rank 3"]),
    "periodic": ("processes", ["imbalance"], ["Rank 1"]),
    "growing": ("processes", ["growing-imbalance", "imbalance"], ["Rank 3"]),
    "moving": ("processes", ["imbalance"], []),
    "alone": ("processes", ["serial", "imbalance"], ["Rank 0"]),
    "sleeper": ("processes", ["imbalance", "serial"], ["Rank 1"]),
    "pipeline": ("processes", ["in-turn"], []),
    "late_sender": ("processes", ["imbalance"], ["Rank 0", "Rank 2"]),
    "late_receiver": ("processes", ["imbalance"], ["Rank 1", "Rank 3"]),
    "wrong_order": ("processes", ["wrong-order"], []),
    "probing": ("processes", ["imbalance"], ["Rank 3"]),
    "new_groups": ("processes", ["imbalance"], ["Rank 1"]),
    "later": ("processes", ["imbalance"], ["Rank 2"]),
    "balanced": ("processes", [], []),
    "one_thread": ("threads", ["imbalance"], ["thread 1"]),
    "first_only": ("threads", ["serial"], []),
    "locked": ("threads", ["lock"], []),
    "sleeping": ("threads", ["imbalance", "serial"], ["thread 2"]),
    "even": ("threads", [], []),
    "producer": ("started", ["signal"], ["Thread 1"]),
    "servant": ("started", [], []),
    "uneven_ends": ("started", ["join"], ["Thread 2"]),
    "even_ends": ("started", [], []),
    "spinning": ("posix", ["lock"], []),
    "yielding": ("posix", [], []),
}
# What a busy machine itself makes, and what a short run has.
ALLOWED = {"lost-processors", "processor-limit", "oversubscription", "binding", "startup", "managing-threads"}


def run(command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=300, **options).stdout


def build(folder):
    flags = ["-O1", "-g", "-fopenmp"]
    for name, compiler in (("processes", "mpicc"), ("threads", "gcc"), ("started", "gcc"), ("posix", "gcc")):
        run([compiler, *flags, str(HERE / f"{name}.c"), "-o", str(folder / name)])


@contextlib.contextmanager
def busy(count):
    """So many others that compute all the time."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def summary_of(holos, folder, fault, steps):
    program = FAULTS[fault][0]
    trace = folder / "run"
    start = ["mpirun", "-n", "4"] if program == "processes" else []
    run([holos, "record", "-o", str(trace), "--", *start, str(folder / program), fault, str(steps)],
        env={**os.environ, "OMP_NUM_THREADS": "4"}, cwd=folder)
    run([holos, "analyze", str(trace)])
    said = json.loads(run([holos, "show", str(trace / "analysis.cubex"), "--format", "json"]))
    run(["rm", "-rf", str(trace)])
    return said["summary"]


def names(fault, problem):
    _, kinds, who = FAULTS[fault]
    is_there = fault in problem["where"] + problem["why"] or problem["where"].endswith(" main")
    return (problem["kind"] in kinds and is_there
            and all(word in problem["who"] for word in who))


def judge(fault, summary):
    """Whether the fault is first, and what else is said without reservation."""
    problems = [each for each in summary["problems"] if each["kind"] not in ALLOWED]
    others = [each for each in problems if not names(fault, each) and "uncertain" not in each["why"]]
    is_first = bool(problems) and names(fault, problems[0]) if FAULTS[fault][1] else not others
    return is_first, others


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("holos")
    arguments.add_argument("--runs", type=int, default=3)
    arguments.add_argument("--busy", type=int, default=2 * (os.cpu_count() or 1))
    arguments.add_argument("--steps", type=int, default=30)
    arguments.add_argument("faults", nargs="*", default=list(FAULTS))
    asked = arguments.parse_intermixed_args()
    holos = str(pathlib.Path(asked.holos).resolve())
    first = true = runs = 0
    print("| planted | named first | nothing false |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch, busy(asked.busy):
        folder = pathlib.Path(scratch)
        build(folder)
        wrong = []
        for fault in asked.faults:
            verdicts = []
            for _ in range(asked.runs):
                summary = summary_of(holos, folder, fault, asked.steps)
                verdicts.append(judge(fault, summary))
                if not verdicts[-1][0] or verdicts[-1][1]:
                    wrong.append((fault, summary))
            is_first = sum(1 for each, _ in verdicts if each)
            is_true = sum(1 for _, others in verdicts if not others)
            print(f"| `{fault}` | {is_first} of {asked.runs} | {is_true} of {asked.runs} |", flush=True)
            first, true, runs = first + is_first, true + is_true, runs + asked.runs
    print(f"| **all** | {first} of {runs} | {true} of {runs} |")
    for fault, summary in wrong:
        print(f"\n{fault}: {summary['text']}")
        for problem in summary["problems"]:
            print("   ", *(problem[key] for key in ("kind", "percent", "where", "who", "why")), sep=" | ")
    return 0 if first >= 0.95 * runs and true >= 0.98 * runs else 1


if __name__ == "__main__":
    sys.exit(main())

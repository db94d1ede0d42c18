#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What recording adds to a program: plain and recorded runs in turn, with and without call paths, the making of the trace
# included. Each line has medians: of the processor time, of how many times longer it is than that of the plain run of the
# same round, of the same by the clock, and of the size of the trace. The last line compares runs with and without call
# paths in the same way.
#
#   tests/benchmarks/recording/program.sh BUILD_DIRECTORY ROUNDS COMMAND…
#
# In the environment, SCOREP="COMMAND…" adds runs of the same program that Score-P instrumented, and COMPILED="COMMAND…"
# those of the same program compiled by `holos cc`, alone and recorded.
set -euo pipefail

[ $# -ge 3 ] || { sed -n '3,11p' "$0" >&2; exit 2; }
holos=$1/bin/holos
rounds=$2
read -ra scorep <<<"${SCOREP:-}"
read -ra compiled <<<"${COMPILED:-}"
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export OMP_WAIT_POLICY=passive
TIMEFORMAT='%U %S %R'

# timed NAME COMMAND…: notes the seconds of the command and of all that it waited for, and the bytes of its trace.
timed() {
  local name=$1 bytes=0
  shift
  rm -rf "$scratch/trace"
  { time "$@" >"$scratch/log" 2>&1; } 2>"$scratch/time" || { cat "$scratch/log" >&2; exit 1; }
  [ ! -e "$scratch/trace" ] || bytes=$(du -sb "$scratch/trace" | cut -f1)
  awk -v bytes="$bytes" '{ print $1 + $2, $3, bytes }' "$scratch/time" >>"$scratch/$name.runs"
}
with_scorep() {
  SCOREP_EXPERIMENT_DIRECTORY=$scratch/trace SCOREP_ENABLE_TRACING=1 SCOREP_ENABLE_PROFILING=0 SCOREP_TIMER=tsc \
    SCOREP_TOTAL_MEMORY=1000M "$@"
}
record() { "$holos" record --force -o "$scratch/trace" "$@"; }

for ((round = 0; round < rounds; ++round)); do
  timed plain "$@"
  timed pathless record --call-paths none -- "$@"
  timed recorded record -- "$@"
  [ -z "${SCOREP:-}" ] || timed score-p with_scorep "${scorep[@]}"
  [ -z "${COMPILED:-}" ] || timed compiled "${compiled[@]}"
  [ -z "${COMPILED:-}" ] || timed functions record -- "${compiled[@]}"
done

# compare BASE NAME: the medians of a kind of runs, against those of another.
compare() {
  paste -d ' ' "$scratch/$1.runs" "$scratch/$2.runs" | awk -v name="$2" -v base="$1" '
    function median(of, i, j, swap) {
      for (i = 2; i <= NR; ++i)
        for (j = i; j > 1 && of[j - 1] > of[j]; --j) { swap = of[j]; of[j] = of[j - 1]; of[j - 1] = swap }
      return NR % 2 ? of[(NR + 1) / 2] : (of[NR / 2] + of[NR / 2 + 1]) / 2
    }
    { processor[NR] = $4; more[NR] = 100 * ($4 / $1 - 1); longer[NR] = 100 * ($5 / $2 - 1); bytes[NR] = $6 }
    END {
      printf "%-10s %8.2f s  %+7.1f %%  by the clock %+7.1f %%  trace %7.2f MB  against %s\n",
        name, median(processor), median(more), median(longer), median(bytes) / 1e6, base
    }'
}
for kind in plain pathless recorded score-p compiled functions; do
  [ ! -e "$scratch/$kind.runs" ] || compare plain "$kind"
done
compare pathless recorded

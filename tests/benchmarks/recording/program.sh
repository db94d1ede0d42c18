#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What recording adds to a program: plain and recorded runs in turn, and the medians of their processor time, the making
# of the trace included.
#
#   tests/benchmarks/recording/program.sh BUILD_DIRECTORY ROUNDS COMMAND…
#
# In the environment, SCOREP="COMMAND…" adds runs of the same program that Score-P instrumented, and COMPILED="COMMAND…"
# those of the same program compiled by `holos cc`, alone and recorded.
set -euo pipefail

[ $# -ge 3 ] || { sed -n '3,9p' "$0" >&2; exit 2; }
holos=$1/bin/holos
rounds=$2
read -ra scorep <<<"${SCOREP:-}"
read -ra compiled <<<"${COMPILED:-}"
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export OMP_WAIT_POLICY=passive
TIMEFORMAT='%U %S'

# timed NAME COMMAND…: notes the seconds of the command and of all that it waited for.
timed() {
  local name=$1
  shift
  { time "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }; } 2>>"$scratch/$name"
}
with_scorep() {
  rm -rf "$scratch/scorep"
  SCOREP_EXPERIMENT_DIRECTORY=$scratch/scorep SCOREP_ENABLE_TRACING=1 SCOREP_ENABLE_PROFILING=0 SCOREP_TIMER=tsc \
    SCOREP_TOTAL_MEMORY=1000M "$@"
}
median() { awk '{ print $1 + $2 }' "$scratch/$1" | sort -g | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'; }

for ((round = 0; round < rounds; ++round)); do
  timed plain "$@"
  timed recorded "$holos" record --force -o "$scratch/run" -- "$@"
  [ -z "${SCOREP:-}" ] || timed instrumented with_scorep "${scorep[@]}"
  [ -z "${COMPILED:-}" ] || timed compiled "${compiled[@]}"
  [ -z "${COMPILED:-}" ] || timed functions "$holos" record --force -o "$scratch/run" -- "${compiled[@]}"
done
plain=$(median plain)
for kind in plain recorded instrumented compiled functions; do
  [ ! -e "$scratch/$kind" ] || awk -v kind="$kind" -v seconds="$(median "$kind")" -v plain="$plain" \
    'BEGIN { printf "%-14s %8.2f s  %+6.1f %%\n", kind, seconds, 100 * (seconds / plain - 1) }'
done

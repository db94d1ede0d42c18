#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Where the processor time of a recorded program goes, by samples of perf: to the program with its libraries, to the
# recorder, to the kernel, and to making the trace. Each line has the recorder's and the making's samples in percent of the
# program's. Other programs on the machine make runs longer, but hardly change these ratios.
#
#   tests/benchmarks/recording/shares.sh BUILD_DIRECTORY ROUNDS COMMAND…
#
# In the environment, EXECUTABLE is the program's name, by default that of the last word of COMMAND which is a file that can
# be run. COMPILED="COMMAND…" and SCOREP="COMMAND…" add runs of the same program that `holos cc` and Score-P's compiler
# commands instrumented.
set -euo pipefail

[ $# -ge 3 ] || { sed -n '3,12p' "$0" >&2; exit 2; }
holos=$1/bin/holos
rounds=$2
read -ra compiled <<<"${COMPILED:-}"
read -ra scorep <<<"${SCOREP:-}"
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export OMP_WAIT_POLICY=passive

# program_of COMMAND…: the name that the kernel has of the program.
program_of() {
  local word name=${EXECUTABLE:-}
  [ -n "$name" ] || for word in "$@"; do [ ! -f "$word" ] || [ ! -x "$word" ] || name=$(basename "$word"); done
  printf '%.15s' "$name"
}
# sampled NAME EXECUTABLE COMMAND…
sampled() {
  local name=$1 executable=$2
  shift 2
  perf record --quiet --freq 2500 --event cpu-clock --output "$scratch/samples" "$@" >"$scratch/log" 2>&1 ||
    { cat "$scratch/log" >&2; exit 1; }
  perf report --input "$scratch/samples" --stdio --show-nr-samples --sort comm,dso 2>/dev/null |
    awk -v name="$name" -v executable="$executable" '
      /^#/ || NF < 4 { next }
      $3 == "holos" { making += $2; next }
      $3 != executable { next }
      $4 ~ /^lib(holos|scorep|otf2|open-trace)/ { recorder += $2; next }
      $4 ~ /kernel/ { kernel += $2; next }
      { program += $2 }
      END {
        if (!program) { print "no samples of " executable; exit 1 }
        printf "%-13s program %6d  kernel %6d  recorder %5d (%5.2f %%)  making the trace %5d (%5.2f %%)\n",
          name, program, kernel, recorder, 100 * recorder / program, making, 100 * making / program
      }'
}
record() { sampled "$1" "$2" "$holos" record --force -o "$scratch/trace" "${@:3}"; }

for ((round = 0; round < rounds; ++round)); do
  record "without paths" "$(program_of "$@")" --call-paths none -- "$@"
  record "recorded" "$(program_of "$@")" -- "$@"
  [ -z "${COMPILED:-}" ] || record "functions" "$(program_of "${compiled[@]}")" -- "${compiled[@]}"
  [ -z "${SCOREP:-}" ] || {
    rm -rf "$scratch/score-p"
    SCOREP_EXPERIMENT_DIRECTORY=$scratch/score-p SCOREP_ENABLE_TRACING=1 SCOREP_ENABLE_PROFILING=0 SCOREP_TIMER=tsc \
      SCOREP_TOTAL_MEMORY=1000M sampled "Score-P" "$(program_of "${scorep[@]}")" "${scorep[@]}"
  }
done

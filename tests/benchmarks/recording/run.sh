#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What recording adds to an MPI message, an empty parallel region, and a call of a tiny function: plain and recorded runs in turn.
#
#   tests/benchmarks/recording/run.sh BUILD_DIRECTORY [ROUNDS]
set -euo pipefail

[ $# -ge 1 ] || { sed -n '3,5p' "$0" >&2; exit 2; }
holos=$1/bin/holos
rounds=${2:-5}
here=$(dirname "$0")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

mpicc -O2 "$here/messages.c" -o "$scratch/messages"
gcc -O2 -fopenmp "$here/parallel.c" -o "$scratch/parallel"
"$holos" cc -- gcc -O2 "$here/functions.c" -o "$scratch/functions"
export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive

# measure PROGRAM [OPTION…]: the smallest of the rounds, plain and recorded.
measure() {
  local program=$scratch/$1 plain=1e18 recorded=1e18 value options=("${@:2}")
  for ((round = 0; round < rounds; ++round)); do
    value=$("$program")
    plain=$(printf '%s\n%s\n' "$plain" "$value" | sort -g | head -1)
    value=$("$holos" record --force "${options[@]}" -o "$scratch/run" -- "$program" 2>/dev/null)
    recorded=$(printf '%s\n%s\n' "$recorded" "$value" | sort -g | head -1)
  done
  awk -v name="$*" -v plain="$plain" -v recorded="$recorded" \
    'BEGIN { printf "%-22s plain %8.1f ns  recorded %8.1f ns  added %7.1f ns  ratio %.2f\n",
                    name, plain, recorded, recorded - plain, recorded / plain }'
}
measure messages
measure parallel
measure functions --throttle 0
measure functions

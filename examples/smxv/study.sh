#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Three variants, threads from 25 % to 225 % of the processors, each recorded; one report for each variant.
#
#   examples/smxv/study.sh [FOLDER]      (default: smxv-study)
#
# SMXV_ROWS and SMXV_COUNTERS change the size of the matrix and what is counted.
set -eu
source "$(dirname "$0")/../build_paths.sh"

folder=${1:-smxv-study}
counters=${SMXV_COUNTERS:-page-faults,ru_nvcsw,ru_nivcsw,task-clock}
processors=$(nproc)
# Few processors: some percentages are the same number of threads.
counts=$(for percent in 25 50 100 125 150 175 200 225; do echo $(( (processors * percent + 99) / 100 )); done | sort -nu)

mkdir -p "$folder"
for variant in plain blocked blocked-int; do
  experiments=()
  for threads in $counts; do
    run=$folder/$variant-$threads
    OMP_NUM_THREADS=$threads holos record --force -o "$run" --counters "$counters" -- smxv "$variant" "${SMXV_ROWS:-200000}"
    holos analyze "$run" > /dev/null
    experiments+=("$run/analysis.cubex")
  done
  holos report "${experiments[@]}" --names "$(paste -sd, <<< "$counts")" -o "$folder/$variant.html"
done

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Three variants, threads from 25 % to 225 % of the processors, and 4 and 16 of them, each recorded, and two without threads;
# one report for each variant, and one picture for each metric with all of them over the number of threads.
#
#   examples/smxv/study.sh [FOLDER]      (default: smxv-study)
#
# SMXV_ROWS and SMXV_COUNTERS change the size of the matrix and what is counted, SMXV_THREADS the numbers of threads.
set -eu
source "$(dirname "$0")/../build_paths.sh"

folder=${1:-smxv-study}
counters=${SMXV_COUNTERS:-page-faults,ru_nvcsw,ru_nivcsw,task-clock}
processors=$(nproc)
# Few processors: some percentages are the same number of threads.
counts=$(for percent in 25 50 100 125 150 175 200 225; do echo $(( (processors * percent + 99) / 100 )); done;
         echo 4; echo 16)
counts=$(printf '%s\n' ${SMXV_THREADS:-$counts} | sort -nu)

record() {  # VARIANT THREADS: the run, and the part of it that is measured
  local run=$folder/$1-$2
  OMP_NUM_THREADS=$2 holos record --force -o "$run" --counters "$counters" -- smxv "$1" "${SMXV_ROWS:-200000}"
  holos analyze "$run" > /dev/null
  holos cut "$run/analysis.cubex" --root multiply -o "$run/multiply.cubex" > /dev/null
}

mkdir -p "$folder"
for variant in plain blocked blocked-int; do
  experiments=()
  for threads in $counts; do
    record "$variant" "$threads"
    experiments+=("$folder/$variant-$threads/analysis.cubex")
  done
  holos report "${experiments[@]}" --names "$(paste -sd, <<< "$counts")" -o "$folder/$variant.html"
done
for variant in serial serial-int; do record "$variant" 1; done
python3 "$(dirname "$0")/curves.py" "$folder" MFLOPS time ${counters//,/ }

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Records ppm (4 processes × 2 threads) twice with different counters, analyzes both runs, merges them, and shows where
# the time is lost, as text and as a picture. Takes `holos` from PATH, or from the newest build.
#
#   examples/ppm/demo.sh PROGRAM FOLDER       PROGRAM is ppm as it was built; results go to FOLDER
set -euo pipefail
ppm=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
# shellcheck source=examples/build_paths.sh
source "$(dirname "$0")/../build_paths.sh"
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-2}
step() { printf '\n\033[1m== %s\033[0m\n' "$*"; }

cd "$out"
step "run without Holos"
mpirun -n 4 "$ppm" --imbalance 0.3 | tee plain.txt

# Where the kernel lets only root count events, the resource usage of threads has nearly all of both sets.
declare -A usage=([FAULTS]="ru_minflt,ru_nvcsw,ru_utime" [SWITCHES]="ru_majflt,ru_nivcsw,ru_stime")
for set in FAULTS SWITCHES; do
  counted=(--set "$set" --spec linux-software)
  if ! holos record --force -o permitted "${counted[@]}" -- true 2>/dev/null; then counted=(--counters "${usage[$set]}"); fi
  step "record with the counters of set $set"
  holos record --force -o "$set" "${counted[@]}" -- mpirun -n 4 "$ppm" --imbalance 0.3 | tee "$set.txt"
  holos analyze "$set" --spec linux-software
done
for set in FAULTS SWITCHES; do
  if diff <(grep -i checksum plain.txt) <(grep -i checksum "$set.txt"); then
    echo "the run with set $set computed the same as the run without Holos"
  fi
done

step "merge"
holos merge FAULTS/analysis.cubex SWITCHES/analysis.cubex -o ppm.cubex
holos show ppm.cubex --top 5

step "browser"
holos view ppm.cubex --screenshot ppm.png --select mpi_wait_nxn --expand-hottest
echo "picture:    $out/ppm.png"
echo "experiment: $out/ppm.cubex      (holos view $out/ppm.cubex)"

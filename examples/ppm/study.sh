#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The paper's study on this machine: counters of several runs, merged, looked at and compared; then the paper's own
# three machines.
#
#   examples/ppm/study.sh [FOLDER]      (default: ppm-study)
#
# PPM_OPTIONS changes what ppm computes, PPM_SETS which measurement sets of linux-software are counted.
set -eu
source "$(dirname "$0")/../build_paths.sh"

folder=${1:-ppm-study}
sets=${PPM_SETS:-FAULTS,SWITCHES}
read -ra options <<< "${PPM_OPTIONS:-}"
step() { printf '\n== %s\n' "$*"; }

declare -A imbalance=([even]=0 [uneven]=0.5)
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-2}
mkdir -p "$folder"
for version in even uneven; do
  step "$version: one run for each of $sets, twice"
  holos campaign --spec linux-software --sets "$sets" --repeat 2 -o "$folder/$version" -- \
    mpirun -n 4 ppm --imbalance "${imbalance[$version]}" "${options[@]}"
done

step "one run alone is incomplete: what ~ stands in front of"
holos show "$folder/uneven/run-01/analysis.cubex" | grep -F '~' || true
step "all runs, merged"
holos show "$folder/uneven/campaign.cubex" --top 3

step "the browser"
holos view "$folder/uneven/campaign.cubex" --screenshot "$folder/browser.png" --select mpi_wait_nxn --expand-hottest ||
  echo "no picture, the rest goes on"
step "what the imbalance cost"
holos diff "$folder"/{uneven,even}/campaign.cubex -o "$folder/change.cubex"
holos report "$folder"/{even,uneven}/campaign.cubex --names even,uneven -o "$folder/ppm.html"
step "the paper's machines"
holos report "$(dirname "$0")"/platforms/{regatta,xd1,sf25k}.cube -o "$folder/platforms.html"

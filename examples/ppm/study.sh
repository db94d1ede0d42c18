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

declare -A imbalance=([even]=0 [uneven]=0.5 [processes]=0)
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-2}
mkdir -p "$folder"
for version in even uneven processes; do
  step "$version: one run for each of $sets, twice"
  threads=$OMP_NUM_THREADS
  [ "$version" != processes ] || threads=1
  OMP_NUM_THREADS=$threads holos campaign --spec linux-software --sets "$sets" --repeat 2 -o "$folder/$version" -- \
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

# Two ways to run one program on this machine stand for two platforms.
step "Table 1 of this machine: processes with threads, and processes alone"
holos report "$folder"/{even,processes}/campaign.cubex --names hybrid,processes --call-paths init,runhyd \
  -o "$folder/table1.md"
sed -n '/^## Configuration/,/^## /p' "$folder/table1.md" | head -n 30
# Of the time loop alone: in short runs, most of what happens is the start of MPI. View 3 is the topology.
step "figures 2 to 4: an event that costs, where in the time loop, and in which threads of which process"
for version in even uneven processes; do
  holos cut "$folder/$version/campaign.cubex" --root runhyd -o "$folder/$version/runhyd.cubex"
  holos view "$folder/$version/runhyd.cubex" --screenshot "$folder/figure-$version.png" --select MINOR_FAULTS \
    --expand-hottest --state view=3 || echo "no picture, the rest goes on"
done
step "figure 5: the same metric in the threads of two platforms, side by side"
holos view "$folder"/{even,processes}/campaign.cubex --side-by-side --screenshot "$folder/figure-both.png" \
  --select PAGE_FAULTS --expand-hottest || echo "no picture, the rest goes on"
for version in even processes; do
  holos show "$folder/$version/campaign.cubex" --metric PAGE_FAULTS --top 3
done
step "the paper's machines"
holos report "$(dirname "$0")"/platforms/{regatta,xd1,sf25k}.cube --call-paths init,runhyd -o "$folder/platforms.html"

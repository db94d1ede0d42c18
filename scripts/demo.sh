#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The main job of Holos on real input: records examples/ppm (4 processes × 2 threads) twice with different
# counters, analyzes both runs, merges them, and shows where the time is lost, as text and as a picture.
#
#   scripts/demo.sh [--preset NAME] [FOLDER]       results go to FOLDER, build/demo unless given
set -euo pipefail
preset=release
# shellcheck source=scripts/options.sh
source "$(dirname "$0")/options.sh"
out=$(realpath -m "${1:-$(dirname "$0")/../build/demo}")
# shellcheck source=scripts/environment.sh
source "$(dirname "$0")/environment.sh"

scripts/install-deps.sh

say "build"
cmake --preset "$preset" >/dev/null
cmake --build "build/$preset"
export PATH="$PWD/build/$preset/bin:$PATH"
ppm=$PWD/build/$preset/examples/ppm/ppm

rm -rf "$out"
mkdir -p "$out"
cd "$out"

say "run without Holos"
mpirun -n 4 "$ppm" --imbalance 0.3 | tee plain.txt

for set in FAULTS SWITCHES; do
  say "record with the counters of set $set"
  holos record -o "$set" --set "$set" --spec linux-software -- mpirun -n 4 "$ppm" --imbalance 0.3 | tee "$set.txt"
  holos analyze "$set"
done
for set in FAULTS SWITCHES; do
  if diff <(grep -i checksum plain.txt) <(grep -i checksum "$set.txt"); then
    echo "the run with set $set computed the same as the run without Holos"
  fi
done

say "merge"
holos merge FAULTS/analysis.cubex SWITCHES/analysis.cubex -o ppm.cubex
holos show ppm.cubex --top 5

say "browser"
holos view ppm.cubex --screenshot ppm.png --select mpi_wait_nxn --expand-hottest
echo "picture:    $out/ppm.png"
echo "experiment: $out/ppm.cubex      (holos view $out/ppm.cubex)"

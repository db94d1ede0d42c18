#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Records `repair` before and after its repair, and shows what the repair took away.
#
#   examples/wait-states/repair.sh [FOLDER]      (default: repair)
set -eu
source "$(dirname "$0")/../build_paths.sh"

folder=${1:-repair}
mkdir -p "$folder"
for version in before after; do
  mpirun -n 4 holos record --force -o "$folder/$version" -- "$(command -v repair)" "$version"
  holos analyze "$folder/$version" > /dev/null
done
holos diff "$folder/before/analysis.cubex" "$folder/after/analysis.cubex" -o "$folder/change.cubex"
holos show "$folder/before/analysis.cubex" --metric mpi_latesender
holos show "$folder/change.cubex"

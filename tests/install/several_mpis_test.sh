#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# One installation serves several MPIs side by side: it has the adapters of both, each program is recorded by that of the
# MPI which it loaded, and ranks of each analyze its recording. The installation does not change by that, so it may be
# read-only.
#
#   several_mpis_test.sh BUILD PROGRAM.c
set -euo pipefail
build=$(realpath "$1") program=$(realpath "$2")
declare -A names=([openmpi]='Open MPI v' [mpich]='MPICH Version')
for mpi in "${!names[@]}"; do
  for command in mpicc mpiexec; do
    command -v "$command.$mpi" >/dev/null || { echo "there is no $command.$mpi"; exit 77; }
  done
done
folder=$(mktemp -d)
trap 'chmod -R u+w "$folder" && rm -rf "$folder"' EXIT
cd "$folder"

cmake --install "$build" --prefix "$folder/holos" >install.log
chmod -R a-w holos
state_of() { find "$1" -printf '%p %s %T@ %C@\n' | sort; }
state_of holos >before
for mpi in "${!names[@]}"; do "mpicc.$mpi" "$program" -o "program.$mpi"; done

for mpi in openmpi mpich openmpi; do
  "mpiexec.$mpi" -n 2 holos/bin/holos record --force -o "run.$mpi" -- "./program.$mpi"
  grep -F "\"mpi\": \"${names[$mpi]}" "run.$mpi/measurement.json"
  holos/bin/holos query "run.$mpi" "SELECT region FROM calls WHERE region = 'MPI_Sendrecv'" >calls
  [ "$(grep -cx MPI_Sendrecv calls)" = 2 ]
  "mpiexec.$mpi" -n 2 holos/bin/holos analyze "run.$mpi"
  holos/bin/holos check "run.$mpi/analysis.cubex"
done
state_of holos >after
cmp before after

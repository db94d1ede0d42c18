#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs Holos without its adapters to MPI, and makes one afterwards, as for the MPI of a centre: before, an MPI program
# runs and the recording says how to have it recorded; afterwards MPI is recorded, and ranks analyze together.
#
#   adapter_test.sh BUILD MPICC MPIEXEC PROGRAM.c
set -euo pipefail
build=$(realpath "$1") wrapper=$2 mpiexec=$3 program=$(realpath "$4")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export XDG_DATA_HOME=$folder/data

cmake --install "$build" --prefix "$folder/holos" --component holos >install.log
holos=$folder/holos/bin/holos
make_adapter() { "$folder/holos/bin/holos-mpi-adapter" "$@"; }
"$wrapper" "$program" -o program
record() { "$holos" record --force -o run "$@" -- ./program 2>&1; }
fail() { echo "$1"; exit 1; }

record | grep -F 'for which Holos has no adapter; make one with its compiler wrapper: holos-mpi-adapter mpicc'

code=0
make_adapter --fast 2>error || code=$?
[ "$code" = 2 ] && grep -q -- '--fast' error
code=0
make_adapter no-such-wrapper 2>error || code=$?
[ "$code" = 2 ] && grep -q no-such-wrapper error

made=$(make_adapter -o adapters "$wrapper" | grep '/libholos-mpi-')
echo "$made"
record | grep -F 'no adapter' || fail 'an adapter is found where nobody said that it is'
record --mpi-adapters adapters | (! grep 'not recorded')
"$holos" query run "SELECT region FROM calls WHERE region LIKE 'MPI%'" >calls
grep MPI_Finalize calls
"$mpiexec" -n 2 "$holos" analyze --mpi-adapters adapters run
[ -f run/analysis.cubex ]
name=$(basename "$made")

# What is not for this Holos is said to be so.
echo 'int holosMpiAdapter(unsigned hash) { return hash == 0; }' | cc -shared -fPIC -x c - -o "other.so"
mkdir other && mv other.so "other/$name"
record --mpi-adapters other | grep -F "$name was made for another Holos"
code=0
record --mpi-adapters nowhere >error || code=$?
[ "$code" = 2 ] && grep -qF 'there is no folder nowhere' error

# The user's own folder, and one in the installation, need no option.
mkdir -p data/holos && cp -r adapters data/holos/mpi-adapters
record | (! grep 'not recorded')
mv data/holos/mpi-adapters "$(echo holos/lib*/holos-0.*)"
record | (! grep 'not recorded')
echo mine >"adapters/$name"
make_adapter -o adapters "$wrapper" 2>error && fail 'a file of somebody else was replaced'
grep -q 'is in the way' error && grep -qx mine "adapters/$name"

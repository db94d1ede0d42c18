#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What recipe.yaml runs, with PREFIX, SP_DIR, PYTHON and the compilers in the environment.
set -euo pipefail
# shellcheck disable=SC2086  # several options
cmake -S . -B build/conda -G Ninja ${CMAKE_ARGS:-} \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_INSTALL_LIBDIR=lib \
  -DHOLOS_TESTS=OFF -DHOLOS_EXAMPLES=OFF -DHOLOS_MPI_WRAPPERS="$PREFIX/bin/mpicc" \
  -DHOLOS_PYTHONDIR="${SP_DIR#"$PREFIX/"}" -DPython3_EXECUTABLE="$PYTHON"
cmake --build build/conda
cmake --install build/conda

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Compiles for aarch64 what depends on the processor without the rest (the way up a stack, call paths and samples of it,
# Python's functions, registers that count), and runs its tests under emulation. Installs the packages for that; not a part of continuous integration.
#   scripts/test-aarch64.sh [FOLDER]
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/install-deps.sh --aarch64
folder=${1:-build/aarch64}
googletest=/usr/src/googletest
mkdir -p "$folder"

compile() { # OBJECT SOURCE
  aarch64-linux-gnu-g++ -std=c++20 -O1 -g -pthread -I. -I"$googletest"/googletest{,/include} \
    -I"$googletest"/googlemock{,/include} -c "$2" -o "$folder/$1.o"
}

for name in gtest/src/gtest-all gmock/src/gmock-all gmock/src/gmock_main; do
  library=${name%%/*}
  [ -e "$folder/$(basename "$name").o" ] || compile "$(basename "$name")" "$googletest/google${library#g}/${name#*/}.cc"
done
# The sources of holos_stack_walk are those that its list has.
walk=$(sed -n 's,^    \(.*\.cpp\)$,tracing/recorder/stacks/\1,p' tracing/recorder/stacks/CMakeLists.txt)
# shellcheck disable=SC2086
for source in tracing/code/loaded/*.cpp $walk \
  tracing/counters/perf_page.cpp tracing/recorder/memory/heap.cpp tests/unit/tracing/path_book.cpp \
  tests/unit/tracing/{known_stack,sampled_stack,stack_walk}_test.cpp \
  tests/unit/tracing/python_{frames,functions,layout,mixed_stack}_test.cpp; do
  compile "$(basename "$source" .cpp)" "$source"
done
aarch64-linux-gnu-g++ -pthread "$folder"/*.o -o "$folder/stack_walk_test"
exec qemu-aarch64 -L /usr/aarch64-linux-gnu "$folder/stack_walk_test"

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Checks the browser's memory: runs its tests under valgrind, with the build as it is. Reads of what was freed or never
# written, and leaks, are errors. What Qt keeps until the end is no leak.
#
#   scripts/memcheck.sh [--preset NAME] [GTEST-FILTER]     for example: scripts/memcheck.sh --preset dev 'Window.*'
set -euo pipefail
preset=ci
# shellcheck source=scripts/options.sh
source "$(dirname "$0")/options.sh"
# Tests that start other programs, or are about size, say nothing here.
filter=${1:--ViewCommand.*:LargeValues*:*65536*:Events.rows_further_down*}
# shellcheck source=scripts/environment.sh
source "$(dirname "$0")/environment.sh"

# Code that regular expressions write at run time reads whole words, of which valgrind cannot know the ends.
export QT_QPA_PLATFORM=offscreen QT_ENABLE_REGEXP_JIT=0
# Each processor takes a part of the tests.
GTEST_TOTAL_SHARDS=$(nproc)
export GTEST_TOTAL_SHARDS
log=build/$preset/memcheck
parts=()
for ((part = 0; part < GTEST_TOTAL_SHARDS; ++part)); do
  # A test that hangs is told from a slow one by time alone; then valgrind prints where it was.
  GTEST_SHARD_INDEX=$part timeout --signal=ABRT --kill-after=60 1800 valgrind --quiet --error-exitcode=1 \
    --suppressions=scripts/memcheck.supp --leak-check=full --show-leak-kinds=definite \
    --errors-for-leak-kinds=definite --num-callers=25 \
    "build/$preset/tests/holos_gui_test" --gtest_filter="$filter" >"$log-$part.log" 2>&1 &
  parts+=($!)
done
failed=0
for ((part = 0; part < GTEST_TOTAL_SHARDS; ++part)); do
  # What valgrind says begins with the number of the process; a test that fails is told at the end.
  wait "${parts[$part]}" || { failed=1; grep -E '^==[0-9]+== ' "$log-$part.log" | head -n 100 || true; tail -n 50 "$log-$part.log"; }
  grep -F '[  PASSED  ]' "$log-$part.log" || true
done
exit "$failed"

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds Holos and runs all tests.
#
#   scripts/test.sh [--preset NAME] [CTEST-OPTION…]     for example: scripts/test.sh -R late_sender
set -euo pipefail
# shellcheck source=scripts/environment.sh
source "$(dirname "$0")/environment.sh"

preset=dev
if [ "${1:-}" = --help ]; then
  sed -n '3,5s/^# \?//p' scripts/test.sh
  exit 0
elif [ "${1:-}" = --preset ]; then
  preset=${2:?"--preset needs a name: dev, ci, asan, tsan"}
  shift 2
fi

scripts/install-deps.sh --tests
say "build ($preset)"
cmake --preset "$preset" >/dev/null
cmake --build "build/$preset"
say "test ($preset)"
ctest --preset "$preset" --parallel 2 "$@"

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds Holos and runs all tests.
#
#   scripts/test.sh [--preset NAME] [CTEST-OPTION…]     for example: scripts/test.sh --preset dev -R LateSender
set -euo pipefail
preset="test"
# shellcheck source=scripts/options.sh
source "$(dirname "$0")/options.sh"
# shellcheck source=scripts/environment.sh
source "$(dirname "$0")/environment.sh"

scripts/install-deps.sh --tests
say "build ($preset)"
cmake --preset "$preset" >/dev/null
cmake --build "build/$preset"
say "test ($preset)"
# More than the processors that CI has, as many tests wait for processes.
ctest --preset "$preset" --parallel 3 "$@"

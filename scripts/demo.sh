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
PATH="$PWD/build/$preset/bin:$PATH" examples/ppm/demo.sh "build/$preset/examples/ppm/ppm" "$out"

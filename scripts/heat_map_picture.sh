#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Makes docs/pictures/browser-timeline-heat.png anew, which only mouse and keys reach: in a window of a virtual display.
# Needs Xvfb, openbox, xdotool, and import of ImageMagick.
#
#   scripts/heat_map_picture.sh [--preset NAME]
set -euo pipefail
preset=release
# shellcheck source=scripts/options.sh
source "$(dirname "$0")/options.sh"
# shellcheck source=scripts/environment.sh
source "$(dirname "$0")/environment.sh"
for tool in Xvfb openbox xdotool import; do
  command -v "$tool" >/dev/null || { echo "$tool is missing" >&2; exit 1; }
done
picture=$PWD/docs/pictures/browser-timeline-heat.png
PATH=$PWD/build/$preset/bin:$PATH
folder=$(mktemp -d)
cd "$folder"
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$folder"' EXIT

holos_generate_trace --known --processes 64 --threads 4 --rounds 6 -o waits
holos analyze --timeline waits -o waits/analysis.cubex

Xvfb -displayfd 3 -screen 0 1600x1100x24 -nolisten tcp 3>display 2>/dev/null &
until [ -s display ]; do kill -0 $!; sleep 0.1; done
DISPLAY=:$(cat display)
export DISPLAY QT_QPA_PLATFORM=xcb HOME=$folder
openbox --sm-disable &
holos-view --theme light --size 1390x870 --detail timeline waits/analysis.cubex &
window=$(timeout 60 xdotool search --sync --onlyvisible --pid $! --name Holos | tail -1)
sleep 4 # all marks are there

# at X Y WORD…: moves the pointer there, and does the words
at() {
  xdotool mousemove --window "$window" "$1" "$2" "${@:3}"
  sleep 1
}
# More room for the timeline.
at 694 647 mousedown 1
at 694 500
at 694 391 mouseup 1
# The colours, and no waits and collective operations over them.
at 620 435 click 1 sleep 0.5 key Down Return
at 833 435 click 1 sleep 0.5 key Down Return
at 833 435 click 1 sleep 0.5 key Down Down Return
at 700 220
import -window "$window" "$picture"

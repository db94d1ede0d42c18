#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Makes the pictures of the browser in docs/pictures anew: records examples/ppm evenly and unevenly loaded, and draws
# what the guide shows, and every view of the paper's three platforms, merged.
#
#   scripts/pictures.sh [--preset NAME] [FOLDER]       experiments go to FOLDER, build/pictures unless given
set -euo pipefail
preset=release
# shellcheck source=scripts/options.sh
source "$(dirname "$0")/options.sh"
runs=$(realpath -m "${1:-$(dirname "$0")/../build/pictures}")
# shellcheck source=scripts/environment.sh
source "$(dirname "$0")/environment.sh"
pictures=$PWD/docs/pictures
sources=$PWD/examples/ppm
PATH=$PWD/build/$preset/bin:$PWD/build/$preset/examples/ppm:$PATH
mkdir -p "$runs"
cd "$runs"

# record NAME IMBALANCE: what was recorded before is kept
record() {
  [ -f "$1.cubex" ] && return
  say "record $1"
  rm -rf "$1"
  holos record -o "$1" -- mpirun -n 8 ppm --size 48 --steps 5 --imbalance "$2"
  holos analyze "$1" -o "$1.cubex"
}
record even 0
record uneven 0.5
holos diff uneven.cubex even.cubex -o change.cubex
cp "$sources"/platforms/*.cube .
holos merge regatta.cube xd1.cube sf25k.cube -o platforms.cubex

# What a picture shows has no names of this machine's folders.
ln -sfn "$sources" sources

# picture NAME THEME OPTION…
picture() {
  local name=$1 theme=$2
  shift 2
  holos view --theme "$theme" --source-map "$sources=sources" "$@" --screenshot "$pictures/$name.png"
}

# The call path and the thread of the longest Late Sender, as states of the browser name them.
longest_late_sender() {
  local location path machine
  IFS=, read -r _ _ _ location _ path < <(holos show uneven.cubex --instances --metric mpi_latesender --top 1 --format csv |
    tail -n +2)
  machine=$(holos show uneven.cubex --metric mpi_latesender --tree system --format csv |
    awk -F, '$3 == "machine" || $3 == "node" { printf "%s/", $2 } $3 == "node" { exit }')
  echo "call=$path,system=$machine${location/ \/ //}"
}

say "pictures"
small=(--size 1280x700)
late=(uneven.cubex --select mpi_latesender --expand-hottest)
picture browser light "${late[@]}" --size 1280x800
picture browser-summary light uneven.cubex --detail summary --size 1280x1000
picture browser-dark dark "${late[@]}" --mode percent "${small[@]}"
picture browser-diff light change.cubex --select mpi_latesender --expand-hottest "${small[@]}"
picture browser-flame light uneven.cubex --select time --state 'tab=flame,flame=folders' "${small[@]}"
picture browser-flame-difference light uneven.cubex even.cubex --select time --state 'tab=flame,flame=difference' \
  "${small[@]}"
halo=$(longest_late_sender)
halo=${halo%%,system=*}
picture browser-callers light uneven.cubex --select time --state "tab=callers,${halo%/*/*/*}" "${small[@]}"
picture browser-flat light uneven.cubex --select comp --state 'program=regions,view=2' "${small[@]}"
picture browser-order light uneven.cubex --select mpi_latesender --state "order=call.system.metric,$(longest_late_sender)" \
  "${small[@]}"
picture browser-distribution light "${late[@]}" --state 'view=1' "${small[@]}"
picture browser-topology light "${late[@]}" --state 'view=3,topology=1/0.1.2/-30.30' "${small[@]}"
picture browser-source light "${late[@]}" --detail source
picture browser-timeline light "${late[@]}" --detail timeline --size 1280x1200
picture browser-events light "${late[@]}" --detail events --size 1280x1000 --state \
  'events=waits;columns:process%20region%20start%20duration%20culprit_process%20culprit_path;order:duration;measure:duration;filter:name%20%3D%20Late%20Sender'
picture browser-communication light "${late[@]}" --detail communication
picture browser-experiments light uneven.cubex even.cubex change.cubex --select mpi_latesender --detail experiments
picture browser-beside light uneven.cubex even.cubex --select mpi_latesender --expand-hottest --side-by-side --size 1400x900

say "the paper's platforms, merged"
merged=(platforms.cubex --select BRANCH_MISP --expand-hottest "${small[@]}")
picture platforms-tree light "${merged[@]}"
picture platforms-distribution light "${merged[@]}" --state 'view=1'
picture platforms-table light "${merged[@]}" --state 'view=2,program=modules'
picture platforms-topology light "${merged[@]}" --state 'view=3,program=regions'
picture platforms-experiments light platforms.cubex regatta.cube xd1.cube sf25k.cube --select BRANCH_MISP \
  --expand-hottest --detail experiments

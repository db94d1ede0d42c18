#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What `holos watch` adds to the processor time of the program that it watches. One program runs all the time;
# the watcher is stopped and goes on in turns, so that both are measured in the same seconds of the machine.
#
#   tests/benchmarks/recording/watched.sh BUILD_DIRECTORY [SECONDS] [INTERVAL]
#
# SECONDS is how long the program runs (100), INTERVAL the time between pictures (1s).
set -euo pipefail

[ $# -ge 1 ] || { sed -n '3,8p' "$0" >&2; exit 2; }
holos=$1/bin/holos
seconds=${2:-100}
interval=${3:-1s}
turn=2  # seconds with the watcher, and without
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

mpicc -O2 "$here/watched.c" -o "$scratch/watched"
"$holos" record -o "$scratch/run" -- "$scratch/watched" "$seconds" >"$scratch/pieces" 2>"$scratch/log" &
recorder=$!
until [ -s "$scratch/pieces" ]; do sleep 0.1; done
"$holos" watch "$scratch/run" --interval "$interval" --format json >"$scratch/pictures" 2>>"$scratch/log" &
watcher=$!
since_start() { cut -d ' ' -f 1 /proc/uptime; }
turns=$((seconds / turn - 2))
for ((i = 0; i < turns; ++i)); do
  if ((i % 2)); then kill -CONT $watcher; else kill -STOP $watcher; fi
  since_start >>"$scratch/turns"
  sleep $turn
done
kill -CONT $watcher
wait $recorder
wait $watcher || true
grep -c . "$scratch/pictures" | sed 's/$/ pictures/'

# The mean of the pieces of each turn, but for those at its ends; then of neighbours the difference.
awk -v turn=$turn 'NR == FNR { begin[NR] = $1; turns = NR; next }
  { while (at < turns && $1 >= begin[at + 1]) ++at
    if (at > 0 && $1 > begin[at] + 0.05 && $1 < begin[at] + turn - 0.05) { sum[at] += $2; ++pieces[at] } }
  END {
    for (i = 1; i + 1 <= turns; i += 2) {
      if (!pieces[i] || !pieces[i + 1]) continue
      more = 100 * (sum[i + 1] / pieces[i + 1] / (sum[i] / pieces[i]) - 1)
      all += more; squares += more * more; ++pairs
    }
    mean = all / pairs
    printf "watched: %+.2f %% of the program'"'"'s processor time, standard error %.2f %% (%d pairs of turns)\n",
      mean, sqrt((squares / pairs - mean * mean) / (pairs - 1)), pairs }' "$scratch/turns" "$scratch/pieces"

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What recording adds to an MPI message, a poll of MPI that finds nothing, an empty parallel region, a user region, a call of a tiny function, a lock and
# unlock of a free mutex, one of a mutex that another thread has (of 2, and of 252 threads), an exchange of 8 messages by
# one MPI_Waitall, a thread that does nothing, and a read that does not wait: plain and recorded runs in turn; of
# some also what a profile adds, in the same turns. Then what its call path adds to a call of MPI that is 5, 20, 60 and
# 300 functions deep: runs with and without them in turn. Then what watching adds to a recorded program. Then how large a
# profile of many calls of MPI is.
#
#   tests/benchmarks/recording/run.sh BUILD_DIRECTORY [ROUNDS]
#
# THREADS in the environment is how many threads there are, one after the other (100,000).
# CALLS is how many calls of MPI there are (20,000,000), WATCHED how many pairs of runs, alone and watched (4 × ROUNDS).
# In the environment, SCOREP=…/bin adds Score-P's tracing and profiles of the same programs.
set -euo pipefail

[ $# -ge 1 ] || { sed -n '3,14p' "$0" >&2; exit 2; }
holos=$1/bin/holos
rounds=${2:-5}
here=$(cd "$(dirname "$0")" && pwd)
headers=$here/../../../tracing/recorder/user/include
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive

mpicc -O2 "$here/messages.c" -o "$scratch/messages"
mpicc -O2 "$here/messages_in_turn.c" -o "$scratch/messages_in_turn"
mpicc -O2 -DFUNCTIONS "$here/messages_in_turn.c" -o "$scratch/messages_by_functions"
mpicc -O2 "$here/polls.c" -o "$scratch/polls"
mpicc -O2 "$here/many_calls.c" -o "$scratch/many_calls"
mpicc -O2 "$here/depths.c" -o "$scratch/depths"
gcc -O2 -fopenmp "$here/parallel.c" -o "$scratch/parallel"
gcc -O2 -DPLAIN "$here/regions.c" -o "$scratch/regions"
gcc -O2 -I"$headers" "$here/regions.c" -o "$scratch/regions.holos"
gcc -O2 "$here/functions.c" -o "$scratch/functions"
gcc -O2 -pthread "$here/mutexes.c" -o "$scratch/mutexes"
gcc -O2 -pthread -DBESIDES=0 "$here/contended.c" -o "$scratch/contended"
gcc -O2 -pthread -DBESIDES=250 "$here/contended.c" -o "$scratch/contended_of_252"
mpicc -O2 "$here/halo.c" -o "$scratch/halo"
gcc -O2 -pthread -DTHREADS="${THREADS:-100000}" "$here/threads.c" -o "$scratch/threads"
gcc -O2 "$here/reads.c" -o "$scratch/reads"
"$holos" cc --smallest 0 -- gcc -O2 "$here/functions.c" -o "$scratch/functions.holos"
if [ -n "${SCOREP:-}" ]; then
  (
    cd "$scratch"  # its instrumenter leaves files where it runs
    PATH=$SCOREP:$PATH
    scorep-mpicc -O2 "$here/messages.c" -o messages.scorep
    scorep-mpicc -O2 "$here/messages_in_turn.c" -o messages_in_turn.scorep
    scorep-mpicc -O2 -DFUNCTIONS "$here/messages_in_turn.c" -o messages_by_functions.scorep
    scorep-gcc -O2 -fopenmp "$here/parallel.c" -o parallel.scorep
    scorep --nocompiler --user gcc -O2 "$here/regions.c" -o regions.scorep
    scorep-gcc -O2 "$here/functions.c" -o functions.scorep
  )
fi

# The smaller of a number so far and what a command prints.
smaller() { printf '%s\n%s\n' "$1" "$("${@:2}" 2>>"$scratch/log")" | sort -g | head -1; }

# with_scorep tracing|profiling COMMAND…
with_scorep() {
  local -A wanted=([tracing]=0 [profiling]=0 ["$1"]=1)
  shift
  rm -rf "$scratch/scorep"
  SCOREP_EXPERIMENT_DIRECTORY=$scratch/scorep SCOREP_ENABLE_TRACING=${wanted[tracing]} \
    SCOREP_ENABLE_PROFILING=${wanted[profiling]} SCOREP_TIMER=tsc SCOREP_TOTAL_MEMORY=1000M "$@"
}

# measure PROGRAM [OPTION…]: the smallest of the rounds, plain and recorded.
measure() {
  local program=$scratch/$1 plain=1e18 recorded=1e18 scorep=1e18 options=("${@:2}") ours=$scratch/$1
  [ ! -x "$program.holos" ] || ours=$program.holos
  for ((round = 0; round < rounds; ++round)); do
    plain=$(smaller "$plain" "$program")
    recorded=$(smaller "$recorded" "$holos" record --force "${options[@]}" -o "$scratch/run" -- "$ours")
    [ ! -x "$program.scorep" ] || scorep=$(smaller "$scorep" with_scorep tracing "$program.scorep")
  done
  awk -v name="$*" -v plain="$plain" -v recorded="$recorded" -v scorep="$scorep" 'BEGIN {
    printf "%-22s plain %8.1f ns  recorded %8.1f ns  added %7.1f ns", name, plain, recorded, recorded - plain
    if (scorep < 1e18) printf "  Score-P added %7.1f ns  ratio %.2f", scorep - plain, (recorded - plain) / (scorep - plain)
    printf "\n" }'
}
measure messages || { cat "$scratch/log" >&2; exit 1; }
measure messages_in_turn
measure messages_by_functions
measure polls
measure polls --polls each
measure parallel
measure regions
measure functions --throttle 0
measure functions
measure mutexes
measure contended
measure contended_of_252
measure halo
measure threads
measure reads

# measure_paths DEPTH: the smallest of the rounds, without and with call paths. Each call is recorded for itself: without
# call paths those of both functions would else be one record.
measure_paths() {
  local without=1e18 with=1e18
  local command=("$holos" record --force --polls each -o "$scratch/run")
  for ((round = 0; round < rounds; ++round)); do
    without=$(smaller "$without" "${command[@]}" --call-paths none -- "$scratch/depths" "$1")
    with=$(smaller "$with" "${command[@]}" -- "$scratch/depths" "$1")
  done
  awk -v depth="$1" -v without="$without" -v with="$with" 'BEGIN {
    printf "call path, depth %3d    without %6.1f ns  with     %8.1f ns  added %7.1f ns\n", depth, without, with, with - without }'
}
for depth in 5 20 60 300; do measure_paths "$depth"; done

# measure_profile PROGRAM: the smallest of the rounds, plain, traced and added up.
measure_profile() {
  local program=$scratch/$1 plain=1e18 traced=1e18 added=1e18 scorep=1e18 ours=$scratch/$1
  [ ! -x "$program.holos" ] || ours=$program.holos
  for ((round = 0; round < rounds; ++round)); do
    plain=$(smaller "$plain" "$program")
    traced=$(smaller "$traced" "$holos" record --force -o "$scratch/run" -- "$ours")
    added=$(smaller "$added" "$holos" record --force --profile -o "$scratch/run" -- "$ours")
    [ ! -x "$program.scorep" ] || scorep=$(smaller "$scorep" with_scorep profiling "$program.scorep")
  done
  awk -v name="$1" -v plain="$plain" -v traced="$traced" -v added="$added" -v scorep="$scorep" 'BEGIN {
    printf "profile of %-21s traced %7.1f ns  added up %7.1f ns  ratio %.2f", name, traced - plain, added - plain, (added - plain) / (traced - plain)
    if (scorep < 1e18) printf "  Score-P added up %7.1f ns  ratio %.2f", scorep - plain, (added - plain) / (scorep - plain)
    printf "\n" }'
}
for program in messages messages_in_turn messages_by_functions regions parallel polls; do measure_profile "$program"; done

# processor_time COMMAND: seconds of all that ran.
processor_time() {
  local TIMEFORMAT='%U %S'
  { time "$@" >/dev/null 2>>"$scratch/log"; } 2>&1 | awk '{ print $1 + $2 }'
}

# Of all of a program and of what is made of it, and not of its cheapest part: buffers and files, too.
whole_calls=2000000
plain=1e18 traced=1e18 added=1e18
for ((round = 0; round < rounds; ++round)); do
  plain=$(smaller "$plain" processor_time "$scratch/many_calls" "$whole_calls")
  traced=$(smaller "$traced" processor_time "$holos" record --force -o "$scratch/run" -- "$scratch/many_calls" "$whole_calls")
  added=$(smaller "$added" processor_time "$holos" record --force --profile -o "$scratch/run" -- "$scratch/many_calls" "$whole_calls")
done
awk -v calls="$whole_calls" -v plain="$plain" -v traced="$traced" -v added="$added" 'BEGIN {
  printf "all of %d calls of MPI: plain %.2f s  traced %+.2f s  added up %+.2f s  ratio %.2f\n", calls, plain, traced - plain, added - plain, (added - plain) / (traced - plain) }'

# The program's own processor time, alone and watched ten times a second, in turns that change places: the median of what
# watching adds to a pair of runs, the range that has half of the pairs, and the cheapest run of each.
watched() {
  local recorder beside=
  rm -rf "$scratch/run"
  "$holos" record -o "$scratch/run" -- "$scratch/many_calls" "$watched_calls" >"$scratch/own" 2>>"$scratch/log" &
  recorder=$!
  if [ "$1" = watched ]; then
    until [ -e "$scratch/run/recording" ] || ! kill -0 $recorder 2>/dev/null; do sleep 0.01; done
    "$holos" watch "$scratch/run" --interval 100ms --format json >"$scratch/pictures" 2>>"$scratch/log" &
    beside=$!
  fi
  wait $recorder
  [ -z "$beside" ] || wait "$beside" || true
  cat "$scratch/own"
}
watched_calls=4000000
: >"$scratch/pairs"
for ((pair = 0; pair < ${WATCHED:-4 * rounds}; ++pair)); do
  if ((pair % 2)); then
    alone=$(watched alone) beside=$(watched watched)
  else
    beside=$(watched watched) alone=$(watched alone)
  fi
  echo "$alone $beside" >>"$scratch/pairs"
done
awk 'NR == 1 || $1 < alone { alone = $1 } NR == 1 || $2 < beside { beside = $2 }
  END { printf "watched, the cheapest runs: alone %.3f s, watched %.3f s (%+.2f %%)\n", alone, beside, 100 * (beside / alone - 1) }' "$scratch/pairs"
awk '{ print 100 * ($2 / $1 - 1) }' "$scratch/pairs" | sort -g | awk '{ more[NR] = $1 } END {
  printf "watched: %+.2f %% of the program'"'"'s processor time; half of %d pairs within %+.2f to %+.2f %%\n",
    more[int((NR + 1) / 2)], NR, more[int((NR + 3) / 4)], more[int((3 * NR + 3) / 4)] }'

# The bytes of a recording and of its profile, at the end of the program and of a run that is killed there.
for ending in "" killed; do
  for calls in 20000 "${CALLS:-20000000}"; do
    rm -rf "$scratch/run"
    # shellcheck disable=SC2086
    "$holos" record --profile -o "$scratch/run" -- "$scratch/many_calls" "$calls" $ending >/dev/null 2>>"$scratch/log" || true
    printf 'profile of %9d calls of MPI%s: %s bytes\n' "$calls" "${ending:+, then killed}" "$(stat -c %s "$scratch/run/profile.cubex")"
  done
done

#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# How true predictions are: programs are recorded, a change is predicted, then the change is made and recorded as well.
#
#   tests/benchmarks/predict.sh BUILD [case …]
#
# BUILD is a build folder with the examples. In the environment: LULESH=FOLDER with the sources of LULESH 2 adds it, and
# CLOVERLEAF=FOLDER with those of CloverLeaf_ref that; RUNS=5 records everything so often (3 without it; medians count), TMPDIR
# is where recordings go. Prints a table, and the median of all errors.
set -eu
build=$(cd "$1" && pwd)
shift
wanted=" $* "
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/environment.sh"
holos=$build/bin/holos
work=$(mktemp -d "${TMPDIR:-/tmp}/holos-predict.XXXXXX")
trap 'rm -rf "$work"' EXIT
runs=${RUNS:-3}

# field JSON NAME: a number of what `holos predict --format json` prints.
field() { sed -n "s/^ *\"$2\": \([-+.e0-9]*\),*$/\1/p" "$1"; }
median() { sort -g | awk '{ all[NR] = $1 } END { print NR % 2 ? all[(NR + 1) / 2] : (all[NR / 2] + all[NR / 2 + 1]) / 2 }'; }

# compare NAME RANKS BEFORE CONDITIONS AFTER: both are command lines, conditions are separated by semicolons.
compare() {
    case "$wanted" in "  " | *" $1 "*) ;; *) return 0 ;; esac
    local options=() condition
    while IFS= read -r condition; do options+=(--if "$condition"); done < <(tr ';' '\n' <<< "$4")
    : > "$work/before"; : > "$work/predicted"; : > "$work/after"; : > "$work/least"; : > "$work/most"
    for _ in $(seq "$runs"); do
        rm -rf "$work/a" "$work/b"
        # shellcheck disable=SC2086
        mpirun -n "$2" "$holos" record -o "$work/a" -- $3 > "$work/output" 2>&1
        # shellcheck disable=SC2086
        mpirun -n "$2" "$holos" record -o "$work/b" -- $5 > "$work/output" 2>&1
        "$holos" predict "$work/a" "${options[@]}" --format json > "$work/a.json"
        "$holos" predict "$work/b" --if network=ideal --format json > "$work/b.json"
        field "$work/a.json" recordedSeconds >> "$work/before"
        field "$work/a.json" predictedSeconds >> "$work/predicted"
        field "$work/a.json" predictedSecondsAtLeast >> "$work/least"
        field "$work/a.json" predictedSecondsAtMost >> "$work/most"
        field "$work/b.json" recordedSeconds >> "$work/after"
    done
    printf '%s %s %s %s %s\n' "$(median < "$work/before")" "$(median < "$work/predicted")" "$(median < "$work/after")" \
        "$(median < "$work/least")" "$(median < "$work/most")" |
        awk -v name="$1" -v change="$4" -v errors="$work/errors" '{
            error = 100 * ($2 / $3 - 1)
            inside = $4 <= $3 && $3 <= $5
            printf "| %s | `%s` | %.3f | %.3f | %.3f to %.3f | %.3f%s | %+.1f %% |\n", name, change, $1, $2, $4, $5, $3, inside ? "" : " (outside)", error
            print (error < 0 ? -error : error), inside >> errors }'
}

mpicc -O2 -fopenmp -o "$work/family" tests/benchmarks/prediction/family.c
family=$work/family
waits=$build/examples/wait-states
ppm=$build/examples/ppm/ppm

echo '| case | change | before s | predicted s | range s | after s | error |'
echo '|---|---|---|---|---|---|---|'
for pattern in ring pipeline requests broadcast sum; do
    OMP_NUM_THREADS=1 compare "$pattern-balanced" 2 "$family $pattern 100 10 0.6 4096" 'balance main' "$family $pattern 100 10 0 4096"
    OMP_NUM_THREADS=1 compare "$pattern-faster" 2 "$family $pattern 100 10 0.6 4096" 'speedup main=2' "$family $pattern 100 5 0.6 4096"
done
OMP_NUM_THREADS=1 compare large-messages 2 "$family ring 100 10 0.6 4000000" 'balance main' "$family ring 100 10 0 4000000"
OMP_NUM_THREADS=2 compare team 1 "$family team 100 10 0.6 8" 'threads balanced' "$family team 100 10 0 8"
OMP_NUM_THREADS=2 compare lock 1 "$family lock 100 10 0 8" 'locks free' "$family unlocked 100 10 0 8"
for name in late_sender late_receiver wait_at_barrier wait_at_nxn late_broadcast early_reduce early_scan; do
    OMP_NUM_THREADS=1 compare "$name" 2 "$waits/$name 800" 'speedup main=2' "$waits/$name 400"
done
OMP_NUM_THREADS=2 compare openmp_barrier 1 "$waits/openmp_barrier 800" 'speedup main=2' "$waits/openmp_barrier 400"
OMP_NUM_THREADS=2 compare critical_contention 1 "$waits/critical_contention 800" 'speedup main=2' "$waits/critical_contention 400"
# alone IMBALANCE STEPS: how many seconds of a processor ppm takes in one process, the least of five runs: others only add to it.
alone() {
    local TIMEFORMAT=%U
    for _ in 1 2 3 4 5; do
        { time mpirun -n 1 "$ppm" --size 32 --steps "$2" --imbalance "$1" > "$work/output" 2>&1; } 2>&1
    done | sort -g | head -n 1
}
if [ -x "$ppm" ]; then
    # Half of the fluxes are computed twice, and nothing else: what that means for a process is measured with one alone.
    export OMP_NUM_THREADS=1
    ratio=$(awk "BEGIN { printf \"%.3f\", ($(alone 0.5 60) - $(alone 0.5 20)) / ($(alone 0 60) - $(alone 0 20)) }")
    inverse=$(awk "BEGIN { printf \"%.3f\", 1 / $ratio }")
    compare ppm-uneven 2 "$ppm --size 32 --steps 60 --imbalance 0" "cpu ratio MPI Rank 1=$inverse" "$ppm --size 32 --steps 60 --imbalance 0.5"
    compare ppm-even 2 "$ppm --size 32 --steps 60 --imbalance 0.5" "cpu ratio MPI Rank 1=$ratio" "$ppm --size 32 --steps 60 --imbalance 0"
fi
if [ -n "${LULESH:-}" ]; then
    # The change: a function that is computed twice. It writes what it reads nowhere, so that the result stays.
    mkdir "$work/before.lulesh" "$work/after.lulesh"
    cp "$LULESH"/*.cc "$LULESH"/*.h "$work/before.lulesh"
    cp "$LULESH"/*.cc "$LULESH"/*.h "$work/after.lulesh"
    sed -i 's/^ *CalcKinematicsForElems(domain, deltatime, numElem) ;/&&/' "$work/after.lulesh/lulesh.cc"
    for version in before after; do
        mpicxx -O2 -g -fopenmp -DUSE_MPI=1 -o "$work/$version.out" "$work/$version.lulesh"/*.cc
    done
    export OMP_NUM_THREADS=2
    compare LULESH 1 "$work/before.out -s 30 -i 60" 'speedup CalcKinematicsForElems=0.5' "$work/after.out -s 30 -i 60"
fi
if [ -n "${CLOVERLEAF:-}" ]; then
    # The change: one rank computes its viscosity 21 times and the other one once, or both 11 times. The result stays.
    cat > "$work/clover.in" << 'END'
*clover
 state 1 density=0.2 energy=1.0
 state 2 density=1.0 energy=2.5 geometry=rectangle xmin=0.0 xmax=5.0 ymin=0.0 ymax=2.0
 x_cells=480
 y_cells=480
 xmin=0.0
 ymin=0.0
 xmax=10.0
 ymax=10.0
 initial_timestep=0.04
 timestep_rise=1.5
 max_timestep=0.04
 end_step=60
 test_problem 2
*endclover
END
    for version in uneven even; do
        cp -r "$CLOVERLEAF" "$work/$version"
        cp "$work/clover.in" "$work/$version"
    done
    # `tile` is free there.
    sed -i 's/^ *CALL viscosity()/DO tile=1,MERGE(21,1,parallel%task.EQ.1); CALL viscosity(); END DO/' "$work/uneven/timestep.f90"
    sed -i 's/^ *CALL viscosity()/DO tile=1,11; CALL viscosity(); END DO/' "$work/even/timestep.f90"
    for version in uneven even; do
        make -s -C "$work/$version" COMPILER=GNU MPI_COMPILER=mpif90 C_MPI_COMPILER=mpicc \
            FLAGS_GNU='-O3 -g' CFLAGS_GNU='-O3 -g' > "$work/output" 2>&1
    done
    export OMP_NUM_THREADS=1
    compare CloverLeaf 2 "env -C $work/uneven ./clover_leaf" 'balance viscosity' "env -C $work/even ./clover_leaf"
fi
cut -d ' ' -f 1 "$work/errors" > "$work/sizes"
printf '\nmedian error %.1f %%, largest %.1f %%, %d of %d within their range\n' "$(median < "$work/sizes")" \
    "$(sort -g "$work/sizes" | tail -n 1)" "$(grep -c ' 1$' "$work/errors")" "$(wc -l < "$work/errors")"

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Time and memory of commands on generated experiments, against copying their input and output files in the same run.
#
#   tests/benchmarks/experiments.sh BUILD [option of holos_generate_experiment …]
#
# BUILD is a build folder with benchmarks and tests. In the environment: CUBELIB=…/bin adds CubeLib's tools, RUNS=1 makes one
# run of each instead of three, TMPDIR is where the files go. Needs GNU time.
set -eu
build=$(cd "$1" && pwd)
shift
holos=$build/bin/holos
generate=$(find "$build" -name holos_generate_experiment -type f | head -n 1)
work=$(mktemp -d "${TMPDIR:-/tmp}/holos-experiments.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

"$generate" --seed 1 "$@" -o a.cubex
"$generate" --seed 2 "$@" -o b.cubex
ls -l a.cubex | awk '{ printf "two inputs of %.0f MB\n", $5 / 1e6 }'
printf '%-28s %9s %9s %7s %9s\n' command seconds copying ratio 'peak MB'

# measure NAME INPUTS COMMAND …: the fastest run; the command writes c.cubex.
measure() {
    name=$1
    inputs=$2
    shift 2
    best=
    copying=
    for run in $(seq "${RUNS:-3}"); do
        rm -f c.cubex
        /usr/bin/time -f '%e %M' -o time "$@" > output 2>&1 || { echo "$name: failed"; tail -n 2 output; return 0; }
        read -r seconds kilobytes < time
        best=$(echo "$seconds ${best:-$seconds}" | awk '{ print $1 < $2 ? $1 : $2 }')
        /usr/bin/time -f '%e' -o time sh -c 'for file in "$@"; do cat "$file" > copy; rm copy; done' copy $inputs c.cubex
        read -r seconds < time
        copying=$(echo "$seconds ${copying:-$seconds}" | awk '{ print $1 < $2 ? $1 : $2 }')
    done
    echo "$best $copying $kilobytes" |
        awk -v name="$name" '{ printf "%-28s %9.2f %9.2f %7.2f %9.0f\n", name, $1, $2, $1 / $2, $3 / 1024 }'
}

for operation in merge mean diff; do
    measure "holos $operation" "a.cubex b.cubex" "$holos" $operation a.cubex b.cubex -o c.cubex
    if [ -n "${CUBELIB:-}" ]; then
        measure "cube_$operation" "a.cubex b.cubex" "$CUBELIB/cube_$operation" -o c a.cubex b.cubex
    fi
done
for operation in 'cut --depth 10' 'collapse --to processes' flatten; do
    measure "holos $operation" a.cubex "$holos" $operation a.cubex -o c.cubex
done

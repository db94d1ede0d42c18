#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# PAPI's own example programs, plain and recorded: papi_examples.sh HOLOS EXAMPLES [NAME…]
# EXAMPLES is the folder `examples` of Debian's package papi-examples; PAPI itself is the one of libpapi-dev. Prints
# each program with its exit status and what it says of itself (PASSED, SKIPPED, …), plain and recorded, and
# fails where these differ. 124: it took more than a minute. Some programs end and leave a stopped process behind, for
# which the recorder waits.
set -eu
holos=$1
examples=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$examples"

objects=
for source in testlib/test_utils.c testlib/do_loops.c testlib/clockcore.c ctests/prof_utils.c validation_tests/*_testcode.c \
    validation_tests/busy_work.c validation_tests/cache_helper.c validation_tests/display_error.c \
    validation_tests/matrix_multiply.c; do
  object=$work/$(basename "$source" .c).o
  gcc -O1 -w -c -Itestlib -Ivalidation_tests -o "$object" "$source" 2>/dev/null || continue
  objects="$objects $object"
done

# Exit status, and the last of the words with which PAPI's tests end.
outcome() {
  status=0
  timeout 60 "$@" TESTS_QUIET </dev/null >"$work/output" 2>&1 || status=$?
  echo "$status $(grep -aoE 'PASSED|SKIPPED|FAILED|WARNING' "$work/output" | tail -n 1)"
}

differ=0
[ $# -gt 0 ] || set -- $(cd ctests && ls -- *.c | sed 's/\.c$//' | grep -vE '^(prof_utils|mpi.*|attach_target|burn)$')
for name in "$@"; do
  # Examples define some of the helpers themselves.
  if ! gcc -O1 -w -pthread -fopenmp -Wl,--allow-multiple-definition -Itestlib -Ivalidation_tests -Ictests \
      -o "$work/$name" "ctests/$name.c" $objects -lpapi -ldl -lm -lrt 2>/dev/null; then
    echo "$name: cannot be built alone"
    continue
  fi
  plain=$(outcome "$work/$name")
  rm -rf "$work/run"
  recorded=$(outcome "$holos" record -o "$work/run" --counters page-faults,ru_minflt -- "$work/$name")
  waits=
  if grep -aq 'the program ended, but not all that it started' "$work/output"; then
    waits=', and waits for what it left behind'
    recorded="${plain%% *} ${recorded#* }"
  fi
  echo "$name: $plain; recorded: $recorded$waits"
  [ "$plain" = "$recorded" ] || differ=1
done
exit $differ

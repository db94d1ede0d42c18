#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs the library of the build into an empty folder, moves it, and uses it as another project would.
#
#   library_test.sh CASE BUILD SOURCES
#
# Cases: headers, symbols, examples, pkg-config
set -euo pipefail
build=$(realpath "$2") sources=$(realpath "$3")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for component in runtime library; do
  cmake --install "$build" --component "$component" --prefix "$folder/first" >>"$folder/install.log"
done
mv "$folder/first" "$folder/holos"
prefix=$folder/holos
libraries=$(dirname "$(find "$prefix" -name 'libholos.*' -print -quit)")
cd "$folder"

# Headers of the standard library have neither a folder nor an ending.
headers_include_the_standard_library_and_each_other() {
  if grep -rnE '#include (".*"|<(.*/.*|.*\..*)>)' "$prefix/include" | grep -v '#include <holos/'; then return 1; fi
  grep -rhoE '#include <holos/.*>' "$prefix/include" | sort -u | sed 's/#include <\(.*\)>/\1/' >included
  while read -r header; do [ -f "$prefix/include/$header" ]; done <included
}

# Functions are declared at the beginning of a line, as nothing is indented by namespaces.
symbols_are_those_that_the_headers_declare() {
  [ -f "$libraries/libholos.so" ] || { echo 'the library is a static one'; exit 77; }
  nm -DC --defined-only "$libraries/libholos.so" | cut -c 20- >exported
  if grep -vE '^((typeinfo|typeinfo name|vtable) for )?holos::' exported; then return 1; fi
  grep -rhE '^[A-Za-z][^=]* [A-Za-z]+\(' "$prefix/include" | grep -v '^inline' | sed -E 's/^[^(]* ([A-Za-z]+)\(.*/\1/' |
    sort -u >declared
  grep -qx mean declared
  while read -r name; do
    grep -qE "^holos::(algebra::)?$name(\[abi:cxx11\])?\(" exported || { echo "$name is declared, and not exported"; return 1; }
  done <declared
  readelf -d "$libraries/libholos.so" | grep -E 'SONAME.*\[libholos\.so\.[0-9]+\.[0-9]+\]'
}

unpack_trace() {
  tar -xf "$sources/tests/conformance/archives/holos-p2p.tar.xz"
  trace=$(dirname "$(find . -name traces.otf2 -print -quit)")
}

examples_build_and_agree_with_the_commands() {
  cmake -S "$sources/examples/library" -B build -DCMAKE_PREFIX_PATH="$prefix" >configure.log || { cat configure.log; return 1; }
  cmake --build build --parallel 2 >build.log || { cat build.log; return 1; }
  unpack_trace
  build/analyze_trace "$trace" own.cubex >waits
  grep -q '^mpi_latesender [0-9]' waits
  "$build/bin/holos" analyze "$trace" -o expected.cubex
  for file in own expected; do "$build/bin/holos" show $file.cubex --format csv >$file.csv; done
  diff own.csv expected.csv
  build/compare_runs own.cubex expected.cubex expected.cubex change.cubex >change
  grep -qx 'time: +0 s' change
  build/show_metric own.cubex visits >metrics
  grep -qE '^time [0-9.e+-]+ sec$' metrics
  if build/show_metric missing.cubex time 2>message; then return 1; fi
  grep -q missing.cubex message
}

one_call_of_the_compiler_is_enough_with_pkg_config() {
  command -v pkg-config >/dev/null || { echo 'there is no pkg-config'; exit 77; }
  export PKG_CONFIG_PATH=$libraries/pkgconfig
  static=()
  [ -f "$libraries/libholos.so" ] || static=(--static)
  # shellcheck disable=SC2046
  c++ -std=c++20 "$sources/examples/library/analyze_trace.cpp" -o analyze_trace \
    $(pkg-config "${static[@]}" --cflags --libs holos) -Wl,-rpath,"$libraries"
  unpack_trace
  ./analyze_trace "$trace" own.cubex
  [ "$(pkg-config --modversion holos)" = "$(sed -n 's/^project(Holos VERSION \([0-9.]*\) .*/\1/p' "$sources/CMakeLists.txt")" ]
}

case $1 in
  headers) headers_include_the_standard_library_and_each_other ;;
  symbols) symbols_are_those_that_the_headers_declare ;;
  examples) examples_build_and_agree_with_the_commands ;;
  pkg-config) one_call_of_the_compiler_is_enough_with_pkg_config ;;
  *) exit 2 ;;
esac

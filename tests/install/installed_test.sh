#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Packs what the build installs, unpacks it elsewhere, and uses it as a user would: builds programs with
# find_package(Holos), records one of them, analyzes, and reads the experiment with the other; compiles a program for
# its functions and records it; builds an example, and counts in Python.
#
#   installed_test.sh BUILD CONSUMER EXAMPLES
set -euo pipefail
build=$(realpath "$1") consumer=$(realpath "$2") examples=$(realpath "$3")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cpack --config "$build/CPackConfig.cmake" -B "$folder/packed" >"$folder/pack.log" || { cat "$folder/pack.log"; exit 1; }
mkdir "$folder/unpacked"
tar -xf "$folder"/packed/*.tar.gz -C "$folder/unpacked"
rm -r "$folder/packed"
prefix=$(echo "$folder"/unpacked/holos-*)

cmake -S "$consumer" -B "$folder/build" -DCMAKE_PREFIX_PATH="$prefix" >"$folder/configure.log"
cmake --build "$folder/build" >"$folder/build.log" || { cat "$folder/build.log"; exit 1; }

cd "$folder"
"$prefix/bin/holos" record -o run -- build/marked
"$prefix/bin/holos" analyze run
build/total run/analysis.cubex | tee visits
grep -qx 'work 3' visits

echo 'int main(void) { return 0; }' >main.c
"$prefix/bin/holos" cc -- cc -O2 main.c -o compiled
"$prefix/bin/holos" record -o compiled_run -- ./compiled

# What is loaded at run time lies in a folder of its version, and nothing looks for libraries where it was built.
[ -f "$(echo "$prefix"/lib*/holos-0.*/libholos-tracing.so)" ]
for file in "$prefix"/bin/* "$prefix"/lib*/*.so "$prefix"/lib*/holos-0.*/*.so; do
  if readelf -d "$file" | grep -E 'R(UN)?PATH' | grep -F "$build"; then exit 1; fi
done

cmake -S "$examples" -B examples -DCMAKE_PREFIX_PATH="$prefix" >configure_examples.log
cmake --build examples --target own_counters_fortran sensors >examples.log || { cat examples.log; exit 1; }
PYTHONPATH=$prefix/share/holos/python python3 -c 'import holos_counters'

# The module file leads to folders of the installation, where something can read it.
lua=$(for name in lua lua5.4 lua5.3 lua5.1; do command -v $name && break; done || true)
if [ -n "$lua" ]; then
  sed "s|^local root = .*|local root = \"$prefix\"|" "$examples/../scripts/modulefile.lua" >module.lua
  cat >load.lua <<'END'
function pathJoin(...) return table.concat({...}, "/") end
function isDir(folder) return io.open(folder .. "/.") ~= nil end
function help() end
function whatis() end
found = {}
function prepend_path(name, folder) if isDir(folder) then found[name] = (found[name] or 0) + 1 end end
dofile("module.lua")
for name, folders in pairs({PATH = 1, CMAKE_PREFIX_PATH = 1, PKG_CONFIG_PATH = 1, PYTHONPATH = tonumber(arg[1])}) do
  assert(found[name] == folders, name .. " has " .. tostring(found[name]) .. " folders")
end
END
  "$lua" load.lua $((1 + $(find "$prefix" -path '*/site-packages/holos' | wc -l)))
fi

[ -f "$prefix/share/bash-completion/completions/holos" ] || { echo 'no manual: help2man is not installed'; exit 77; }
man=$prefix/share/man/man1
for command in $("$prefix/bin/holos" --help | sed -n '/^Measure:/,$s/^  \([a-z]*\) .*/\1/p'); do
  grep -q '^.SH SYNOPSIS' "$man/holos-$command.1"
done

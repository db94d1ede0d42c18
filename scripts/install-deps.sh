#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs every Debian package that Holos needs. The single list of packages.
#
#   scripts/install-deps.sh            to build and run
#   scripts/install-deps.sh --tests    in addition: all tests and benchmarks, with a second MPI and a second compiler
#   scripts/install-deps.sh --checks   in addition: format, static checks, sanitizers, fuzzing
#   scripts/install-deps.sh --packages in addition: what builds Debian's packages
#   scripts/install-deps.sh --aarch64  only what scripts/test-aarch64.sh needs
set -euo pipefail

packages=(
  # compilers and build
  g++ gfortran make cmake ninja-build ccache pkg-config python3 git
  # tracing: OTF2, MPI, OpenMP (libomp has OMPT), counters, machine topology, debug information, machine code
  libopen-trace-format2-dev otf2-tools openmpi-bin libopenmpi-dev libomp-dev libpapi-dev libhwloc-dev libdw-dev libzydis-dev
  # experiments and analysis
  libxml2-dev zlib1g-dev libboost-graph-dev libboost-regex-dev libtbb-dev libsqlite3-dev
  # command line
  libcli11-dev libfmt-dev nlohmann-json3-dev libprotozero-dev libncurses-dev help2man
  # package of Python
  pybind11-dev python3-dev
  # browser
  qt6-base-dev qt6-svg-dev qt6-qpa-plugins libgl-dev fonts-dejavu-core
)
tests=(clang mpich libmpich-dev libgtest-dev libgmock-dev libbenchmark-dev libpfm4-dev python3-mpi4py
  # stacks that are switched
  libboost-context-dev libboost-coroutine-dev libboost-fiber-dev python3-greenlet python3-gevent
  # the browser on a display: an X server without a screen, a window manager, mouse and keys
  xvfb openbox libxcb1-dev libxcb-xtest0-dev
  # what screen readers are told: a bus of its own
  at-spi2-core dbus-daemon
  # disks that lose what was written
  libfuse3-dev fuse3
  # recordings on a file system that copies on write, and on one that is shut down
  btrfs-progs xfsprogs dwz
  # what the package of Python hands values to
  python3-pandas python3-xarray python3-matplotlib
  # archives that tests unpack
  xz-utils)
checks=(clang-format clang-tidy libclang-rt-dev shellcheck valgrind)
debian=(build-essential debhelper dh-python lintian mpich libmpich-dev)
aarch64=(g++-aarch64-linux-gnu qemu-user libgtest-dev libgmock-dev)

case "${1:-}" in
  "") ;;
  --tests) packages+=("${tests[@]}") ;;
  --checks) packages+=("${tests[@]}" "${checks[@]}") ;;
  --packages) packages+=("${debian[@]}") ;;
  --aarch64) packages=("${aarch64[@]}") ;;
  *) echo "usage: scripts/install-deps.sh [--tests | --checks | --packages | --aarch64]" >&2; exit 2 ;;
esac

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

root=()
[ "$(id -u)" -eq 0 ] || root=(sudo)
command -v apt-get >/dev/null || {
  echo "install-deps.sh: no apt-get here; install by hand: ${missing[*]}" >&2
  exit 1
}
export DEBIAN_FRONTEND=noninteractive
echo "installing: ${missing[*]}"
"${root[@]}" apt-get update -qq
"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds Debian's packages of this checkout (debian/), and tries them where nothing else is.
#
#   scripts/packages.sh [FOLDER]        builds, and has lintian look at them; the packages go to FOLDER, build/packages unless given
#   scripts/packages.sh --try [FOLDER]  installs those of FOLDER into an empty Debian below it, runs debian/tests there as
#                                       a user, without the sources, and removes them again (as root; 2 GB)
set -euo pipefail
preset=
# shellcheck source=scripts/options.sh
source "$(dirname "$0")/options.sh"
try=no
[ "${1:-}" != --try ] || { try=yes; shift; }
folder=$(realpath -m "${1:-$(dirname "$0")/../build/packages}")
# shellcheck source=scripts/environment.sh
source "$(dirname "$0")/environment.sh"
# shellcheck source=/dev/null
release=$(. /etc/os-release && echo "$VERSION_CODENAME")

build() {
  scripts/install-deps.sh --packages
  # A copy of what git knows: nothing that was built here gets into a package.
  rm -rf "$folder/source"
  mkdir -p "$folder/source/holos"
  git ls-files -z | xargs -0 cp --parents -t "$folder/source/holos"
  say "build the packages"
  (cd "$folder/source/holos" && CCACHE_DIR=${CCACHE_DIR:-$HOME/.cache/ccache} DEB_BUILD_OPTIONS=noautodbgsym dpkg-buildpackage -us -uc -b)
  mv "$folder"/source/*.deb "$folder"
  rm -rf "$folder/source"
  lintian --allow-root --display-info --fail-on error,warning "$folder"/*.deb
  ls "$folder"/*.deb
}

try_installed() {
  command -v debootstrap >/dev/null || { echo "--try needs debootstrap: apt-get install debootstrap" >&2; exit 2; }
  root=$folder/empty
  trap 'umount "$root/proc" "$root/sys" "$root/dev/shm" 2>/dev/null || true' EXIT
  say "an empty Debian"
  # Packages come from where this machine has its own from.
  # shellcheck disable=SC2016 # the format is for apt-get
  [ -x "$root/usr/bin/apt-get" ] ||
    debootstrap --variant=minbase "$release" "$root" \
      "$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)" >"$folder/debootstrap.log"
  cp -r /etc/apt/. "$root/etc/apt/"
  mount -t proc proc "$root/proc"
  mount -t sysfs -o ro sysfs "$root/sys"
  mkdir -p "$root/dev/shm"
  mount -t tmpfs tmpfs "$root/dev/shm"
  mkdir -p "$root/packages"
  cp "$folder"/*.deb "$root/packages"
  say "install"
  chroot "$root" sh -c 'export DEBIAN_FRONTEND=noninteractive; apt-get update -q &&
    apt-get install -yq --no-install-recommends /packages/*.deb cmake make g++ gfortran openmpi-bin libopenmpi-dev fonts-dejavu-core' \
    >"$folder/install.log" 2>&1 || { tail -n 20 "$folder/install.log"; exit 1; }
  chroot "$root" sh -c 'id user >/dev/null 2>&1 || useradd -m user'
  cp -r --parents debian/tests tests/install/consumer "$root/packages/"
  for test in demo library; do
    say "$test, as another user"
    as_user "$root" "cd /packages && sh debian/tests/$test"
  done
  say "removed again"
  mapfile -t names < <(for package in "$folder"/*.deb; do dpkg-deb --field "$package" Package; done)
  chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get purge -yq "${names[@]}" >>"$folder/install.log" 2>&1
  left=$(find "$root" -xdev \( -path "$root/home" -o -path "$root/packages" -o -path "$root/tmp" \) -prune -o -iname '*holos*' -print)
  [ -z "$left" ] || { printf 'left behind:\n%s\n' "$left" >&2; exit 1; }
}

# as_user ROOT COMMAND: there, with Open MPI as environment.sh has it.
as_user() {
  chroot "$1" su - user -c "export OMP_WAIT_POLICY=passive OMPI_MCA_btl=self,vader \
    OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_plm_rsh_agent=/bin/false \
    OMPI_MCA_mpi_yield_when_idle=1; $2"
}

if [ "$try" = yes ]; then try_installed; else build; fi

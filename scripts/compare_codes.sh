#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Whether real programs that nobody prepared have the call paths of the same programs compiled by `holos cc`: builds each
# with -O0 -g and -O2 -g, by gcc and, where there is no Fortran in it, clang; records each build on a small problem, and
# compares (compare_call_paths.py): how often MPI is called by each path, and the path of each call that communicates. Needs a
# few minutes, Open MPI, gfortran, and a build with tests. Exit code 1: some paths differ.
#
#   scripts/compare_codes.sh HOLOS SOURCES [CODE…]
#
# HOLOS: the command, as build/ci/bin/holos. SOURCES: a folder with checkouts of these repositories, by their names:
#   LLNL/LULESH  UK-MAC/CloverLeaf_ref  ECP-copa/CoMD  hpcg-benchmark/hpcg  tpatki/NPB3.3.1-MZ
# CODE: lulesh, clover, comd, hpcg, bt, sp or lu; all of them without it.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '3,12p' "$0" >&2; exit 2; }
holos=$(realpath "$1") sources=$(realpath "$2")
shift 2
codes=("$@")
[ $# -gt 0 ] || codes=(lulesh clover comd hpcg bt sp lu)
export OMP_NUM_THREADS=2
# shellcheck source=scripts/environment.sh
source "$(dirname "$0")/environment.sh"
here=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Each builds a program into the file $1, in a copy of its sources, by `"${compiler[@]}" mpicc` and the like with the flags.
build_lulesh() {
  cd "$scratch/LULESH"
  "${compiler[@]}" mpicxx "${flags[@]}" -fopenmp -DUSE_MPI=1 -DOMPI_SKIP_MPICXX -Wl,--as-needed lulesh*.cc -o "$1"
}
build_clover() {
  cd "$scratch/CloverLeaf_ref"
  make -s clean
  make -s COMPILER=GNU MPI_COMPILER="${compiler[*]} mpif90" C_MPI_COMPILER="${compiler[*]} mpicc" OMP_GNU=-fopenmp \
    FLAGS_GNU="${flags[*]}" CFLAGS_GNU="${flags[*]}"
  cp clover_leaf "$1"
  printf '%s\n' '*clover' 'state 1 density=0.2 energy=1.0' 'x_cells=60' 'y_cells=60' 'xmin=0.0' 'ymin=0.0' 'xmax=10.0' \
    'ymax=10.0' 'state 2 density=1.0 energy=2.5 geometry=rectangle xmin=0.0 xmax=5.0 ymin=0.0 ymax=2.0' \
    'initial_timestep=0.04' 'timestep_rise=1.5' 'max_timestep=0.04' 'end_step=20' '*endclover' >clover.in
}
build_comd() {
  cd "$scratch/CoMD/src-mpi"
  bash ./generate_info_header CoMD x x x >/dev/null
  "${compiler[@]}" mpicc "${flags[@]}" -std=c99 -DDOUBLE -DDO_MPI ./*.c -o "$1" -lm
  cd ..
}
build_hpcg() {
  cd "$scratch/hpcg/src"
  mapfile -t files < <(printf '%s\n' ./*.cpp | grep -v testing)
  "${compiler[@]}" mpicxx "${flags[@]}" -fopenmp -DOMPI_SKIP_MPICXX -Wl,--as-needed -I. "${files[@]}" -o "$1"
}
build_npb() { # PROGRAM FILE
  cd "$scratch/NPB3.3.1-MZ/NPB3.3-MZ-MPI"
  mkdir -p bin
  make -s clean
  make -s "$1-mz" CLASS=S NPROCS=2 F77="${compiler[*]} mpif77" FLINK="${compiler[*]} mpif77" \
    FFLAGS="${flags[*]} -fopenmp -std=legacy" FLINKFLAGS=-fopenmp
  cp bin/"$1"-mz.S.2 "$2"
}
build() { # FILE
  case $code in
    lulesh) build_lulesh "$1" ;;
    clover) build_clover "$1" ;;
    comd) build_comd "$1" ;;
    hpcg) build_hpcg "$1" ;;
    bt | sp | lu) build_npb "$code" "$1" ;;
  esac
  [ -x "$1" ]
}

declare -A folder=([lulesh]=LULESH [clover]=CloverLeaf_ref [comd]=CoMD [hpcg]=hpcg [bt]=NPB3.3.1-MZ [sp]=NPB3.3.1-MZ [lu]=NPB3.3.1-MZ)
declare -A ranks=([lulesh]=8 [clover]=2 [comd]=2 [hpcg]=2 [bt]=2 [sp]=2 [lu]=2)
declare -A words=([lulesh]="-s 4 -i 10" [comd]="-x 10 -y 10 -z 10 -N 10 -i 2 -j 1" [hpcg]="16 16 16 0")

# recorded NAME [OPTION…]: records the program of that name on two or eight ranks, in the folder that is the present one.
recorded() {
  local name=$1 arguments
  read -ra arguments <<<"${words[$code]:-}"
  "$holos" record --force "${@:2}" -o "$scratch/$name.run" -- mpirun -n "${ranks[$code]}" "$scratch/$name" \
    "${arguments[@]}" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; return 1; }
  "$holos" analyze --no-causes --spec none -o "$scratch/$name.cubex" "$scratch/$name.run" >"$scratch/log" 2>&1
}

differs=0
for code in "${codes[@]}"; do
  cp -r "$sources/${folder[$code]}" "$scratch"
  families=(gcc)
  case $code in lulesh | comd | hpcg) ! command -v clang >/dev/null || families+=(clang) ;; esac
  compiler=("$holos" cc --smallest 0 --inline-too --) flags=(-O1 -g -w)
  build "$scratch/$code.instrumented" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
  recorded "$code.instrumented" --call-paths none --throttle 0
  others=() runs=()
  for family in "${families[@]}"; do
    for level in O0 O2; do
      compiler=(env) flags=("-$level" -g -w)
      [ "$family" = gcc ] || compiler=(env OMPI_CC=clang OMPI_CXX=clang++)
      build "$scratch/$code.$family.$level" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
      recorded "$code.$family.$level"
      others+=("$scratch/$code.$family.$level.cubex") runs+=("$scratch/$code.$family.$level.run")
    done
  done
  say "$code"
  "$here/scripts/compare_call_paths.py" --holos "$holos" "$scratch/$code.instrumented.cubex" "${others[@]}" || differs=1
  "$here/scripts/compare_call_paths.py" --each-call "${holos%/*}/holos_list_calls" "$scratch/$code.instrumented.run" "${runs[@]}" ||
    differs=1
  cd "$here"
  rm -rf "${scratch:?}/${folder[$code]}" "$scratch/$code".*
done
exit $differs

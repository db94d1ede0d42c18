# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# For the scripts beside the examples: puts holos and the examples of the newest build into PATH, unless holos is
# there already, and lets MPI and OpenMP programs have more ranks and threads than processors. Source it.

examples=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if ! command -v holos > /dev/null; then
  newest=$(ls -t "$examples"/../build/*/bin/holos 2> /dev/null | head -1)
  if [ -z "$newest" ]; then
    echo "no holos in PATH and no build: cmake --preset release && cmake --build build/release" >&2
    exit 1
  fi
  build=$(cd "$(dirname "$newest")/.." && pwd)
  PATH=$build/bin:$PATH
else
  build=$(cd "$(dirname "$(command -v holos)")/.." && pwd)
fi
for folder in "$build"/examples/*/; do PATH=$PATH:${folder%/}; done
export PATH OMP_WAIT_POLICY=passive
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
case "$(mpirun --version 2> /dev/null)" in  # 6 complains of the name of 5
  *"Open MPI) 5"*) export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe ;;
  *) export PRTE_MCA_mapby=:oversubscribe ;;
esac

# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# What every script here starts with: the project's top folder, and an environment in which MPI and OpenMP
# programs run on a small machine with more ranks and threads than cores. Source it.

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

export OMP_WAIT_POLICY=passive OMP_NUM_THREADS="${OMP_NUM_THREADS:-2}"

# Open MPI: as root, oversubscribed, on one machine without ssh, in containers without ptrace.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_plm_rsh_agent=/bin/false
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_btl="self,vader"
# Open MPI 4.1's osc/rdma shares one file among all jobs of a host: two jobs with windows at a time fail. Open MPI 5 has no
# other part for memory that a program brings itself and several threads; its part for UCX complains where there is no network,
# and with its treematch MPI_Dist_graph_create may hang (seen with 5.0.7) in programs that hold a duplicate of MPI_COMM_WORLD,
# as recorded ones do. What Open MPI 5 and 6 leave to PRRTE has other names, and 6 complains of the names of 5.
case "$(mpirun --version 2>/dev/null)" in
    *"Open MPI) 4"*) export OMPI_MCA_osc=^rdma ;;
    *"Open MPI) 5"*)
        export OMPI_MCA_osc=^ucx OMPI_MCA_topo=^treematch PRTE_MCA_plm_ssh_agent=/bin/false
        export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none ;;
    *)
        export OMPI_MCA_osc=^ucx OMPI_MCA_topo=^treematch PRTE_MCA_plm_ssh_agent=/bin/false
        export PRTE_MCA_mapby=:oversubscribe PRTE_MCA_bindto=none ;;
esac

say() { printf '\n\033[1m== %s\033[0m\n' "$*"; }

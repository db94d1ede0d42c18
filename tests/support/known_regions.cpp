// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/known_regions.h"

#include <array>
#include <stdexcept>
#include <utility>

namespace holos::testing {
namespace {

using Role = std::pair<std::string_view, OTF2_RegionRole>;

constexpr std::array kMpiRoles{
    Role{"Send", OTF2_REGION_ROLE_POINT2POINT},
    Role{"Ssend", OTF2_REGION_ROLE_POINT2POINT},
    Role{"Bsend", OTF2_REGION_ROLE_POINT2POINT},
    Role{"Rsend", OTF2_REGION_ROLE_POINT2POINT},
    Role{"Isend", OTF2_REGION_ROLE_POINT2POINT},
    Role{"Recv", OTF2_REGION_ROLE_POINT2POINT},
    Role{"Irecv", OTF2_REGION_ROLE_POINT2POINT},
    Role{"Sendrecv", OTF2_REGION_ROLE_POINT2POINT},
    Role{"Neighbor_allgather", OTF2_REGION_ROLE_POINT2POINT},  // as Holos records it, by its messages
    Role{"Barrier", OTF2_REGION_ROLE_BARRIER},
    Role{"Bcast", OTF2_REGION_ROLE_COLL_ONE2ALL},
    Role{"Scatter", OTF2_REGION_ROLE_COLL_ONE2ALL},
    Role{"Scatterv", OTF2_REGION_ROLE_COLL_ONE2ALL},
    Role{"Gather", OTF2_REGION_ROLE_COLL_ALL2ONE},
    Role{"Gatherv", OTF2_REGION_ROLE_COLL_ALL2ONE},
    Role{"Reduce", OTF2_REGION_ROLE_COLL_ALL2ONE},
    Role{"Allgather", OTF2_REGION_ROLE_COLL_ALL2ALL},
    Role{"Allgatherv", OTF2_REGION_ROLE_COLL_ALL2ALL},
    Role{"Allreduce", OTF2_REGION_ROLE_COLL_ALL2ALL},
    Role{"Alltoall", OTF2_REGION_ROLE_COLL_ALL2ALL},
    Role{"Alltoallv", OTF2_REGION_ROLE_COLL_ALL2ALL},
    Role{"Alltoallw", OTF2_REGION_ROLE_COLL_ALL2ALL},
    Role{"Neighbor_alltoall", OTF2_REGION_ROLE_COLL_ALL2ALL},  // as others do
    Role{"Reduce_scatter", OTF2_REGION_ROLE_COLL_ALL2ALL},
    Role{"Reduce_scatter_block", OTF2_REGION_ROLE_COLL_ALL2ALL},
    Role{"Scan", OTF2_REGION_ROLE_COLL_OTHER},
    Role{"Exscan", OTF2_REGION_ROLE_COLL_OTHER},
};

constexpr std::array kOpenMpRoles{
    Role{"parallel", OTF2_REGION_ROLE_PARALLEL},
    Role{"barrier", OTF2_REGION_ROLE_BARRIER},
    Role{"implicit barrier", OTF2_REGION_ROLE_IMPLICIT_BARRIER},
    Role{"for", OTF2_REGION_ROLE_LOOP},
    Role{"master", OTF2_REGION_ROLE_MASTER},
    Role{"single", OTF2_REGION_ROLE_SINGLE},
    Role{"critical", OTF2_REGION_ROLE_CRITICAL},
    Role{"critical sblock", OTF2_REGION_ROLE_CRITICAL_SBLOCK},
    Role{"ordered", OTF2_REGION_ROLE_ORDERED},
    Role{"flush", OTF2_REGION_ROLE_FLUSH},
};

template <std::size_t N>
OTF2_RegionRole find(const std::array<Role, N>& roles, std::string_view name) {
    for (const auto& [known, role] : roles)
        if (known == name) return role;
    return OTF2_REGION_ROLE_FUNCTION;
}

}  // namespace

RegionKind kindOf(std::string_view regionName) {
    constexpr std::string_view kMpi = "MPI_";
    constexpr std::string_view kOpenMp = "!$omp ";
    if (regionName.starts_with(kMpi))
        return {OTF2_PARADIGM_MPI, find(kMpiRoles, regionName.substr(kMpi.size())), "MPI"};
    if (regionName.starts_with(kOpenMp)) {
        const auto construct = regionName.substr(kOpenMp.size());
        return {OTF2_PARADIGM_OPENMP, find(kOpenMpRoles, construct.substr(0, construct.find(" @"))),
                "test.c"};
    }
    if (regionName == "NO MORE EVENTS")
        return {OTF2_PARADIGM_MEASUREMENT_SYSTEM, OTF2_REGION_ROLE_ARTIFICIAL, ""};
    if (regionName.starts_with("omp_")) return {OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_WRAPPER, "OMP"};
    return {};
}

std::string functionOf(OTF2_CollectiveOp operation) {
    switch (operation) {
        case OTF2_COLLECTIVE_OP_BARRIER:
            return "MPI_Barrier";
        case OTF2_COLLECTIVE_OP_BCAST:
            return "MPI_Bcast";
        case OTF2_COLLECTIVE_OP_GATHER:
            return "MPI_Gather";
        case OTF2_COLLECTIVE_OP_GATHERV:
            return "MPI_Gatherv";
        case OTF2_COLLECTIVE_OP_SCATTER:
            return "MPI_Scatter";
        case OTF2_COLLECTIVE_OP_SCATTERV:
            return "MPI_Scatterv";
        case OTF2_COLLECTIVE_OP_ALLGATHER:
            return "MPI_Allgather";
        case OTF2_COLLECTIVE_OP_ALLGATHERV:
            return "MPI_Allgatherv";
        case OTF2_COLLECTIVE_OP_ALLTOALL:
            return "MPI_Alltoall";
        case OTF2_COLLECTIVE_OP_ALLTOALLV:
            return "MPI_Alltoallv";
        case OTF2_COLLECTIVE_OP_ALLTOALLW:
            return "MPI_Alltoallw";
        case OTF2_COLLECTIVE_OP_ALLREDUCE:
            return "MPI_Allreduce";
        case OTF2_COLLECTIVE_OP_REDUCE:
            return "MPI_Reduce";
        case OTF2_COLLECTIVE_OP_REDUCE_SCATTER:
            return "MPI_Reduce_scatter";
        case OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK:
            return "MPI_Reduce_scatter_block";
        case OTF2_COLLECTIVE_OP_SCAN:
            return "MPI_Scan";
        case OTF2_COLLECTIVE_OP_EXSCAN:
            return "MPI_Exscan";
        default:
            throw std::invalid_argument("no MPI function is known for this collective operation");
    }
}

}  // namespace holos::testing

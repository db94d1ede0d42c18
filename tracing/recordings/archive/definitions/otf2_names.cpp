// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/definitions/otf2_names.h"

#include <iterator>

namespace holos::archive {

using tracing::Collective;
using tracing::Paradigm;
using tracing::RmaAtomic;
using tracing::Role;

namespace {

template <class Ours, class Theirs>
struct Word {
    Ours ours;
    Theirs theirs;
};

/// What OTF2 calls `ours`.
template <class Ours, class Theirs, std::size_t kWords>
Theirs theirs(const Word<Ours, Theirs> (&words)[kWords], Ours ours, Theirs otherwise) {
    for (const auto& word : words)
        if (word.ours == ours) return word.theirs;
    return otherwise;
}

constexpr Word<Paradigm, OTF2_Paradigm> kParadigms[] = {
    {Paradigm::User, OTF2_PARADIGM_USER},       {Paradigm::Compiler, OTF2_PARADIGM_COMPILER},
    {Paradigm::Mpi, OTF2_PARADIGM_MPI},         {Paradigm::OpenMp, OTF2_PARADIGM_OPENMP},
    {Paradigm::Pthread, OTF2_PARADIGM_PTHREAD}, {Paradigm::Measurement, OTF2_PARADIGM_MEASUREMENT_SYSTEM},
    {Paradigm::System, OTF2_PARADIGM_NONE},
};
static_assert(std::size(kParadigms) == static_cast<std::size_t>(Paradigm::System) + 1);

constexpr Word<Role, OTF2_RegionRole> kRoles[] = {
    {Role::Function, OTF2_REGION_ROLE_FUNCTION},
    {Role::Phase, OTF2_REGION_ROLE_CODE},
    {Role::Code, OTF2_REGION_ROLE_CODE},
    {Role::Wrapper, OTF2_REGION_ROLE_WRAPPER},
    {Role::Parallel, OTF2_REGION_ROLE_PARALLEL},
    {Role::Loop, OTF2_REGION_ROLE_LOOP},
    {Role::Sections, OTF2_REGION_ROLE_SECTIONS},
    {Role::Single, OTF2_REGION_ROLE_SINGLE},
    {Role::Master, OTF2_REGION_ROLE_MASTER},
    {Role::Workshare, OTF2_REGION_ROLE_WORKSHARE},
    {Role::Critical, OTF2_REGION_ROLE_CRITICAL},
    {Role::CriticalBlock, OTF2_REGION_ROLE_CRITICAL_SBLOCK},
    {Role::Atomic, OTF2_REGION_ROLE_ATOMIC},
    {Role::Ordered, OTF2_REGION_ROLE_ORDERED},
    {Role::OrderedBlock, OTF2_REGION_ROLE_ORDERED_SBLOCK},
    {Role::Barrier, OTF2_REGION_ROLE_BARRIER},
    {Role::ImplicitBarrier, OTF2_REGION_ROLE_IMPLICIT_BARRIER},
    {Role::Task, OTF2_REGION_ROLE_TASK},
    {Role::TaskCreate, OTF2_REGION_ROLE_TASK_CREATE},
    {Role::TaskWait, OTF2_REGION_ROLE_TASK_WAIT},
    {Role::Flush, OTF2_REGION_ROLE_FLUSH},
    {Role::PointToPoint, OTF2_REGION_ROLE_POINT2POINT},
    {Role::CollectiveOneToAll, OTF2_REGION_ROLE_COLL_ONE2ALL},
    {Role::CollectiveAllToOne, OTF2_REGION_ROLE_COLL_ALL2ONE},
    {Role::CollectiveAllToAll, OTF2_REGION_ROLE_COLL_ALL2ALL},
    {Role::CollectiveOther, OTF2_REGION_ROLE_COLL_OTHER},
    {Role::Rma, OTF2_REGION_ROLE_RMA},
    {Role::FileIo, OTF2_REGION_ROLE_FILE_IO},
    {Role::Artificial, OTF2_REGION_ROLE_ARTIFICIAL},
    {Role::Program, OTF2_REGION_ROLE_ARTIFICIAL},
    {Role::DataTransfer, OTF2_REGION_ROLE_DATA_TRANSFER},
    {Role::Allocate, OTF2_REGION_ROLE_ALLOCATE},
    {Role::Initialize, OTF2_REGION_ROLE_FUNCTION},
    {Role::Finalize, OTF2_REGION_ROLE_FUNCTION},
    {Role::ThreadCreate, OTF2_REGION_ROLE_THREAD_CREATE},
    {Role::ThreadWait, OTF2_REGION_ROLE_THREAD_WAIT},
    {Role::Lock, OTF2_REGION_ROLE_WRAPPER},
};
static_assert(std::size(kRoles) == static_cast<std::size_t>(Role::ThreadWait) + 1);

constexpr Word<RmaAtomic, OTF2_RmaAtomicType> kAtomics[] = {
    {RmaAtomic::Accumulate, OTF2_RMA_ATOMIC_TYPE_ACCUMULATE},
    {RmaAtomic::CompareAndSwap, OTF2_RMA_ATOMIC_TYPE_COMPARE_AND_SWAP},
    {RmaAtomic::FetchAndAccumulate, OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE},
};
static_assert(std::size(kAtomics) == static_cast<std::size_t>(RmaAtomic::FetchAndAccumulate) + 1);

constexpr Word<Collective, OTF2_CollectiveOp> kOperations[] = {
    {Collective::Barrier, OTF2_COLLECTIVE_OP_BARRIER},
    {Collective::Bcast, OTF2_COLLECTIVE_OP_BCAST},
    {Collective::Gather, OTF2_COLLECTIVE_OP_GATHER},
    {Collective::Gatherv, OTF2_COLLECTIVE_OP_GATHERV},
    {Collective::Scatter, OTF2_COLLECTIVE_OP_SCATTER},
    {Collective::Scatterv, OTF2_COLLECTIVE_OP_SCATTERV},
    {Collective::Allgather, OTF2_COLLECTIVE_OP_ALLGATHER},
    {Collective::Allgatherv, OTF2_COLLECTIVE_OP_ALLGATHERV},
    {Collective::Alltoall, OTF2_COLLECTIVE_OP_ALLTOALL},
    {Collective::Alltoallv, OTF2_COLLECTIVE_OP_ALLTOALLV},
    {Collective::Alltoallw, OTF2_COLLECTIVE_OP_ALLTOALLW},
    {Collective::Allreduce, OTF2_COLLECTIVE_OP_ALLREDUCE},
    {Collective::Reduce, OTF2_COLLECTIVE_OP_REDUCE},
    {Collective::ReduceScatter, OTF2_COLLECTIVE_OP_REDUCE_SCATTER},
    {Collective::ReduceScatterBlock, OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK},
    {Collective::Scan, OTF2_COLLECTIVE_OP_SCAN},
    {Collective::Exscan, OTF2_COLLECTIVE_OP_EXSCAN},
    {Collective::CreateHandle, OTF2_COLLECTIVE_OP_CREATE_HANDLE},
    {Collective::DestroyHandle, OTF2_COLLECTIVE_OP_DESTROY_HANDLE},
    {Collective::CreateHandleAndAllocate, OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE},
    {Collective::DestroyHandleAndDeallocate, OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE},
};
static_assert(std::size(kOperations) == static_cast<std::size_t>(Collective::DestroyHandleAndDeallocate) + 1);

}  // namespace

OTF2_Paradigm otf2Paradigm(Paradigm paradigm) {
    return theirs(kParadigms, paradigm, OTF2_Paradigm{OTF2_PARADIGM_UNKNOWN});
}

OTF2_RegionRole otf2Role(Role role) {
    return theirs(kRoles, role, OTF2_RegionRole{OTF2_REGION_ROLE_UNKNOWN});
}

OTF2_RmaAtomicType otf2Atomic(RmaAtomic type) {
    return theirs(kAtomics, type, OTF2_RmaAtomicType{OTF2_RMA_ATOMIC_TYPE_ACCUMULATE});
}

OTF2_CollectiveOp otf2Operation(Collective operation) {
    return theirs(kOperations, operation, OTF2_CollectiveOp{OTF2_COLLECTIVE_OP_CREATE_HANDLE});
}

}  // namespace holos::archive

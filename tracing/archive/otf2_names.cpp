// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/otf2_names.h"

namespace holos::archive {

using tracing::Collective;
using tracing::Paradigm;
using tracing::Role;

OTF2_Paradigm otf2Paradigm(Paradigm paradigm) {
    switch (paradigm) {
        case Paradigm::User:
            return OTF2_PARADIGM_USER;
        case Paradigm::Compiler:
            return OTF2_PARADIGM_COMPILER;
        case Paradigm::Mpi:
            return OTF2_PARADIGM_MPI;
        case Paradigm::OpenMp:
            return OTF2_PARADIGM_OPENMP;
        case Paradigm::Pthread:
            return OTF2_PARADIGM_PTHREAD;
        case Paradigm::Measurement:
            return OTF2_PARADIGM_MEASUREMENT_SYSTEM;
        case Paradigm::System:
            return OTF2_PARADIGM_NONE;
    }
    return OTF2_PARADIGM_UNKNOWN;
}

OTF2_RegionRole otf2Role(Role role) {
    switch (role) {
        case Role::Function:
            return OTF2_REGION_ROLE_FUNCTION;
        case Role::Phase:
        case Role::Code:
            return OTF2_REGION_ROLE_CODE;
        case Role::Wrapper:
            return OTF2_REGION_ROLE_WRAPPER;
        case Role::Parallel:
            return OTF2_REGION_ROLE_PARALLEL;
        case Role::Loop:
            return OTF2_REGION_ROLE_LOOP;
        case Role::Sections:
            return OTF2_REGION_ROLE_SECTIONS;
        case Role::Single:
            return OTF2_REGION_ROLE_SINGLE;
        case Role::Master:
            return OTF2_REGION_ROLE_MASTER;
        case Role::Workshare:
            return OTF2_REGION_ROLE_WORKSHARE;
        case Role::Critical:
            return OTF2_REGION_ROLE_CRITICAL;
        case Role::CriticalBlock:
            return OTF2_REGION_ROLE_CRITICAL_SBLOCK;
        case Role::Atomic:
            return OTF2_REGION_ROLE_ATOMIC;
        case Role::Ordered:
            return OTF2_REGION_ROLE_ORDERED;
        case Role::OrderedBlock:
            return OTF2_REGION_ROLE_ORDERED_SBLOCK;
        case Role::Barrier:
            return OTF2_REGION_ROLE_BARRIER;
        case Role::ImplicitBarrier:
            return OTF2_REGION_ROLE_IMPLICIT_BARRIER;
        case Role::Task:
            return OTF2_REGION_ROLE_TASK;
        case Role::TaskCreate:
            return OTF2_REGION_ROLE_TASK_CREATE;
        case Role::TaskWait:
            return OTF2_REGION_ROLE_TASK_WAIT;
        case Role::Flush:
            return OTF2_REGION_ROLE_FLUSH;
        case Role::PointToPoint:
            return OTF2_REGION_ROLE_POINT2POINT;
        case Role::CollectiveOneToAll:
            return OTF2_REGION_ROLE_COLL_ONE2ALL;
        case Role::CollectiveAllToOne:
            return OTF2_REGION_ROLE_COLL_ALL2ONE;
        case Role::CollectiveAllToAll:
            return OTF2_REGION_ROLE_COLL_ALL2ALL;
        case Role::CollectiveOther:
            return OTF2_REGION_ROLE_COLL_OTHER;
        case Role::Rma:
            return OTF2_REGION_ROLE_RMA;
        case Role::FileIo:
            return OTF2_REGION_ROLE_FILE_IO;
        case Role::Artificial:
            return OTF2_REGION_ROLE_ARTIFICIAL;
        case Role::Program:
            return OTF2_REGION_ROLE_ARTIFICIAL;
        case Role::DataTransfer:
            return OTF2_REGION_ROLE_DATA_TRANSFER;
        case Role::Allocate:
            return OTF2_REGION_ROLE_ALLOCATE;
        case Role::Initialize:
        case Role::Finalize:
            return OTF2_REGION_ROLE_FUNCTION;
        case Role::ThreadCreate:
            return OTF2_REGION_ROLE_THREAD_CREATE;
        case Role::ThreadWait:
            return OTF2_REGION_ROLE_THREAD_WAIT;
        case Role::Lock:
            return OTF2_REGION_ROLE_WRAPPER;
    }
    return OTF2_REGION_ROLE_UNKNOWN;
}

OTF2_RmaAtomicType otf2Atomic(tracing::RmaAtomic type) {
    switch (type) {
        case tracing::RmaAtomic::Accumulate:
            return OTF2_RMA_ATOMIC_TYPE_ACCUMULATE;
        case tracing::RmaAtomic::CompareAndSwap:
            return OTF2_RMA_ATOMIC_TYPE_COMPARE_AND_SWAP;
        case tracing::RmaAtomic::FetchAndAccumulate:
            return OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE;
    }
    return OTF2_RMA_ATOMIC_TYPE_ACCUMULATE;
}

OTF2_CollectiveOp otf2Operation(Collective operation) {
    switch (operation) {
        case Collective::Barrier:
            return OTF2_COLLECTIVE_OP_BARRIER;
        case Collective::Bcast:
            return OTF2_COLLECTIVE_OP_BCAST;
        case Collective::Gather:
            return OTF2_COLLECTIVE_OP_GATHER;
        case Collective::Gatherv:
            return OTF2_COLLECTIVE_OP_GATHERV;
        case Collective::Scatter:
            return OTF2_COLLECTIVE_OP_SCATTER;
        case Collective::Scatterv:
            return OTF2_COLLECTIVE_OP_SCATTERV;
        case Collective::Allgather:
            return OTF2_COLLECTIVE_OP_ALLGATHER;
        case Collective::Allgatherv:
            return OTF2_COLLECTIVE_OP_ALLGATHERV;
        case Collective::Alltoall:
            return OTF2_COLLECTIVE_OP_ALLTOALL;
        case Collective::Alltoallv:
            return OTF2_COLLECTIVE_OP_ALLTOALLV;
        case Collective::Alltoallw:
            return OTF2_COLLECTIVE_OP_ALLTOALLW;
        case Collective::Allreduce:
            return OTF2_COLLECTIVE_OP_ALLREDUCE;
        case Collective::Reduce:
            return OTF2_COLLECTIVE_OP_REDUCE;
        case Collective::ReduceScatter:
            return OTF2_COLLECTIVE_OP_REDUCE_SCATTER;
        case Collective::ReduceScatterBlock:
            return OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK;
        case Collective::Scan:
            return OTF2_COLLECTIVE_OP_SCAN;
        case Collective::Exscan:
            return OTF2_COLLECTIVE_OP_EXSCAN;
        case Collective::CreateHandle:
            return OTF2_COLLECTIVE_OP_CREATE_HANDLE;
        case Collective::DestroyHandle:
            return OTF2_COLLECTIVE_OP_DESTROY_HANDLE;
        case Collective::CreateHandleAndAllocate:
            return OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE;
        case Collective::DestroyHandleAndDeallocate:
            return OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE;
    }
    return OTF2_COLLECTIVE_OP_CREATE_HANDLE;
}

}  // namespace holos::archive

// SPDX-License-Identifier: BSD-3-Clause
// OTF2's enumerations in our words and in those of CUBE files.
#include <array>

#include "analyzer/trace/definitions_builder.h"

namespace holos::analyzer::trace {

namespace {

struct RoleWords {
    OTF2_RegionRole role;
    Role ours;
    const char* name;
};
constexpr std::array kRoles{
    RoleWords{OTF2_REGION_ROLE_UNKNOWN, Role::Unknown, "unknown"},
    RoleWords{OTF2_REGION_ROLE_FUNCTION, Role::Function, "function"},
    RoleWords{OTF2_REGION_ROLE_WRAPPER, Role::Wrapper, "wrapper"},
    RoleWords{OTF2_REGION_ROLE_LOOP, Role::Loop, "loop"},
    RoleWords{OTF2_REGION_ROLE_CODE, Role::Code, "code"},
    RoleWords{OTF2_REGION_ROLE_PARALLEL, Role::Parallel, "parallel"},
    RoleWords{OTF2_REGION_ROLE_SECTIONS, Role::Sections, "sections"},
    RoleWords{OTF2_REGION_ROLE_SECTION, Role::Section, "section"},
    RoleWords{OTF2_REGION_ROLE_WORKSHARE, Role::Workshare, "workshare"},
    RoleWords{OTF2_REGION_ROLE_SINGLE, Role::Single, "single"},
    RoleWords{OTF2_REGION_ROLE_SINGLE_SBLOCK, Role::SingleBlock, "single sblock"},
    RoleWords{OTF2_REGION_ROLE_MASTER, Role::Master, "master"},
    RoleWords{OTF2_REGION_ROLE_CRITICAL, Role::Critical, "critical"},
    RoleWords{OTF2_REGION_ROLE_CRITICAL_SBLOCK, Role::CriticalBlock, "critical sblock"},
    RoleWords{OTF2_REGION_ROLE_ATOMIC, Role::Atomic, "atomic"},
    RoleWords{OTF2_REGION_ROLE_BARRIER, Role::Barrier, "barrier"},
    RoleWords{OTF2_REGION_ROLE_IMPLICIT_BARRIER, Role::ImplicitBarrier, "implicit barrier"},
    RoleWords{OTF2_REGION_ROLE_FLUSH, Role::Flush, "flush"},
    RoleWords{OTF2_REGION_ROLE_ORDERED, Role::Ordered, "ordered"},
    RoleWords{OTF2_REGION_ROLE_ORDERED_SBLOCK, Role::OrderedBlock, "ordered sblock"},
    RoleWords{OTF2_REGION_ROLE_TASK, Role::Task, "task"},
    RoleWords{OTF2_REGION_ROLE_TASK_CREATE, Role::TaskCreate, "task create"},
    RoleWords{OTF2_REGION_ROLE_TASK_WAIT, Role::TaskWait, "taskwait"},
    RoleWords{OTF2_REGION_ROLE_COLL_ONE2ALL, Role::OneToAll, "one2all"},
    RoleWords{OTF2_REGION_ROLE_COLL_ALL2ONE, Role::AllToOne, "all2one"},
    RoleWords{OTF2_REGION_ROLE_COLL_ALL2ALL, Role::AllToAll, "all2all"},
    RoleWords{OTF2_REGION_ROLE_COLL_OTHER, Role::OtherCollective, "other collective"},
    RoleWords{OTF2_REGION_ROLE_FILE_IO, Role::FileIo, "file io"},
    RoleWords{OTF2_REGION_ROLE_POINT2POINT, Role::PointToPoint, "point2point"},
    RoleWords{OTF2_REGION_ROLE_RMA, Role::Rma, "rma"},
    RoleWords{OTF2_REGION_ROLE_DATA_TRANSFER, Role::DataTransfer, "data transfer"},
    RoleWords{OTF2_REGION_ROLE_ARTIFICIAL, Role::Artificial, "artificial"},
    RoleWords{OTF2_REGION_ROLE_THREAD_CREATE, Role::ThreadCreate, "thread create"},
    RoleWords{OTF2_REGION_ROLE_THREAD_WAIT, Role::ThreadWait, "thread wait"},
    RoleWords{OTF2_REGION_ROLE_TASK_UNTIED, Role::Task, "task untied"},
    RoleWords{OTF2_REGION_ROLE_ALLOCATE, Role::Other, "allocate"},
    RoleWords{OTF2_REGION_ROLE_DEALLOCATE, Role::Other, "deallocate"},
    RoleWords{OTF2_REGION_ROLE_REALLOCATE, Role::Other, "reallocate"},
    RoleWords{OTF2_REGION_ROLE_FILE_IO_METADATA, Role::FileIo, "file io metadata"},
    // Of OTF2 3.1, which need not be the installed one.
    RoleWords{static_cast<OTF2_RegionRole>(39), Role::Other, "kernel launch"},
    RoleWords{static_cast<OTF2_RegionRole>(40), Role::Other, "kernel"},
};

struct ParadigmWords {
    OTF2_Paradigm paradigm;
    Paradigm ours;
    const char* name;
};
constexpr std::array kParadigms{
    ParadigmWords{OTF2_PARADIGM_UNKNOWN, Paradigm::Unknown, "unknown"},
    ParadigmWords{OTF2_PARADIGM_USER, Paradigm::User, "user"},
    ParadigmWords{OTF2_PARADIGM_COMPILER, Paradigm::Compiler, "compiler"},
    ParadigmWords{OTF2_PARADIGM_OPENMP, Paradigm::OpenMp, "openmp"},
    ParadigmWords{OTF2_PARADIGM_MPI, Paradigm::Mpi, "mpi"},
    ParadigmWords{OTF2_PARADIGM_CUDA, Paradigm::Other, "cuda"},
    ParadigmWords{OTF2_PARADIGM_MEASUREMENT_SYSTEM, Paradigm::Measurement, "measurement"},
    ParadigmWords{OTF2_PARADIGM_PTHREAD, Paradigm::Pthread, "pthread"},
    ParadigmWords{OTF2_PARADIGM_OMPSS, Paradigm::Other, "ompss"},
    ParadigmWords{OTF2_PARADIGM_GASPI, Paradigm::Other, "gaspi"},
    ParadigmWords{OTF2_PARADIGM_UPC, Paradigm::Other, "upc"},
    ParadigmWords{OTF2_PARADIGM_SHMEM, Paradigm::Other, "shmem"},
    ParadigmWords{OTF2_PARADIGM_OPENACC, Paradigm::Other, "openacc"},
    ParadigmWords{OTF2_PARADIGM_OPENCL, Paradigm::Other, "opencl"},
    ParadigmWords{OTF2_PARADIGM_SAMPLING, Paradigm::Other, "sampling"},
    ParadigmWords{OTF2_PARADIGM_NONE, Paradigm::Other, "none"},
    ParadigmWords{OTF2_PARADIGM_HIP, Paradigm::Other, "hip"},
    ParadigmWords{OTF2_PARADIGM_KOKKOS, Paradigm::Other, "kokkos"},
};

const RoleWords& roleWords(OTF2_RegionRole role) {
    for (const RoleWords& words : kRoles)
        if (words.role == role) return words;
    return kRoles[0];
}

const ParadigmWords& paradigmWords(OTF2_Paradigm paradigm) {
    for (const ParadigmWords& words : kParadigms)
        if (words.paradigm == paradigm) return words;
    return kParadigms[0];
}

}  // namespace

Paradigm toParadigm(OTF2_Paradigm paradigm) {
    return paradigmWords(paradigm).ours;
}
Role toRole(OTF2_RegionRole role) {
    return roleWords(role).ours;
}
std::string paradigmName(OTF2_Paradigm paradigm) {
    return paradigmWords(paradigm).name;
}
std::string roleName(OTF2_RegionRole role) {
    return roleWords(role).name;
}

}  // namespace holos::analyzer::trace

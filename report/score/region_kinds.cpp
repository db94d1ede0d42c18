// SPDX-License-Identifier: BSD-3-Clause
#include "report/score/region_kinds.h"

#include <algorithm>
#include <array>

namespace holos::score {
namespace {

struct Words {
    const char* name;
    const char* meaning;
};
constexpr std::array<Words, kRegionKinds> kWords{{{"USR", "functions and regions of the program"},
                                                  {"COM", "those that lead to MPI, OpenMP or threads"},
                                                  {"MPI", "MPI, but for files"},
                                                  {"OMP", "OpenMP"},
                                                  {"PTHREAD", "POSIX threads"},
                                                  {"IO", "files"},
                                                  {"SYSTEM", "waiting in the C library"},
                                                  {"MEASUREMENT", "of the recorder itself"},
                                                  {"STACK", "known from call stacks only"}}};

RegionKind kindAlone(const algebra::Region& region) {
    const std::string_view paradigm = region.paradigm;
    if (region.role.starts_with("file io")) return RegionKind::Files;
    if (paradigm == "mpi") return RegionKind::Mpi;
    if (paradigm == "openmp") return RegionKind::OpenMp;
    if (paradigm == "pthread") return RegionKind::Threads;
    if (paradigm == "sampling") return RegionKind::NotRecorded;
    if (paradigm == "measurement" || paradigm == "scorep") return RegionKind::Measurement;
    return paradigm == "none" ? RegionKind::System : RegionKind::User;
}

constexpr std::array<std::string_view, 10> kAskingMpi{
    "MPI_Comm_rank",     "MPI_Comm_size", "MPI_Get_address", "MPI_Get_count", "MPI_Get_elements",
    "MPI_Get_processor", "MPI_Group_",    "MPI_Info_",       "MPI_Type_",     "MPI_Wti"};
constexpr std::array<std::string_view, 11> kConstructs{
    "!$omp for",       "!$omp distribute", "!$omp sections",      "!$omp single",
    "!$omp workshare", "!$omp master",     "!$omp critical",      "!$omp critical sblock",
    "!$omp atomic",    "!$omp ordered",    "!$omp ordered sblock"};
constexpr std::array<std::string_view, 6> kLocksOfThreads{
    "pthread_mutex_", "pthread_cond_", "pthread_rwlock_", "sem_", "mtx_", "cnd_"};

template <class Names>
bool beginsWithOneOf(std::string_view name, const Names& names) {
    return std::ranges::any_of(names, [&](std::string_view one) { return name.starts_with(one); });
}
template <class Names>
bool isOneOf(std::string_view name, const Names& names) {
    return std::ranges::find(names, name) != names.end();
}

bool isOfParallelism(RegionKind kind) {
    return kind == RegionKind::Mpi || kind == RegionKind::OpenMp || kind == RegionKind::Threads ||
           kind == RegionKind::Files;
}

}  // namespace

const char* nameOf(RegionKind kind) {
    return kWords[static_cast<std::size_t>(kind)].name;
}
const char* meaningOf(RegionKind kind) {
    return kWords[static_cast<std::size_t>(kind)].meaning;
}

bool canBeFiltered(RegionKind kind, std::string_view name) {
    switch (kind) {
        case RegionKind::User:
        case RegionKind::Common:
            return true;
        case RegionKind::Mpi:
            return beginsWithOneOf(name, kAskingMpi);
        case RegionKind::OpenMp:
            return (name.starts_with("omp_") && name.find("lock") != name.npos) ||
                   isOneOf(nameForFilter(kind, name), kConstructs);
        case RegionKind::Threads:
            return beginsWithOneOf(name, kLocksOfThreads);
        default:
            return false;
    }
}

bool isPoll(std::string_view name) {
    constexpr std::array<std::string_view, 6> kOthers{"MPI_Iprobe",   "MPI_Improbe",
                                                      "MPI_Parrived", "MPI_Request_get_status",
                                                      "MPI_Win_test", "pthread_mutex_trylock"};
    const bool isTest = name.starts_with("MPI_Test") && name != "MPI_Test_cancelled";
    return isTest || name.starts_with("omp_test_") || std::ranges::find(kOthers, name) != kOthers.end();
}

std::string_view nameForFilter(RegionKind kind, std::string_view name) {
    return kind == RegionKind::OpenMp ? name.substr(0, name.find(" @")) : name;
}

std::vector<RegionKind> kindsOf(const algebra::Experiment& experiment) {
    std::vector<RegionKind> kinds;
    for (const algebra::Region& region : experiment.regions) kinds.push_back(kindAlone(region));
    const algebra::CallTree& tree = experiment.callTree;
    std::vector<char> leads(tree.size(), 0);
    // Children stand behind their parents.
    for (std::size_t i = tree.size(); i-- > 0;) {
        const algebra::CallPathId path(i);
        RegionKind& kind = kinds[tree[path].region.index()];
        if (leads[i] != 0 && kind == RegionKind::User) kind = RegionKind::Common;
        const auto parent = tree.parent(path);
        if (parent && (leads[i] != 0 || isOfParallelism(kind))) leads[parent->index()] = 1;
    }
    return kinds;
}

}  // namespace holos::score

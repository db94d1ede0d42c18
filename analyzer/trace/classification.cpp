// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/classification.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

#include "algebra/model/call_names.h"
#include "base/function_name.h"
#include "base/text.h"

namespace holos::analyzer::trace {

namespace {

constexpr std::string_view kPlace = " [{";

/// Of `7,1}…`: 7; zero where there is no number.
std::uint32_t numberAtBegin(std::string_view text) {
    std::uint32_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

/// Takes `f.c} {3,1}-{9,1}]` apart, or `f.c} {3}]`.
void setPlace(Region& region, std::string_view place) {
    const std::size_t fileEnd = place.find('}');
    region.file = place.substr(0, fileEnd);
    const std::size_t begin = place.find('{', fileEnd);
    if (begin == std::string_view::npos) return;
    region.beginLine = region.endLine = numberAtBegin(place.substr(begin + 1));
    const std::size_t end = place.find("-{", begin);
    if (end != std::string_view::npos) region.endLine = numberAtBegin(place.substr(end + 2));
}

/// Of `MPI_Send()` and `int MPI_Send(const void*, int)`: `MPI_Send`. Everything else as it is.
std::string functionOfMpi(const std::string& name) {
    const std::size_t end = name.find('(');
    const std::size_t begin = name.find("MPI_");
    if (end == std::string::npos || begin >= end || (begin != 0 && name[begin - 1] != ' ')) return name;
    return name.substr(begin, end - begin);
}

}  // namespace

void separateName(Region& region) {
    const std::string_view name = region.name;
    const std::size_t place = name.find(kPlace);
    if (place != std::string_view::npos && place != 0 && name.ends_with("]") && region.file.empty()) {
        setPlace(region, name.substr(place + kPlace.size()));
        region.name.erase(place);
    }
    if (region.paradigm == Paradigm::Mpi) region.name = functionOfMpi(region.name);
}

namespace {

Paradigm paradigmOf(const Region& region) {
    if (region.paradigm != Paradigm::Unknown) return region.paradigm;
    if (!mpiFunction(region.name).empty()) return Paradigm::Mpi;
    if (startsWithOneOf(region.name, {"!$omp", "omp_", "#pragma omp"})) return Paradigm::OpenMp;
    if (region.name.starts_with("pthread_")) return Paradigm::Pthread;
    return Paradigm::Unknown;
}

/// TAU's own barrier in front of a collective operation, which shows waiting apart from communicating.
constexpr std::string_view kBarrierOfTau = "MPI Collective Sync";

/// The role of an MPI function whose writer gave none.
Role mpiRoleByName(std::string_view f) {
    using namespace std::string_view_literals;
    static constexpr std::array oneToAll{"bcast"sv, "scatter"sv, "scatterv"sv};
    static constexpr std::array allToOne{"gather"sv, "gatherv"sv, "reduce"sv};
    static constexpr std::array allToAll{"allgather"sv,      "allgatherv"sv,          "alltoall"sv,
                                         "alltoallv"sv,      "alltoallw"sv,           "allreduce"sv,
                                         "reduce_scatter"sv, "reduce_scatter_block"sv};
    static constexpr std::array pointToPoint{"send"sv,         "bsend"sv,
                                             "rsend"sv,        "ssend"sv,
                                             "isend"sv,        "ibsend"sv,
                                             "irsend"sv,       "issend"sv,
                                             "recv"sv,         "irecv"sv,
                                             "mrecv"sv,        "imrecv"sv,
                                             "sendrecv"sv,     "sendrecv_replace"sv,
                                             "isendrecv"sv,    "isendrecv_replace"sv,
                                             "psend_init"sv,   "precv_init"sv,
                                             "pready"sv,       "pready_list"sv,
                                             "pready_range"sv, "probe"sv,
                                             "iprobe"sv,       "mprobe"sv,
                                             "improbe"sv,      "start"sv,
                                             "startall"sv,     "send_init"sv,
                                             "bsend_init"sv,   "rsend_init"sv,
                                             "ssend_init"sv,   "recv_init"sv};
    static constexpr std::array rma{"put"sv, "get"sv, "rput"sv, "rget"sv};
    static constexpr std::array atomic{"accumulate"sv,      "raccumulate"sv,  "get_accumulate"sv,
                                       "rget_accumulate"sv, "fetch_and_op"sv, "compare_and_swap"sv};
    if (isOneOf(f, pointToPoint)) return Role::PointToPoint;
    if (isOneOf(f, rma)) return Role::Rma;
    if (isOneOf(f, atomic)) return Role::Atomic;
    if (startsWithOneOf(f, {"neighbor_", "ineighbor_"})) return Role::OtherCollective;
    if (f.starts_with('i')) f.remove_prefix(1);  // nonblocking collective operations
    if (f == "barrier") return Role::Barrier;
    if (isOneOf(f, oneToAll)) return Role::OneToAll;
    if (isOneOf(f, allToOne)) return Role::AllToOne;
    if (isOneOf(f, allToAll)) return Role::AllToAll;
    if (f == "scan" || f == "exscan") return Role::OtherCollective;
    return Role::Function;
}

void classifyFileOperation(std::string_view f, RegionClass& result) {
    // f is what follows `file_`: `read_at_all_begin`, `iwrite_shared`, `set_view`, …
    std::string_view rest = f.starts_with('i') ? f.substr(1) : f;
    const bool reads = rest.starts_with("read");
    const bool writes = rest.starts_with("write");
    if (!reads && !writes) {
        result.set(TimeClass::MpiFiles);
        const bool individual = f == "delete" || f == "seek" || f.starts_with("get_");
        result.set(individual ? TimeClass::MpiFileOp : TimeClass::MpiFileCollOp);
        return;
    }
    rest.remove_prefix(reads ? 4 : 5);
    const bool collective = startsWithOneOf(rest, {"_all", "_at_all", "_ordered"});
    result.set(collective ? TimeClass::MpiIoCollective : TimeClass::MpiIoIndividual);
    result.set(collective ? TimeClass::MpiFileCollOp : TimeClass::MpiFileOp);
    if (collective)
        result.set(reads ? TimeClass::MpiFileCollRead : TimeClass::MpiFileCollWrite);
    else
        result.set(reads ? TimeClass::MpiFileRead : TimeClass::MpiFileWrite);
}

void classifyWindowOperation(std::string_view f, RegionClass& result) {
    using namespace std::string_view_literals;
    static constexpr std::array active{"complete"sv, "fence"sv, "post"sv, "start"sv, "test"sv, "wait"sv};
    static constexpr std::array passive{"flush"sv,           "flush_all"sv,  "flush_local"sv,
                                        "flush_local_all"sv, "lock"sv,       "lock_all"sv,
                                        "unlock"sv,          "unlock_all"sv, "sync"sv};
    if (isOneOf(f, active))
        result.set(TimeClass::MpiRmaActive);
    else if (isOneOf(f, passive))
        result.set(TimeClass::MpiRmaPassive);
    else if (startsWithOneOf(f, {"allocate", "attach", "create", "delete_attr", "detach", "free", "get_",
                                 "set_", "shared_query"}))
        result.set(TimeClass::MpiWindows);
}

CallKind fileCallKind(std::string_view f) {
    if (f.ends_with("_end")) return CallKind::FileEnd;
    if (f.find("_ordered") != f.npos) return CallKind::FileOrdered;
    return f == "file_seek_shared" ? CallKind::FileSeekShared : CallKind::OtherMpi;
}

CallKind mpiCallKind(std::string_view f) {
    if (f == "send" || f == "ssend" || f == "issend") return CallKind::Send;
    if (f == "wait") return CallKind::Wait;
    if (f == "waitany") return CallKind::Waitany;
    if (f == "waitall" || f == "waitsome") return CallKind::WaitSeveral;
    if (f == "test" || f == "testall" || f == "testany" || f == "testsome") return CallKind::Test;
    if (f == "parrived" || f.starts_with("request_get_status")) return CallKind::Test;
    if (f == "iprobe" || f == "improbe") return CallKind::Probe;
    if (f == "probe" || f == "mprobe") return CallKind::BlockingProbe;
    if (f == "imrecv") return CallKind::MatchedReceive;
    if (f == "bsend" || f == "ibsend") return CallKind::BufferedSend;
    if (f == "start" || f == "startall") return CallKind::Start;
    if (f == "buffer_detach" || f == "buffer_flush") return CallKind::BufferDetach;
    if (f == "win_start") return CallKind::RmaStart;
    if (f == "win_complete") return CallKind::RmaComplete;
    if (f == "win_post") return CallKind::RmaPost;
    if (f == "win_wait") return CallKind::RmaWait;
    if (f == "win_test") return CallKind::RmaTest;
    if (f.starts_with("win_flush")) return CallKind::RmaFlush;
    if (startsWithOneOf(f, {"rput", "rget", "raccumulate"})) return CallKind::RmaRequest;
    if (startsWithOneOf(f, {"neighbor_", "ineighbor_"})) return CallKind::Neighbours;
    if (f.starts_with("file_")) return fileCallKind(f);
    return CallKind::OtherMpi;
}

bool managesCommunicators(std::string_view f) {
    using namespace std::string_view_literals;
    static constexpr std::array single{"dims_create"sv, "topo_test"sv,    "close_port"sv,    "open_port"sv,
                                       "lookup_name"sv, "publish_name"sv, "unpublish_name"sv};
    return isOneOf(f, single) || startsWithOneOf(f, {"cart_", "cartdim_get", "comm_", "dist_graph_", "graph_",
                                                     "graphdims_get", "intercomm_"});
}

void classifyMpi(const Region& region, RegionClass& result) {
    const std::string f = mpiFunction(region.name);
    const Role role = region.role == Role::Unknown ? mpiRoleByName(f) : region.role;
    if (region.name == kBarrierOfTau) result.set(TimeClass::MpiCollective);
    result.call = mpiCallKind(f);
    if (f == "init" || f == "init_thread") result.special = Special::MpiInit;
    if (f == "finalize") result.special = Special::MpiFinalize;
    if (result.call == CallKind::Test || result.call == CallKind::BufferDetach || isProbe(result.call))
        result.special = Special::Poll;
    if (f == "win_post" || f == "win_complete" || f == "win_wait") result.special = Special::RmaEpoch;

    if (region.name != "PARALLEL") result.set(TimeClass::Mpi);
    if (f == "init" || f == "init_thread" || f == "initialized" || f == "finalize" || f == "finalized")
        result.set(TimeClass::MpiInitExit);
    else if (f.ends_with("errhandler"))
        ;  // handlers of errors manage neither communicators nor windows, and do nothing with a file
    else if (f.starts_with("file_"))
        classifyFileOperation(std::string_view(f).substr(5), result);
    else if (f.starts_with("win_"))
        classifyWindowOperation(std::string_view(f).substr(4), result);
    else if (managesCommunicators(f))
        result.set(TimeClass::MpiCommunicators);

    // They belong to messages, and so does waiting in them, whatever role their writer gave them.
    const bool completes = isWait(result.call) || result.call == CallKind::Test;
    if (role == Role::PointToPoint || completes || isProbe(result.call))
        result.set(TimeClass::MpiPointToPoint);
    if (role == Role::Barrier) result.set(TimeClass::MpiSyncCollective);
    if (role == Role::OneToAll || role == Role::AllToOne || role == Role::AllToAll ||
        role == Role::OtherCollective)
        result.set(TimeClass::MpiCollective);
    if (role == Role::Rma || role == Role::Atomic) result.set(TimeClass::MpiRma);
    if (role == Role::Atomic) result.set(TimeClass::MpiRmaAtomic);
    if (result.has(TimeClass::MpiRma) && (f == "put" || f == "rput")) result.set(TimeClass::MpiRmaPut);
    if (result.has(TimeClass::MpiRma) && (f == "get" || f == "rget")) result.set(TimeClass::MpiRmaGet);
}

Role ompRoleByName(std::string_view name) {
    if (name.starts_with("!$omp parallel")) return Role::Parallel;
    if (startsWithOneOf(name, {"!$omp implicit barrier", "!$omp ibarrier"})) return Role::ImplicitBarrier;
    if (name.starts_with("!$omp barrier")) return Role::Barrier;
    if (name.starts_with("!$omp critical sblock")) return Role::CriticalBlock;
    if (name.starts_with("!$omp critical")) return Role::Critical;
    if (name.starts_with("!$omp atomic")) return Role::Atomic;
    if (name.starts_with("!$omp ordered sblock")) return Role::OrderedBlock;
    if (name.starts_with("!$omp ordered")) return Role::Ordered;
    if (name.starts_with("!$omp taskwait")) return Role::TaskWait;
    if (name.starts_with("!$omp flush")) return Role::Flush;
    return Role::Function;
}

bool isLockFunction(std::string_view name) {
    const std::string lower = lowerCase(name);
    return startsWithOneOf(lower, {"omp_init_", "omp_destroy_", "omp_set_", "omp_unset_", "omp_test_"}) &&
           lower.find("_lock") != lower.npos;
}

void classifyOpenMp(const Region& region, RegionClass& result) {
    result.set(TimeClass::OmpRegion);
    result.call = CallKind::OmpOther;
    switch (region.role == Role::Unknown ? ompRoleByName(region.name) : region.role) {
        case Role::Parallel:
            result.special = Special::Parallel;
            break;
        case Role::Barrier:
            result.special = Special::ExplicitBarrier;
            result.set(TimeClass::OmpExplicitBarrier);
            break;
        case Role::ImplicitBarrier:
            result.special = Special::ImplicitBarrier;
            result.set(TimeClass::OmpImplicitBarrier);
            break;
        case Role::Critical:
            result.call = CallKind::OmpCritical;
            result.set(TimeClass::OmpCritical);
            break;
        case Role::Atomic:
            result.call = CallKind::OmpCritical;
            result.set(TimeClass::OmpCritical);
            break;
        case Role::Ordered:
            result.call = CallKind::OmpOrdered;
            result.set(TimeClass::OmpOrdered);
            break;
        case Role::TaskCreate:
            result.special = Special::TaskCreate;
            break;
        case Role::TaskWait:
            result.special = Special::TaskWait;
            result.set(TimeClass::OmpTaskwait);
            break;
        case Role::Flush:
            result.set(TimeClass::OmpFlush);
            break;
        default:
            if (isLockFunction(region.name)) {
                result.call = CallKind::OmpLock;
                result.set(TimeClass::OmpLockApi);
            }
            if (result.has(TimeClass::OmpLockApi) && lowerCase(region.name).starts_with("omp_test_"))
                result.special = Special::LockTest;
    }
}

/// The function of POSIX threads that does what one of C11 does, as `mtx_lock`; others as they are.
std::string posixName(std::string_view name) {
    using namespace std::string_view_literals;
    for (const auto& [prefix, posix] :
         {std::pair{"thrd_"sv, "pthread_"sv}, std::pair{"mtx_"sv, "pthread_mutex_"sv},
          std::pair{"cnd_"sv, "pthread_cond_"sv}})
        if (name.starts_with(prefix)) return std::string(posix).append(name.substr(prefix.size()));
    return std::string(name);
}

void classifyPthread(const Region& region, RegionClass& result) {
    using namespace std::string_view_literals;
    static constexpr std::array management{"pthread_cancel"sv, "pthread_create"sv, "pthread_detach"sv,
                                           "pthread_exit"sv};
    static constexpr std::array joining{"pthread_join"sv, "pthread_tryjoin_np"sv, "pthread_timedjoin_np"sv,
                                        "pthread_clockjoin_np"sv};
    result.set(TimeClass::PthreadRegion);
    const std::string name = posixName(region.name);
    if (isOneOf(name, management) || isOneOf(name, joining)) result.set(TimeClass::PthreadManagement);
    if (isOneOf(name, joining)) {
        result.special = Special::ThreadJoin;
        result.call = CallKind::PthreadJoin;
    }
    if (startsWithOneOf(name, {"pthread_mutex_", "pthread_rwlock_", "pthread_spin_"}))
        result.set(TimeClass::PthreadMutex);
    if (name.starts_with("pthread_cond_")) result.set(TimeClass::PthreadCondition);
    static constexpr std::array locking{"pthread_mutex_lock"sv,      "pthread_mutex_trylock"sv,
                                        "pthread_mutex_timedlock"sv, "pthread_mutex_clocklock"sv,
                                        "pthread_spin_lock"sv,       "pthread_spin_trylock"sv};
    static constexpr std::array waiting{"pthread_cond_wait"sv, "pthread_cond_timedwait"sv,
                                        "pthread_cond_clockwait"sv};
    if (isOneOf(name, locking)) result.call = CallKind::PthreadMutex;
    if (name == "pthread_mutex_trylock" || name == "pthread_spin_trylock") result.special = Special::LockTest;
    if (isOneOf(name, waiting)) result.call = CallKind::PthreadCondition;
    if (name.starts_with("pthread_rwlock_")) result.call = CallKind::PthreadShared;
    if (name.starts_with("pthread_barrier_")) {
        result.set(TimeClass::PthreadBarrier);
        result.call = CallKind::PthreadBarrier;
    }
    if (name.starts_with("sem_")) {
        result.set(TimeClass::PthreadSemaphore);
        result.call = CallKind::PthreadSemaphore;
    }
}

/// More than that a function of MPI is one.
bool saysRole(const Region& region) {
    return region.paradigm == Paradigm::Mpi && region.role != Role::Function &&
           region.role != Role::Unknown && region.role != Role::Artificial;
}

/// As our recorder marks what it tells of a function only where the thread slept. OTF2 has no role for that.
bool isSleepInSystem(const Region& region) {
    return region.paradigmName == "none" && region.role == Role::Wrapper && region.file == "system";
}

/// With `poll` and its like, which many loops that ask again and again use to pass time.
bool isPause(std::string_view name) {
    constexpr std::string_view kPauses[] = {
        "sleep",  "usleep",  "nanosleep", "clock_nanosleep", "thrd_sleep",  "poll",        "ppoll",
        "select", "pselect", "pselect6",  "epoll_wait",      "epoll_pwait", "sched_yield", "thrd_yield"};
    return std::ranges::find(kPauses, name) != std::end(kPauses);
}

RegionClass classOf(const Region& region) {
    RegionClass result;
    if (region.role == Role::Artificial && region.name == algebra::kOffRegionName) {
        result.set(TimeClass::Unrecorded);
        return result;
    }
    if (region.role == Role::Artificial && region.name == "NO MORE EVENTS") {
        result.set(TimeClass::Unrecorded);
        result.set(TimeClass::NoMoreEvents);
        result.special = Special::Silence;
        return result;
    }
    switch (paradigmOf(region)) {
        case Paradigm::Mpi:
            classifyMpi(region, result);
            break;
        case Paradigm::OpenMp:
            classifyOpenMp(region, result);
            break;
        case Paradigm::Pthread:
            classifyPthread(region, result);
            break;
        case Paradigm::Measurement:
            if (region.name == algebra::kFlushRegionName || region.name == "TRACING")
                result.set(TimeClass::Overhead);
            if (region.role == Role::Artificial && region.name == algebra::kShortageRegionName)
                result.set(TimeClass::WithoutProcessor);
            break;
        default:
            if (region.role == Role::FileIo) result.set(TimeClass::FileIo);
            if (isSleepInSystem(region)) {
                result.set(TimeClass::SystemWaiting);
                if (region.name == "futex" || region.name == "pthread_once") result.call = CallKind::Futex;
                if (isPause(region.name)) result.special = Special::Pause;
            }
            break;
    }
    result.isSeen = region.paradigmName == "sampling";
    result.parallelModel = region.name.starts_with("!$omp parallel @") || region.file == "OMP" ||
                           region.description == "OMP" ||
                           (region.paradigmName == "openmp" && region.role == Role::Parallel);
    return result;
}

/// Whether the waits of a region stand in a metric of their own.
bool mayWait(const RegionClass& region) {
    return std::ranges::any_of(kWaitingClasses, [&](TimeClass one) { return region.has(one); });
}

}  // namespace

RegionClass classify(const Region& region) {
    RegionClass result = classOf(region);
    if (result.special == Special::None && mayWait(result)) result.special = Special::MayWait;
    return result;
}

namespace {

RegionClass classifyWithoutRole(Region region) {
    if (region.paradigm == Paradigm::Mpi) region.role = Role::Unknown;
    return classify(region);
}

/// Communicators of MPI, and not a region of it: EZTrace calls all functions the user's.
bool hidesMpi(const Definitions& definitions) {
    const auto isOfMpi = [](const auto& one) { return one.paradigm == Paradigm::Mpi; };
    return std::ranges::any_of(definitions.comms, isOfMpi) &&
           std::ranges::none_of(definitions.regions, isOfMpi);
}

RegionClass classifyByName(Region region) {
    if (region.paradigm == Paradigm::User && startsWithOneOf(region.name, {"MPI_", "pthread_"})) {
        region.paradigm = Paradigm::Unknown;
        region.role = Role::Unknown;
    }
    return classify(region);
}

}  // namespace

namespace {

bool isPthreadWait(const RegionClass& region) {
    return isPthread(region.call) || region.call == CallKind::PthreadShared ||
           region.call == CallKind::PthreadSemaphore;
}

/// pthread_cond_timedwait, sem_clockwait, mtx_timedlock and their like.
bool hasTimeout(const Region& region) {
    return region.name.find("timed") != std::string::npos || region.name.find("clock") != std::string::npos;
}

}  // namespace

std::vector<RegionClass> classifyRegions(const Definitions& definitions) {
    const std::vector<Region>& regions = definitions.regions;
    const bool hasRoles = std::ranges::any_of(regions, saysRole);
    const bool namesTell = hidesMpi(definitions);
    std::vector<RegionClass> classes;
    classes.reserve(regions.size());
    for (const Region& region : regions)
        classes.push_back(namesTell  ? classifyByName(region)
                          : hasRoles ? classify(region)
                                     : classifyWithoutRole(region));
    if (definitions.attributeOfTimeouts)
        for (std::size_t i = 0; i < classes.size(); ++i)
            classes[i].tellsTimeouts = isPthreadWait(classes[i]) && hasTimeout(regions[i]);
    return classes;
}

}  // namespace holos::analyzer::trace

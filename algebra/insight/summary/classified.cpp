// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/classified.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "algebra/model/call_names.h"
#include "base/function_name.h"
#include "base/text.h"

namespace holos::algebra {

namespace {

using namespace std::string_view_literals;

enum class TimeOf : std::uint8_t {
    Computation,
    MpiStartAndEnd,
    MpiMessages,
    MpiCollectives,
    MpiBarriers,
    MpiOneSided,
    MpiOneSidedWaits,
    MpiFiles,
    MpiOther,
    OpenMpBarriers,
    OpenMpOrdered,
    OpenMpOther,
    ThreadManagement,
    ThreadLocks,
    ThreadSignals,
    Sleep,
    Files,
    Measurement
};

bool isOfMessages(std::string_view f) {
    static constexpr std::array parts{"send"sv, "recv"sv, "probe"sv};
    return std::ranges::any_of(parts, [f](auto part) { return f.find(part) != f.npos; }) ||
           startsWithOneOf(f, {"wait", "test", "start"}) || f == "buffer_detach" || f == "buffer_flush";
}

bool isCollective(std::string_view f) {
    if (f.starts_with('i')) f.remove_prefix(1);  // nonblocking ones
    return startsWithOneOf(f, {"bcast", "scatter", "gather", "reduce", "allgather", "alltoall", "allreduce",
                               "scan", "exscan", "neighbor_"});
}

bool isAccess(std::string_view f) {
    static constexpr std::array accesses{"put"sv,
                                         "get"sv,
                                         "rput"sv,
                                         "rget"sv,
                                         "accumulate"sv,
                                         "raccumulate"sv,
                                         "get_accumulate"sv,
                                         "rget_accumulate"sv,
                                         "fetch_and_op"sv,
                                         "compare_and_swap"sv};
    return isOneOf(f, accesses);
}

TimeOf ofMpi(std::string_view f) {
    static constexpr std::array startAndEnd{"init"sv, "init_thread"sv, "initialized"sv, "finalize"sv,
                                            "finalized"sv};
    if (isOneOf(f, startAndEnd)) return TimeOf::MpiStartAndEnd;
    if (f.starts_with("file_")) return TimeOf::MpiFiles;
    if (f.starts_with("win_"))
        return startsWithOneOf(f.substr(4), {"create", "allocate", "free", "get_", "set_"})
                   ? TimeOf::MpiOther
                   : TimeOf::MpiOneSidedWaits;
    if (isAccess(f)) return TimeOf::MpiOneSided;
    if (f == "barrier" || f == "ibarrier") return TimeOf::MpiBarriers;
    if (isCollective(f)) return TimeOf::MpiCollectives;
    return isOfMessages(f) ? TimeOf::MpiMessages : TimeOf::MpiOther;
}

/// A parallel region's own time, and that of loops and sections, is computation.
TimeOf ofOpenMp(const Region& region) {
    static constexpr std::array barriers{"barrier"sv, "implicit barrier"sv, "implicit_barrier"sv};
    static constexpr std::array waits{"critical"sv,  "atomic"sv,   "ordered"sv,
                                      "task wait"sv, "taskwait"sv, "flush"sv};
    const std::string name = lowerCase(region.name);
    const std::string role = lowerCase(region.role);
    if (isOneOf(role, barriers) ||
        startsWithOneOf(name, {"!$omp barrier", "!$omp implicit barrier", "!$omp ibarrier"}))
        return TimeOf::OpenMpBarriers;
    const bool isBlock = role.find("sblock") != role.npos || name.find("sblock") != name.npos;
    const bool waitsByName =
        startsWithOneOf(name, {"!$omp critical", "!$omp atomic", "!$omp ordered", "!$omp taskwait",
                               "!$omp flush", "omp_set_", "omp_unset_", "omp_test_"});
    if (isBlock || !(isOneOf(role, waits) || waitsByName)) return TimeOf::Computation;
    return role == "ordered" || name.starts_with("!$omp ordered") ? TimeOf::OpenMpOrdered
                                                                  : TimeOf::OpenMpOther;
}

/// Names, or how they begin, of functions of threads in C, C++ and the C library, and what their time is.
struct NamedFunctions {
    std::string_view begins;
    TimeOf of;
};
constexpr NamedFunctions kThreadFunctions[] = {{"pthread_mutex_", TimeOf::ThreadLocks},
                                               {"pthread_rwlock_", TimeOf::ThreadLocks},
                                               {"pthread_spin_", TimeOf::ThreadLocks},
                                               {"mtx_lock", TimeOf::ThreadLocks},
                                               {"mtx_timedlock", TimeOf::ThreadLocks},
                                               {"mtx_trylock", TimeOf::ThreadLocks},
                                               {"mtx_unlock", TimeOf::ThreadLocks},
                                               {"lll_lock_wait", TimeOf::ThreadLocks},
                                               {"std::mutex::lock", TimeOf::ThreadLocks},
                                               {"std::timed_mutex::", TimeOf::ThreadLocks},
                                               {"std::recursive_mutex::lock", TimeOf::ThreadLocks},
                                               {"std::shared_mutex::lock", TimeOf::ThreadLocks},
                                               {"_ZNSt5mutex4lock", TimeOf::ThreadLocks},
                                               {"_ZNSt12shared_mutex", TimeOf::ThreadLocks},
                                               {"pthread_cond_", TimeOf::ThreadSignals},
                                               {"pthread_barrier_wait", TimeOf::ThreadSignals},
                                               {"cnd_wait", TimeOf::ThreadSignals},
                                               {"cnd_timedwait", TimeOf::ThreadSignals},
                                               {"cnd_signal", TimeOf::ThreadSignals},
                                               {"cnd_broadcast", TimeOf::ThreadSignals},
                                               {"std::condition_variable", TimeOf::ThreadSignals},
                                               {"_ZNSt18condition_variable", TimeOf::ThreadSignals},
                                               {"_ZNSt3_V222condition_variable_any", TimeOf::ThreadSignals},
                                               {"pthread_", TimeOf::ThreadManagement},
                                               {"thrd_sleep", TimeOf::Sleep},
                                               {"thrd_create", TimeOf::ThreadManagement},
                                               {"thrd_join", TimeOf::ThreadManagement},
                                               {"std::thread::join", TimeOf::ThreadManagement},
                                               {"std::thread::detach", TimeOf::ThreadManagement},
                                               {"std::thread::thread", TimeOf::ThreadManagement},
                                               {"std::thread::_M_start_thread", TimeOf::ThreadManagement},
                                               {"_ZNSt6thread4join", TimeOf::ThreadManagement},
                                               {"_ZNSt6thread15_M_start_thread", TimeOf::ThreadManagement},
                                               {"std::this_thread::sleep_", TimeOf::Sleep},
                                               {"_ZNSt11this_thread", TimeOf::Sleep},
                                               {"sem_wait", TimeOf::Sleep},
                                               {"sem_timedwait", TimeOf::Sleep},
                                               {"sem_clockwait", TimeOf::Sleep},
                                               {"new_sem_wait", TimeOf::Sleep},
                                               {"futex_wait", TimeOf::Sleep},
                                               {"futex_abstimed_wait", TimeOf::Sleep},
                                               {"do_futex_wait", TimeOf::Sleep},
                                               {"nanosleep", TimeOf::Sleep},
                                               {"clock_nanosleep", TimeOf::Sleep},
                                               {"usleep", TimeOf::Sleep},
                                               {"epoll_wait", TimeOf::Sleep},
                                               {"epoll_pwait", TimeOf::Sleep}};

/// False where a word goes on: `usleeper` is no `usleep`. Mangled names are cut into words by their numbers.
bool begins(std::string_view name, std::string_view with) {
    const auto isOfWord = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    };
    if (!name.starts_with(with)) return false;
    return name.size() == with.size() || name.starts_with("_Z") || !isOfWord(with.back()) ||
           !isOfWord(name[with.size()]);
}

/// The C library's functions have underscores in front in some profiles, and C++'s what they return.
std::optional<TimeOf> ofThreads(std::string_view name) {
    constexpr std::string_view kReturnsNothing = "void ";
    if (name.starts_with(kReturnsNothing)) name.remove_prefix(kReturnsNothing.size());
    if (!name.starts_with("_Z")) name.remove_prefix(std::min(name.find_first_not_of('_'), name.size()));
    for (const NamedFunctions& functions : kThreadFunctions)
        if (begins(name, functions.begins)) return functions.of;
    return std::nullopt;
}

TimeOf kindOf(const Region& region) {
    const std::string paradigm = lowerCase(region.paradigm);
    const std::string mpi = mpiFunction(region.name);
    if (!mpi.empty() && region.name != "PARALLEL") return ofMpi(mpi);
    if (paradigm == "mpi") return region.name == "PARALLEL" ? TimeOf::Computation : TimeOf::MpiOther;
    if (paradigm == "openmp" || startsWithOneOf(region.name, {"!$omp", "omp_"})) return ofOpenMp(region);
    if (const auto ofThread = ofThreads(region.name)) return *ofThread;
    if (paradigm == "measurement" || paradigm == "measurement system" || region.name == kFlushRegionName)
        return TimeOf::Measurement;
    return startsWithOneOf(lowerCase(region.role), {"file io", "file_io"}) ? TimeOf::Files
                                                                           : TimeOf::Computation;
}

/// A metric, and what its time is spent in.
struct Kind {
    const char* name;
    std::initializer_list<TimeOf> of;
};

const std::initializer_list<Kind>& kinds() {
    using enum TimeOf;
    static const std::initializer_list<Kind> all{
        {"comp", {Computation}},
        {"mpi",
         {MpiStartAndEnd, MpiMessages, MpiCollectives, MpiBarriers, MpiOneSided, MpiOneSidedWaits, MpiFiles,
          MpiOther}},
        {"mpi_init_exit", {MpiStartAndEnd}},
        {"mpi_communication", {MpiMessages, MpiCollectives, MpiOneSided}},
        {"mpi_synchronization", {MpiBarriers, MpiOneSidedWaits}},
        {"mpi_point2point", {MpiMessages}},
        {"mpi_collective", {MpiCollectives}},
        {"mpi_sync_collective", {MpiBarriers}},
        {"mpi_io", {MpiFiles}},
        {"omp_time", {OpenMpBarriers, OpenMpOrdered, OpenMpOther}},
        {"omp_barrier", {OpenMpBarriers}},
        {"omp_ordered", {OpenMpOrdered}},
        {"pthread_time", {ThreadManagement, ThreadLocks, ThreadSignals}},
        {"pthread_management", {ThreadManagement}},
        {"pthread_lock_api", {ThreadLocks}},
        {"pthread_conditional", {ThreadSignals}},
        {"system_waiting", {Sleep}},
        {"file_io", {Files}},
        {"overhead", {Measurement}}};
    return all;
}

/// The time of the call paths of some kinds, of that of all.
class RowsOfKinds final : public Rows {
  public:
    RowsOfKinds(RowsPtr time, std::shared_ptr<const std::vector<TimeOf>> kinds, std::vector<TimeOf> wanted)
        : Rows(time->callPaths(), time->locations(), time->missing()),
          time_(std::move(time)),
          kinds_(std::move(kinds)),
          wanted_(std::move(wanted)) {}

    bool hasRow(CallPathId path) const override { return isWanted(path) && time_->hasRow(path); }
    bool isFar() const override { return time_->isFar(); }
    std::span<const double> row(CallPathId path, std::span<double> scratch) const override {
        return isWanted(path) ? time_->row(path, scratch) : std::span<const double>();
    }

  private:
    bool isWanted(CallPathId path) const {
        return std::ranges::find(wanted_, (*kinds_)[path.index()]) != wanted_.end();
    }

    RowsPtr time_;
    std::shared_ptr<const std::vector<TimeOf>> kinds_;
    std::vector<TimeOf> wanted_;
};

/// What summaries look at; values stay where they are.
Experiment sameValues(const Experiment& experiment) {
    Experiment same;
    same.metrics = experiment.metrics;
    same.regions = experiment.regions;
    same.callTree = experiment.callTree;
    same.system = experiment.system;
    same.attributes = experiment.attributes;
    same.files = experiment.files;
    for (const MetricId id : experiment.metrics.ids())
        if (experiment.severities.has(id)) same.severities.setRows(id, experiment.severities.source(id));
    return same;
}

}  // namespace

std::optional<Experiment> classified(const Experiment& experiment) {
    const auto time = experiment.findMetric("time");
    if (!time || !experiment.metrics[*time].hasValues()) return std::nullopt;
    for (const Kind& kind : kinds())
        if (experiment.findMetric(kind.name)) return std::nullopt;
    std::vector<TimeOf> ofRegion;
    for (const Region& region : experiment.regions) ofRegion.push_back(kindOf(region));
    auto ofPath = std::make_shared<std::vector<TimeOf>>();
    for (const CallPathId path : experiment.callTree.ids())
        ofPath->push_back(ofRegion[experiment.callTree[path].region.index()]);
    Experiment result = sameValues(experiment);
    for (const Kind& kind : kinds()) {
        if (std::ranges::none_of(*ofPath,
                                 [&](TimeOf of) { return std::ranges::find(kind.of, of) != kind.of.end(); }))
            continue;
        Metric metric;
        metric.uniqueName = metric.displayName = kind.name;
        metric.unit = experiment.metrics[*time].unit;
        metric.origin = Origin::Computed;
        result.severities.setRows(
            result.metrics.add(std::move(metric)),
            [source = experiment.severities.source(*time), ofPath, wanted = std::vector<TimeOf>(kind.of)] {
                return std::make_shared<const RowsOfKinds>(source(), ofPath, wanted);
            });
    }
    return result;
}

}  // namespace holos::algebra

// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/openmp/gomp.h"

#include <algorithm>

#include "tracing/recorder/core/open_call.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recorder/interpose/next_function.h"
#include "tracing/recorder/openmp/constructs.h"
#include "tracing/recorder/openmp/team.h"

namespace holos::tracing::openmp {
namespace {

constinit interpose::NextFunction nextParallel("GOMP_parallel");
constinit interpose::NextFunction fork("__kmpc_fork_call");

/// LLVM's runtime also has libgomp's entry points.
bool isLlvms(const void* ofRuntime) {
    return interpose::areOfOneLibrary(ofRuntime, fork.behind(ofRuntime));
}

}  // namespace

thread_local bool singleHasNoEnd __attribute__((tls_model("initial-exec"))) = false;

bool runtimeReports(const void* caller) noexcept {
    static char yes;
    static char no;
    const void* const runtime = nextParallel.behind(caller);
    if (runtime == nullptr) return false;
    void* answer = interpose::remembered(&yes, runtime);
    if (answer == nullptr) {
        const Pause pause;
        answer = isLlvms(runtime) ? &yes : &no;
        interpose::remember(&yes, runtime, answer);
    }
    return answer == &yes;
}

}  // namespace holos::tracing::openmp

// Parallel regions of programs that gcc or gfortran compiled: the runtime calls a function of the program on
// every thread of the team; ours stands before it.
namespace holos::tracing::openmp {
namespace {

using Outlined = void(void*);

/// What the threads of a team have in common; lives on the master's stack until all are back.
struct Share {
    void* first;  ///< libgomp looks for reductions in the first word of what it hands on
    Outlined* function;
    void* data;
    ParallelRegion parallel;
    Construct work;  ///< the worksharing construct that begins with the region; Count: none
    const void* address;
};

/// What the runtime behind that function of the program answers.
template <FunctionName kName>
int ask(Outlined* function) {
    return original<int(), kName>(reinterpret_cast<const void*>(function))();
}

/// The number of threads the runtime will make a team of, as the OpenMP standard determines it.
std::uint32_t teamSize(Outlined* function, unsigned requested) {
    if (requested == 1 || ask<"omp_get_active_level">(function) >= ask<"omp_get_max_active_levels">(function))
        return 1;
    const int wanted = requested != 0 ? static_cast<int>(requested) : ask<"omp_get_max_threads">(function);
    return static_cast<std::uint32_t>(
        std::clamp(wanted, 1, std::max(1, ask<"omp_get_thread_limit">(function))));
}

void runShare(void* data) {
    const Share share = *static_cast<const Share*>(data);
    const auto number = static_cast<std::uint32_t>(ask<"omp_get_thread_num">(share.function));
    beginShare(share.parallel, number);
    if (share.work != Construct::Count) beginWorkOfRegion(share.work, share.address);
    {
        const core::Calling calling(share.function);
        share.function(share.data);
    }
    finishShare(share.parallel, number);
}

/// Runs a parallel region: `call(function, data)` hands it to the runtime. `frame`: the entry point's
/// `HOLOS_OWN_FRAME`.
template <class Call>
auto runParallel(const void* caller, const void* frame, Outlined* function, void* data, unsigned threads,
                 Construct work, Call call, void* first = nullptr) {
    core::begin();
    if (!gompRecords(caller)) return call(function, data);
    // Where the construct stands: the line of the function that the compiler made of it is the directive's,
    // while the line of the call is often that of some statement before.
    const void* const address = reinterpret_cast<const char*>(function) + 1;
    const ParallelRegion parallel =
        beginParallel(Construct::Parallel, address, teamSize(function, threads), pathFrom(frame));
    Share share{first, function, data, parallel, work, address};
    struct AtEnd {
        const ParallelRegion& parallel;
        ~AtEnd() { endParallel(parallel); }
    } const atEnd{share.parallel};
    return call(&runShare, static_cast<void*>(&share));
}

/// Runs the teams of `teams`, which this runtime has the calling thread do one after the other.
template <class Call>
void runTeams(const void* caller, const void* frame, Outlined* function, Call call) {
    if (!gompRecords(caller)) return call();
    const void* const address = reinterpret_cast<const char*>(function) + 1;
    const ParallelRegion teams = beginParallel(Construct::Teams, address, 1, pathFrom(frame));
    beginShare(teams, 0);
    call();
    finishShare(teams, 0);
    endParallel(teams);
}

}  // namespace
}  // namespace holos::tracing::openmp

using namespace holos::tracing::openmp;

HOLOS_INTERPOSED void GOMP_parallel(void (*function)(void*), void* data, unsigned threads, unsigned flags) {
    const void* const caller = HOLOS_CALLER();
    auto* const next = original<void(void (*)(void*), void*, unsigned, unsigned), "GOMP_parallel">(caller);
    runParallel(caller, HOLOS_OWN_FRAME(), function, data, threads, Construct::Count,
                [=](auto* f, void* d) { next(f, d, threads, flags); });
}

HOLOS_INTERPOSED unsigned GOMP_parallel_reductions(void (*function)(void*), void* data, unsigned threads,
                                                   unsigned flags) {
    const void* const caller = HOLOS_CALLER();
    auto* const next =
        original<unsigned(void (*)(void*), void*, unsigned, unsigned), "GOMP_parallel_reductions">(caller);
    return runParallel(
        caller, HOLOS_OWN_FRAME(), function, data, threads, Construct::Count,
        [=](auto* f, void* d) { return next(f, d, threads, flags); }, *static_cast<void**>(data));
}

HOLOS_INTERPOSED void GOMP_parallel_sections(void (*function)(void*), void* data, unsigned threads,
                                             unsigned count, unsigned flags) {
    const void* const caller = HOLOS_CALLER();
    auto* const next =
        original<void(void (*)(void*), void*, unsigned, unsigned, unsigned), "GOMP_parallel_sections">(
            caller);
    runParallel(caller, HOLOS_OWN_FRAME(), function, data, threads, Construct::Sections,
                [=](auto* f, void* d) { next(f, d, threads, count, flags); });
}

HOLOS_INTERPOSED void GOMP_teams_reg(void (*function)(void*), void* data, unsigned teams, unsigned threads,
                                     unsigned flags) {
    const void* const caller = HOLOS_CALLER();
    auto* const next =
        original<void(void (*)(void*), void*, unsigned, unsigned, unsigned), "GOMP_teams_reg">(caller);
    runTeams(caller, HOLOS_OWN_FRAME(), function, [=] { next(function, data, teams, threads, flags); });
}

#define HOLOS_PARALLEL_LOOP(name)                                                                           \
    HOLOS_INTERPOSED void name(void (*function)(void*), void* data, unsigned threads, long start, long end, \
                               long increment, long chunk, unsigned flags) {                                \
        const void* const caller = HOLOS_CALLER();                                                          \
        auto* const next =                                                                                  \
            original<void(void (*)(void*), void*, unsigned, long, long, long, long, unsigned), #name>(      \
                caller);                                                                                    \
        runParallel(caller, HOLOS_OWN_FRAME(), function, data, threads, Construct::Loop,                    \
                    [=](auto* f, void* d) { next(f, d, threads, start, end, increment, chunk, flags); });   \
    }
HOLOS_PARALLEL_LOOP(GOMP_parallel_loop_static)
HOLOS_PARALLEL_LOOP(GOMP_parallel_loop_dynamic)
HOLOS_PARALLEL_LOOP(GOMP_parallel_loop_guided)
HOLOS_PARALLEL_LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
HOLOS_PARALLEL_LOOP(GOMP_parallel_loop_nonmonotonic_guided)

/// With the schedule that the environment asks for, there is no chunk.
#define HOLOS_PARALLEL_RUNTIME_LOOP(name)                                                                   \
    HOLOS_INTERPOSED void name(void (*function)(void*), void* data, unsigned threads, long start, long end, \
                               long increment, unsigned flags) {                                            \
        const void* const caller = HOLOS_CALLER();                                                          \
        auto* const next =                                                                                  \
            original<void(void (*)(void*), void*, unsigned, long, long, long, unsigned), #name>(caller);    \
        runParallel(caller, HOLOS_OWN_FRAME(), function, data, threads, Construct::Loop,                    \
                    [=](auto* f, void* d) { next(f, d, threads, start, end, increment, flags); });          \
    }
HOLOS_PARALLEL_RUNTIME_LOOP(GOMP_parallel_loop_runtime)
HOLOS_PARALLEL_RUNTIME_LOOP(GOMP_parallel_loop_nonmonotonic_runtime)
HOLOS_PARALLEL_RUNTIME_LOOP(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

// Worksharing constructs of programs that gcc or gfortran compiled.
//
// Loops with a static schedule are compiled without a call, and of `single` only the start is seen: their
// regions are missing or of no length, only the barrier behind them is recorded. That of `single` is a call
// like that of an explicit barrier (`GOMP_barrier`).
using namespace holos::tracing;
using namespace holos::tracing::openmp;

namespace {

/// The end of a construct and the barrier behind it.
template <class Call>
auto endWithBarrier(Construct construct, const void* address, Call call) {
    if (!gompRecords(address)) return call();
    const Work* const work = currentWork();
    const RegionRef barrier = regionAt(construct, work != nullptr ? work->address : address);
    endWork();
    enter(barrier);
    struct AtEnd {
        RegionRef barrier;
        ~AtEnd() { leave(barrier); }
    } const atEnd{barrier};
    return call();
}

}  // namespace

// Every parameter of these functions is an integer or an address.
#define HOLOS_TYPES_4 long, long, long, long
#define HOLOS_TYPES_5 HOLOS_TYPES_4, long
#define HOLOS_TYPES_6 HOLOS_TYPES_5, long
#define HOLOS_TYPES_7 HOLOS_TYPES_6, long
#define HOLOS_TYPES_8 HOLOS_TYPES_7, long
#define HOLOS_TYPES_9 HOLOS_TYPES_8, long
#define HOLOS_TYPES_10 HOLOS_TYPES_9, long
#define HOLOS_NAMES_4 a, b, c, d
#define HOLOS_NAMES_5 HOLOS_NAMES_4, e
#define HOLOS_NAMES_6 HOLOS_NAMES_5, f
#define HOLOS_NAMES_7 HOLOS_NAMES_6, g
#define HOLOS_NAMES_8 HOLOS_NAMES_7, h
#define HOLOS_NAMES_9 HOLOS_NAMES_8, i
#define HOLOS_NAMES_10 HOLOS_NAMES_9, j
#define HOLOS_PARAMETERS_4 long a, long b, long c, long d
#define HOLOS_PARAMETERS_5 HOLOS_PARAMETERS_4, long e
#define HOLOS_PARAMETERS_6 HOLOS_PARAMETERS_5, long f
#define HOLOS_PARAMETERS_7 HOLOS_PARAMETERS_6, long g
#define HOLOS_PARAMETERS_8 HOLOS_PARAMETERS_7, long h
#define HOLOS_PARAMETERS_9 HOLOS_PARAMETERS_8, long i
#define HOLOS_PARAMETERS_10 HOLOS_PARAMETERS_9, long j

#define HOLOS_LOOP_START(name, arity)                                          \
    HOLOS_INTERPOSED bool name(HOLOS_PARAMETERS_##arity) {                     \
        const void* const caller = HOLOS_CALLER();                             \
        auto* const next = original<bool(HOLOS_TYPES_##arity), #name>(caller); \
        if (gompRecords(caller)) beginWork(Construct::Loop, caller);           \
        return next(HOLOS_NAMES_##arity);                                      \
    }
// start, end, increment, chunk, where to write the first part; unsigned ones have the direction in front.
#define HOLOS_SCHEDULED(schedule)                     \
    HOLOS_LOOP_START(GOMP_loop_##schedule##_start, 6) \
    HOLOS_LOOP_START(GOMP_loop_ull_##schedule##_start, 7)
HOLOS_SCHEDULED(static)
HOLOS_SCHEDULED(dynamic)
HOLOS_SCHEDULED(guided)
HOLOS_SCHEDULED(nonmonotonic_dynamic)
HOLOS_SCHEDULED(nonmonotonic_guided)
HOLOS_SCHEDULED(ordered_static)
HOLOS_SCHEDULED(ordered_dynamic)
HOLOS_SCHEDULED(ordered_guided)
// The schedule of the environment: no chunk.
#define HOLOS_RUNTIME_SCHEDULED(schedule)             \
    HOLOS_LOOP_START(GOMP_loop_##schedule##_start, 5) \
    HOLOS_LOOP_START(GOMP_loop_ull_##schedule##_start, 6)
HOLOS_RUNTIME_SCHEDULED(runtime)
HOLOS_RUNTIME_SCHEDULED(nonmonotonic_runtime)
HOLOS_RUNTIME_SCHEDULED(maybe_nonmonotonic_runtime)
HOLOS_RUNTIME_SCHEDULED(ordered_runtime)
// Loops with dependences between iterations: number of counts, counts, chunk, where to write.
HOLOS_LOOP_START(GOMP_loop_doacross_static_start, 5)
HOLOS_LOOP_START(GOMP_loop_doacross_dynamic_start, 5)
HOLOS_LOOP_START(GOMP_loop_doacross_guided_start, 5)
HOLOS_LOOP_START(GOMP_loop_doacross_runtime_start, 4)
HOLOS_LOOP_START(GOMP_loop_ull_doacross_static_start, 5)
HOLOS_LOOP_START(GOMP_loop_ull_doacross_dynamic_start, 5)
HOLOS_LOOP_START(GOMP_loop_ull_doacross_guided_start, 5)
HOLOS_LOOP_START(GOMP_loop_ull_doacross_runtime_start, 4)
// With reductions over tasks.
HOLOS_LOOP_START(GOMP_loop_start, 9)
HOLOS_LOOP_START(GOMP_loop_ordered_start, 9)
HOLOS_LOOP_START(GOMP_loop_ull_start, 10)
HOLOS_LOOP_START(GOMP_loop_ull_ordered_start, 10)
HOLOS_LOOP_START(GOMP_loop_doacross_start, 8)
HOLOS_LOOP_START(GOMP_loop_ull_doacross_start, 8)

#define HOLOS_WORK_END(prefix, barrier)                                     \
    HOLOS_INTERPOSED void prefix##_end() {                                  \
        const void* const caller = HOLOS_CALLER();                          \
        auto* const next = original<void(), #prefix "_end">(caller);        \
        endWithBarrier(barrier, caller, [=] { next(); });                   \
    }                                                                       \
    HOLOS_INTERPOSED bool prefix##_end_cancel() {                           \
        const void* const caller = HOLOS_CALLER();                          \
        auto* const next = original<bool(), #prefix "_end_cancel">(caller); \
        return endWithBarrier(barrier, caller, [=] { return next(); });     \
    }                                                                       \
    HOLOS_INTERPOSED void prefix##_end_nowait() {                           \
        const void* const caller = HOLOS_CALLER();                          \
        auto* const next = original<void(), #prefix "_end_nowait">(caller); \
        next();                                                             \
        if (gompRecords(caller)) endWork();                                 \
    }
HOLOS_WORK_END(GOMP_loop, Construct::LoopBarrier)
HOLOS_WORK_END(GOMP_sections, Construct::SectionsBarrier)

HOLOS_INTERPOSED unsigned GOMP_sections_start(unsigned count) {
    const void* const caller = HOLOS_CALLER();
    auto* const next = original<unsigned(unsigned), "GOMP_sections_start">(caller);
    if (gompRecords(caller)) beginWork(Construct::Sections, caller);
    return next(count);
}

HOLOS_INTERPOSED unsigned GOMP_sections2_start(unsigned count, std::uintptr_t* reductions, void** memory) {
    const void* const caller = HOLOS_CALLER();
    auto* const next = original<unsigned(unsigned, std::uintptr_t*, void**), "GOMP_sections2_start">(caller);
    if (gompRecords(caller)) beginWork(Construct::Sections, caller);
    return next(count, reductions, memory);
}

HOLOS_INTERPOSED bool GOMP_single_start() {
    const void* const caller = HOLOS_CALLER();
    auto* const next = original<bool(), "GOMP_single_start">(caller);
    singleHasNoEnd = runtimeReports(caller);
    if (!gompRecords(caller)) return next();
    const RegionRef region = regionAt(Construct::Single, caller);
    enter(region);
    const bool isMine = next();
    leave(region);
    expectBarrierOfSingle(caller);
    return isMine;
}

/// Returns null to the thread that runs the block; the others wait here for what it copies to them.
/// Until all have what it copied, that is a barrier: which of both a thread is, is known behind the call.
HOLOS_INTERPOSED void* GOMP_single_copy_start() {
    const void* const caller = HOLOS_CALLER();
    auto* const next = original<void*(), "GOMP_single_copy_start">(caller);
    if (!gompRecords(caller)) return next();
    beginWork(Construct::Single, caller);
    const std::uint64_t begin = lastEventTicks();
    void* const copied = next();
    if (copied == nullptr) return nullptr;
    passed(regionAt(Construct::SingleBarrier, caller), begin);
    endWork();
    return copied;
}

HOLOS_INTERPOSED void GOMP_single_copy_end(void* data) {
    const void* const caller = HOLOS_CALLER();
    auto* const next = original<void(void*), "GOMP_single_copy_end">(caller);
    if (!gompRecords(caller)) return next(data);
    const Work* const single = currentWork();
    const RegionRef barrier = single != nullptr ? regionAt(Construct::SingleBarrier, single->address) : 0;
    enter(barrier);
    next(data);
    leave(barrier);
    endWork();
}

// Synchronization of programs that gcc or gfortran compiled: barriers, critical sections, atomic updates that
// need a lock, ordered sections, waiting for tasks.
using namespace holos::tracing;
using namespace holos::tracing::openmp;

namespace {

/// A call during which the thread waits.
template <class Call>
auto waitIn(Construct construct, const void* address, Call call) {
    if (!gompRecords(address)) return call();
    struct Inside {
        RegionRef region;
        explicit Inside(RegionRef r) : region(r) { enter(region); }
        ~Inside() { leave(region); }
    } const inside{regionAt(construct, address)};
    return call();
}

/// An explicit barrier, or that at the end of `single`.
template <class Call>
auto waitInBarrier(const void* address, Call call) {
    const void* const single = takeBarrierOfSingle();
    return single != nullptr ? waitIn(Construct::SingleBarrier, single, call)
                             : waitIn(Construct::Barrier, address, call);
}

}  // namespace

HOLOS_INTERPOSED void GOMP_barrier() {
    const void* const caller = HOLOS_CALLER();
    auto* const next = original<void(), "GOMP_barrier">(caller);
    waitInBarrier(caller, [=] { next(); });
}

HOLOS_INTERPOSED bool GOMP_barrier_cancel() {
    const void* const caller = HOLOS_CALLER();
    auto* const next = original<bool(), "GOMP_barrier_cancel">(caller);
    return waitInBarrier(caller, [=] { return next(); });
}

HOLOS_INTERPOSED void GOMP_taskwait() {
    const void* const caller = HOLOS_CALLER();
    auto* const next = original<void(), "GOMP_taskwait">(caller);
    waitIn(Construct::Taskwait, caller, [=] { next(); });
}

HOLOS_INTERPOSED void GOMP_taskwait_depend(void** dependences) {
    const void* const caller = HOLOS_CALLER();
    auto* const next = original<void(void**), "GOMP_taskwait_depend">(caller);
    waitIn(Construct::Taskwait, caller, [=] { next(dependences); });
}

/// The region of a task group holds all that the group does, and the wait at its end.
HOLOS_INTERPOSED void GOMP_taskgroup_start() {
    const void* const caller = HOLOS_CALLER();
    auto* const next = original<void(), "GOMP_taskgroup_start">(caller);
    if (gompRecords(caller)) beginWork(Construct::Taskgroup, caller);
    next();
}
HOLOS_INTERPOSED void GOMP_taskgroup_end() {
    const void* const caller = HOLOS_CALLER();
    auto* const next = original<void(), "GOMP_taskgroup_end">(caller);
    next();
    if (gompRecords(caller)) endWork();
}

HOLOS_INTERPOSED void GOMP_ordered_start() {
    const void* const caller = HOLOS_CALLER();
    auto* const next = original<void(), "GOMP_ordered_start">(caller);
    if (!gompRecords(caller)) return next();
    beginWork(Construct::Ordered, caller);
    next();
    beginTurn(caller);
}
HOLOS_INTERPOSED void GOMP_ordered_end() {
    const void* const caller = HOLOS_CALLER();
    auto* const next = original<void(), "GOMP_ordered_end">(caller);
    const bool records = gompRecords(caller);
    if (records) endTurn();
    next();
    if (records) endWork();
}

// Loops with dependences between iterations: `ordered(n)`, `depend(sink: …)` and `depend(source)`.

namespace {

/// The entry points of gcc lead to those of LLVM's runtime where that stands in for libgomp.
thread_local bool isAboutIteration __attribute__((tls_model("initial-exec"))) = false;

/// Waits for other iterations, in `call`.
template <class Call>
void waitForIteration(const void* caller, Call call) {
    const RegionRef region =
        isAboutIteration || !recording() ? 0 : regionAt(Construct::Ordered, caller);  // 0: or left out
    if (region == 0) return call();
    isAboutIteration = true;
    enter(region);
    call();
    waitedForIteration();
    leave(region);
    isAboutIteration = false;
}

/// Tells others that an iteration is through, in `call`.
template <class Call>
void endIteration(Call call) {
    if (isAboutIteration || !recording()) return call();
    isAboutIteration = true;
    tellIteration();
    call();
    isAboutIteration = false;
}

}  // namespace

// These functions take as many numbers as there are nested loops, and nothing tells how many these are: more
// than anybody nests are handed on.
#define HOLOS_WAIT_FOR_ITERATION(name, Number)                                                       \
    HOLOS_INTERPOSED void name(Number a, Number b, Number c, Number d, Number e, Number f, Number g, \
                               Number h, Number i, Number j, Number k, Number l) {                   \
        const void* const caller = HOLOS_CALLER();                                                   \
        auto* const next = original<void(Number, ...), #name>(caller);                               \
        waitForIteration(caller, [=] { next(a, b, c, d, e, f, g, h, i, j, k, l); });                 \
    }
HOLOS_WAIT_FOR_ITERATION(GOMP_doacross_wait, long)
HOLOS_WAIT_FOR_ITERATION(GOMP_doacross_ull_wait, unsigned long long)

#define HOLOS_END_ITERATION(name, Number)                                  \
    HOLOS_INTERPOSED void name(Number* iteration) {                        \
        auto* const next = original<void(Number*), #name>(HOLOS_CALLER()); \
        endIteration([=] { next(iteration); });                            \
    }
HOLOS_END_ITERATION(GOMP_doacross_post, long)
HOLOS_END_ITERATION(GOMP_doacross_ull_post, unsigned long long)

// Of LLVM's runtime, which reports them only behind the wait.
HOLOS_INTERPOSED void __kmpc_doacross_wait(void* place, int thread, const std::int64_t* iteration) {
    const void* const caller = HOLOS_CALLER();
    auto* const next = original<void(void*, int, const std::int64_t*), "__kmpc_doacross_wait">(caller);
    waitForIteration(caller, [=] { next(place, thread, iteration); });
}
HOLOS_INTERPOSED void __kmpc_doacross_post(void* place, int thread, const std::int64_t* iteration) {
    auto* const next =
        original<void(void*, int, const std::int64_t*), "__kmpc_doacross_post">(HOLOS_CALLER());
    endIteration([=] { next(place, thread, iteration); });
}

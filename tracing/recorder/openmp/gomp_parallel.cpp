// SPDX-License-Identifier: BSD-3-Clause
// Parallel regions of programs that gcc or gfortran compiled: the runtime calls a function of the program on
// every thread of the team; ours stands before it.
#include <algorithm>

#include "tracing/recorder/core/open_call.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recorder/openmp/gomp.h"
#include "tracing/recorder/openmp/team.h"

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

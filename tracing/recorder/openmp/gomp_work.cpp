// SPDX-License-Identifier: BSD-3-Clause
// Worksharing constructs of programs that gcc or gfortran compiled.
//
// Loops with a static schedule are compiled without a call, and of `single` only the start is seen: their
// regions are missing or of no length, only the barrier behind them is recorded. That of `single` is a call
// like that of an explicit barrier (`gomp_sync.cpp`).
#include "tracing/recorder/openmp/gomp.h"
#include "tracing/recorder/openmp/team.h"

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
HOLOS_INTERPOSED void* GOMP_single_copy_start() {
    const void* const caller = HOLOS_CALLER();
    auto* const next = original<void*(), "GOMP_single_copy_start">(caller);
    if (!gompRecords(caller)) return next();
    beginWork(Construct::Single, caller);
    void* const copied = next();
    if (copied != nullptr) endWork();
    return copied;
}

HOLOS_INTERPOSED void GOMP_single_copy_end(void* data) {
    const void* const caller = HOLOS_CALLER();
    auto* const next = original<void(void*), "GOMP_single_copy_end">(caller);
    next(data);
    if (gompRecords(caller)) endWork();
}

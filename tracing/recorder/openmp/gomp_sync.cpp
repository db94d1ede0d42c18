// SPDX-License-Identifier: BSD-3-Clause
// Synchronization of programs that gcc or gfortran compiled: barriers, critical sections, atomic updates that
// need a lock, ordered sections, waiting for tasks.
#include "tracing/recorder/openmp/constructs.h"
#include "tracing/recorder/openmp/gomp.h"
#include "tracing/recorder/openmp/team.h"

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

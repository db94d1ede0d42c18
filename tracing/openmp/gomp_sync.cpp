// SPDX-License-Identifier: BSD-3-Clause
// Synchronization of programs that gcc or gfortran compiled: barriers, critical sections, atomic updates that
// need a lock, ordered sections, waiting for tasks.
#include "tracing/openmp/constructs.h"
#include "tracing/openmp/gomp.h"
#include "tracing/openmp/team.h"

using namespace holos::tracing;
using namespace holos::tracing::openmp;

namespace {

/// A call during which the thread waits.
template <class Call>
auto waitIn(Construct construct, const void* address, Call call) {
    if (!gompRecords()) return call();
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
    static auto* const kOriginal = original<void()>("GOMP_barrier");
    waitInBarrier(__builtin_return_address(0), [] { kOriginal(); });
}

HOLOS_INTERPOSED bool GOMP_barrier_cancel() {
    static auto* const kOriginal = original<bool()>("GOMP_barrier_cancel");
    return waitInBarrier(__builtin_return_address(0), [] { return kOriginal(); });
}

HOLOS_INTERPOSED void GOMP_taskwait() {
    static auto* const kOriginal = original<void()>("GOMP_taskwait");
    waitIn(Construct::Taskwait, __builtin_return_address(0), [] { kOriginal(); });
}

HOLOS_INTERPOSED void GOMP_taskwait_depend(void** dependences) {
    static auto* const kOriginal = original<void(void**)>("GOMP_taskwait_depend");
    waitIn(Construct::Taskwait, __builtin_return_address(0), [=] { kOriginal(dependences); });
}

/// The region of a task group holds all that the group does, and the wait at its end.
HOLOS_INTERPOSED void GOMP_taskgroup_start() {
    static auto* const kOriginal = original<void()>("GOMP_taskgroup_start");
    if (gompRecords()) beginWork(Construct::Taskgroup, __builtin_return_address(0));
    kOriginal();
}
HOLOS_INTERPOSED void GOMP_taskgroup_end() {
    static auto* const kOriginal = original<void()>("GOMP_taskgroup_end");
    kOriginal();
    if (gompRecords()) endWork();
}

HOLOS_INTERPOSED void GOMP_ordered_start() {
    static auto* const kOriginal = original<void()>("GOMP_ordered_start");
    if (!gompRecords()) return kOriginal();
    beginWork(Construct::Ordered, __builtin_return_address(0));
    kOriginal();
    beginWork(Construct::OrderedBlock, __builtin_return_address(0));
}
HOLOS_INTERPOSED void GOMP_ordered_end() {
    static auto* const kOriginal = original<void()>("GOMP_ordered_end");
    const bool records = gompRecords();
    if (records) endWork();
    kOriginal();
    if (records) endWork();
}

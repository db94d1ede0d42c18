// SPDX-License-Identifier: BSD-3-Clause
// Synchronization of programs that gcc or gfortran compiled: barriers, critical sections, atomic updates that
// need a lock, ordered sections, waiting for tasks.
#include "tracing/openmp/constructs.h"
#include "tracing/openmp/gomp.h"
#include "tracing/openmp/locks.h"
#include "tracing/openmp/team.h"

using namespace holos::tracing;
using namespace holos::tracing::openmp;

namespace {

/// The locks that have no address of their own.
const char kUnnamedCritical = 0;
const char kAtomic = 0;

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

/// A critical section: entered, acquired, its block; the block's end, released, left. Regions that are opened
/// here are closed by `leaveLocked`, which knows them from the same lock.
template <class Call>
void enterLocked(Construct construct, const void* lockAddress, const void* address, Call acquire) {
    if (!gompRecords()) return acquire();
    const RegionRef region = regionAt(construct, address);
    enter(region);
    acquire();
    Lock* const lock = lockAt(lockAddress);
    recordAcquired(lock, false);
    if (lock == nullptr) return leave(region);
    lock->region = region;
    lock->block = construct == Construct::Critical ? regionAt(Construct::CriticalBlock, address) : 0;
    enter(lock->block);
}

template <class Call>
void leaveLocked(const void* lockAddress, Call release) {
    Lock* const lock = gompRecords() ? lockAt(lockAddress) : nullptr;
    if (lock == nullptr || lock->region == 0) return release();
    const RegionRef region = lock->region;
    leave(lock->block);
    lock->region = 0;
    recordReleased(lock);
    release();
    leave(region);
}

}  // namespace

HOLOS_INTERPOSED void GOMP_barrier() {
    static auto* const kOriginal = original<void()>("GOMP_barrier");
    waitIn(Construct::Barrier, __builtin_return_address(0), [] { kOriginal(); });
}

HOLOS_INTERPOSED bool GOMP_barrier_cancel() {
    static auto* const kOriginal = original<bool()>("GOMP_barrier_cancel");
    return waitIn(Construct::Barrier, __builtin_return_address(0), [] { return kOriginal(); });
}

HOLOS_INTERPOSED void GOMP_taskwait() {
    static auto* const kOriginal = original<void()>("GOMP_taskwait");
    waitIn(Construct::Taskwait, __builtin_return_address(0), [] { kOriginal(); });
}

HOLOS_INTERPOSED void GOMP_critical_start() {
    static auto* const kOriginal = original<void()>("GOMP_critical_start");
    enterLocked(Construct::Critical, &kUnnamedCritical, __builtin_return_address(0), [] { kOriginal(); });
}
HOLOS_INTERPOSED void GOMP_critical_end() {
    static auto* const kOriginal = original<void()>("GOMP_critical_end");
    leaveLocked(&kUnnamedCritical, [] { kOriginal(); });
}

HOLOS_INTERPOSED void GOMP_critical_name_start(void** name) {
    static auto* const kOriginal = original<void(void**)>("GOMP_critical_name_start");
    enterLocked(Construct::Critical, name, __builtin_return_address(0), [=] { kOriginal(name); });
}
HOLOS_INTERPOSED void GOMP_critical_name_end(void** name) {
    static auto* const kOriginal = original<void(void**)>("GOMP_critical_name_end");
    leaveLocked(name, [=] { kOriginal(name); });
}

HOLOS_INTERPOSED void GOMP_atomic_start() {
    static auto* const kOriginal = original<void()>("GOMP_atomic_start");
    enterLocked(Construct::Atomic, &kAtomic, __builtin_return_address(0), [] { kOriginal(); });
}
HOLOS_INTERPOSED void GOMP_atomic_end() {
    static auto* const kOriginal = original<void()>("GOMP_atomic_end");
    leaveLocked(&kAtomic, [] { kOriginal(); });
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

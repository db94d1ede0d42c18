// SPDX-License-Identifier: BSD-3-Clause
// Critical sections, and atomic updates that need a lock, of any compiler's programs. They are not taken from
// OMPT, which reports a release only when others may already have acquired the lock.
#include "tracing/core/locks.h"
#include "tracing/core/waiting_notes.h"
#include "tracing/openmp/constructs.h"
#include "tracing/openmp/gomp.h"

using namespace holos::tracing;
using namespace holos::tracing::openmp;

namespace {

/// The locks that have no address of their own.
const char kUnnamedCritical = 0;
const char kAtomic = 0;

/// LLVM's runtime builds the entry points of libgomp on its own, which are seen, too.
thread_local bool isAcquiring __attribute__((tls_model("initial-exec")));

template <class Call>
void acquireOnce(Call acquire) {
    isAcquiring = true;
    acquire();
    isAcquiring = false;
}

/// Enters the construct, acquires its lock, and enters the block inside. The lock remembers what to leave.
template <class Call>
void enterLocked(Construct construct, const void* lockAddress, const void* address, Call acquire) {
    if (!recording() || isAcquiring) return acquire();
    const RegionRef region = regionAt(construct, address);
    if (region == 0) return acquire();
    enter(region);
    Lock* const lock = lockAt(lockAddress);
    if (lock != nullptr) awaits({0, 0, lock->id, awaitedCode(AwaitedKind::Lock)});
    acquireOnce(acquire);
    if (lock == nullptr) return leave(region);
    recordAcquired(lock, false);
    lock->region = region;
    lock->block = construct == Construct::Critical ? regionAt(Construct::CriticalBlock, address) : 0;
    enter(lock->block);
}

template <class Call>
void leaveLocked(const void* lockAddress, Call release) {
    Lock* const lock = recording() ? lockAt(lockAddress) : nullptr;
    if (lock == nullptr || lock->region == 0) return release();
    const RegionRef region = lock->region;
    leave(lock->block);
    lock->region = 0;
    recordReleased(lock);
    release();
    leave(region);
}

using Location = void;  ///< LLVM's description of the place in the source
using Name = void;      ///< of a critical section: the memory of its lock

}  // namespace

HOLOS_INTERPOSED void GOMP_critical_start() {
    const void* const caller = HOLOS_CALLER();
    auto* const next = original<void(), "GOMP_critical_start">(caller);
    enterLocked(Construct::Critical, &kUnnamedCritical, caller, [=] { next(); });
}
HOLOS_INTERPOSED void GOMP_critical_end() {
    const void* const caller = HOLOS_CALLER();
    auto* const next = original<void(), "GOMP_critical_end">(caller);
    leaveLocked(&kUnnamedCritical, [=] { next(); });
}

HOLOS_INTERPOSED void GOMP_critical_name_start(void** name) {
    const void* const caller = HOLOS_CALLER();
    auto* const next = original<void(void**), "GOMP_critical_name_start">(caller);
    enterLocked(Construct::Critical, name, caller, [=] { next(name); });
}
HOLOS_INTERPOSED void GOMP_critical_name_end(void** name) {
    const void* const caller = HOLOS_CALLER();
    auto* const next = original<void(void**), "GOMP_critical_name_end">(caller);
    leaveLocked(name, [=] { next(name); });
}

HOLOS_INTERPOSED void GOMP_atomic_start() {
    const void* const caller = HOLOS_CALLER();
    auto* const next = original<void(), "GOMP_atomic_start">(caller);
    enterLocked(Construct::Atomic, &kAtomic, caller, [=] { next(); });
}
HOLOS_INTERPOSED void GOMP_atomic_end() {
    const void* const caller = HOLOS_CALLER();
    auto* const next = original<void(), "GOMP_atomic_end">(caller);
    leaveLocked(&kAtomic, [=] { next(); });
}

HOLOS_INTERPOSED void __kmpc_critical(Location* location, int thread, Name* name) {
    const void* const caller = HOLOS_CALLER();
    auto* const next = original<void(Location*, int, Name*), "__kmpc_critical">(caller);
    enterLocked(Construct::Critical, name, caller, [=] { next(location, thread, name); });
}
HOLOS_INTERPOSED void __kmpc_critical_with_hint(Location* location, int thread, Name* name,
                                                std::uint32_t hint) {
    const void* const caller = HOLOS_CALLER();
    auto* const next =
        original<void(Location*, int, Name*, std::uint32_t), "__kmpc_critical_with_hint">(caller);
    enterLocked(Construct::Critical, name, caller, [=] { next(location, thread, name, hint); });
}
HOLOS_INTERPOSED void __kmpc_end_critical(Location* location, int thread, Name* name) {
    const void* const caller = HOLOS_CALLER();
    auto* const next = original<void(Location*, int, Name*), "__kmpc_end_critical">(caller);
    leaveLocked(name, [=] { next(location, thread, name); });
}

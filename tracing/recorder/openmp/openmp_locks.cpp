// SPDX-License-Identifier: BSD-3-Clause
#include <utility>

#include "tracing/recorder/core/locks.h"
#include "tracing/recorder/core/polls.h"
#include "tracing/recorder/openmp/constructs.h"
#include "tracing/recorder/openmp/gomp.h"
#include "tracing/recordings/format/waiting_notes.h"

// Critical sections, and atomic updates that need a lock, of any compiler's programs. They are not taken from
// OMPT, which reports a release only when others may already have acquired the lock.
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

/// The runtime cannot be asked to try it. True where nobody has the lock or wants it, so that there is nobody
/// to wait for. Who is not recorded comes, too: others may wait for it.
bool comeTo(Lock& lock) noexcept {
    return lock.present.fetch_add(1, std::memory_order_acq_rel) == 0;
}

/// The caller has acquired the lock. The one before may have given it back in a way that nobody sees.
void hold(Lock& lock, const Section& section) noexcept {
    if (lock.isPresent) lock.present.fetch_sub(1, std::memory_order_relaxed);
    lock.isPresent = true;
    lock.section = section;
}

/// Acquires the lock, and enters the construct before that and the block behind it.
template <class Call>
void enterContended(Lock& lock, const Section& section, Call acquire) {
    enterAtMark(section.region, section.path);
    awaits(awaitedLock(lock));
    {
        const Waiting waiting(&lock);
        acquireOnce(acquire);
    }
    hold(lock, section);
    recordAcquired(&lock, false);
    enterAtMark(section.block, section.path);
}

/// Enters a section where there is nothing to wait for.
template <class Call>
void enterAtOnce(Lock& lock, const Section& section, Call acquire) {
    acquireOnce(acquire);
    hold(lock, section);
    if (openSection(section)) return noteAcquired(lock, false);
    enterAtMark(section.region, section.path);
    recordAcquired(&lock, false);
    enterAtMark(section.block, section.path);
}

/// Enters a section in a thread of which nothing is recorded.
template <class Call>
void enterUnrecorded(const void* lockAddress, Call acquire) {
    Lock* const lock = lockAt(lockAddress);
    if (lock == nullptr) return acquire();
    comeTo(*lock);
    acquireOnce(acquire);
    hold(*lock, {});
    noteAcquired(*lock, false);
}

/// Enters the construct, acquires its lock, and enters the block inside. The lock remembers what to leave.
template <class Call>
void enterLocked(Construct construct, const void* lockAddress, const void* address, Call acquire) {
    if (isAcquiring) return acquire();
    if (!recording()) return enterUnrecorded(lockAddress, acquire);
    Section section{regionAt(construct, address), 0, pathHere()};
    Lock* const lock = section.region != 0 ? lockAt(lockAddress) : nullptr;
    if (lock == nullptr) return acquire();
    if (construct == Construct::Critical) section.block = regionAt(Construct::CriticalBlock, address);
    markTime();
    if (comeTo(*lock) && locksAreThinned())
        enterAtOnce(*lock, section, acquire);
    else
        enterContended(*lock, section, acquire);
}

/// Others may acquire the lock before this returns.
template <class Call>
void giveBack(Lock& lock, Call release) {
    lock.section.region = 0;
    const bool wasPresent = std::exchange(lock.isPresent, false);
    release();
    if (wasPresent) lock.present.fetch_sub(1, std::memory_order_release);
}

template <class Call>
void leaveLocked(const void* lockAddress, Call release) {
    Lock* const lock = lockAt(lockAddress);
    if (lock == nullptr) return release();
    if (!recording() || lock->section.region == 0) {
        noteReleased(*lock);
        return giveBack(*lock, release);
    }
    const Section section = lock->section;
    const bool isReleased = needsRelease(*lock, Paradigm::OpenMp);
    if (!isReleased && isSectionOpen()) {
        markTime();
        noteReleased(*lock);
        giveBack(*lock, release);
        if (closeSection()) return;
        leave(section.block);
        return leave(section.region);
    }
    leave(section.block);
    if (isReleased)
        recordReleased(lock);
    else
        noteReleased(*lock);
    giveBack(*lock, release);
    leaveSection(section);
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

// OpenMP's interface for locks, C and Fortran (with an underscore; a lock is passed by its address in both),
// of any runtime: OMPT reports a release only when others may already have acquired the lock.
using namespace holos::tracing;
using namespace holos::tracing::openmp;

namespace {

struct Inside {
    RegionRef region;
    explicit Inside(RegionRef one) : region(one) { enter(region); }
    ~Inside() { leave(region); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
};

template <class Call>
void plain(LockRoutine routine, Call call) {
    const RegionRef region = recording() ? regionOf(routine) : 0;
    if (region == 0) return call();
    const Inside inside(region);
    call();
}

/// Acquired again by its holder: the first time may not have been recorded.
void recordOrNoteAcquired(Lock* lock, bool isNestable) {
    if (lock != nullptr && isNestable && lock->nesting != 0 && !lock->isRecorded)
        noteAcquired(*lock, isNestable);
    else
        recordAcquired(lock, isNestable);
}

/// Of a thread of which nothing is recorded: others may wait for it.
template <class Call>
void setUnrecorded(bool isNestable, const void* lock, Call call) {
    Lock* const known = lockAt(lock);
    call();
    if (known != nullptr) noteAcquired(*known, isNestable);
}
template <class Call>
void unsetUnrecorded(const void* lock, Call call) {
    if (Lock* const known = lockAt(lock)) noteReleased(*known);
    call();
}

/// `tryTo`: the same without waiting; false where that would be needed.
template <class Try, class Call>
void set(LockRoutine routine, const void* lock, Try tryTo, Call call) {
    const bool isNestable = routine == LockRoutine::SetNest;
    if (!recording()) return setUnrecorded(isNestable, lock, call);
    const RegionRef region = regionOf(routine);
    if (region == 0) return call();
    Lock* const known = lockAt(lock);
    const PathRef path = pathHere();
    markTime();
    const bool isThinned = known != nullptr && locksAreThinned();
    if (isThinned && tryTo()) {
        if (addSet(region, path)) return noteAcquired(*known, isNestable);
        enterAtMark(region, path);
        recordOrNoteAcquired(known, isNestable);
        leave(region);
        return noteSet(region, path);
    }
    enterAtMark(region, path);
    if (known != nullptr) awaits(awaitedLock(*known));
    {
        const Waiting waiting(known);
        call();
    }
    recordOrNoteAcquired(known, isNestable);
    leave(region);
}

template <class Call>
void unset(LockRoutine routine, const void* lock, Call call) {
    if (!recording()) return unsetUnrecorded(lock, call);
    const RegionRef region = regionOf(routine);
    if (region == 0) return call();
    Lock* const known = lockAt(lock);
    const PathRef path = pathHere();
    markTime();
    const bool isReleased = known == nullptr || needsRelease(*known, Paradigm::OpenMp);
    if (!isReleased) {
        noteReleased(*known);
        if (isNextUnset(region, path)) {
            call();
            if (addUnset()) return;
            return passed(region, lastEventTicks());
        }
    }
    const RecordedUnset recorded(region, path);
    enterAtMark(region, path);
    if (isReleased) recordReleased(known);
    call();
    leave(region);
}

template <class Call>
int test(LockRoutine routine, const void* lock, Call call) {
    const RegionRef region = recording() ? regionOf(routine) : 0;
    if (region == 0) return call();
    Lock* const known = lockAt(lock);
    const PathRef path = pathHere();
    markTime();
    const int acquired = call();
    if (acquired != 0) {
        enterAtMark(region, path);
        recordAcquired(known, routine == LockRoutine::TestNest);
        leave(region);
    } else {
        noteTestedInVain(known);
        const bool isAdded = passedInVain(region, path);
        if (!isAdded && known != nullptr) awaits(awaitedLock(*known));
    }
    return acquired;
}

}  // namespace

#define HOLOS_LOCK_ROUTINE(name, kind, ...)                      \
    HOLOS_INTERPOSED void name(void* lock) {                     \
        const void* const caller = HOLOS_CALLER();               \
        auto* const next = original<void(void*), #name>(caller); \
        kind(LockRoutine::__VA_ARGS__, [=] { next(lock); });     \
    }
#define HOLOS_LOCK_SET(name, tryName, routine)                       \
    HOLOS_INTERPOSED void name(void* lock) {                         \
        const void* const caller = HOLOS_CALLER();                   \
        auto* const next = original<void(void*), #name>(caller);     \
        auto* const trial = original<int(void*), #tryName>(caller);  \
        const auto tryTo = [=] { return trial(lock) != 0; };         \
        set(LockRoutine::routine, lock, tryTo, [=] { next(lock); }); \
    }
#define HOLOS_LOCK_TEST(name, routine)                                       \
    HOLOS_INTERPOSED int name(void* lock) {                                  \
        const void* const caller = HOLOS_CALLER();                           \
        auto* const next = original<int(void*), #name>(caller);              \
        return test(LockRoutine::routine, lock, [=] { return next(lock); }); \
    }
#define HOLOS_LOCK_ROUTINES(simple, nestable)                        \
    HOLOS_LOCK_ROUTINE(omp_init_##simple, plain, Init)               \
    HOLOS_LOCK_ROUTINE(omp_destroy_##simple, plain, Destroy)         \
    HOLOS_LOCK_SET(omp_set_##simple, omp_test_##simple, Set)         \
    HOLOS_LOCK_ROUTINE(omp_unset_##simple, unset, Unset, lock)       \
    HOLOS_LOCK_TEST(omp_test_##simple, Test)                         \
    HOLOS_LOCK_ROUTINE(omp_init_##nestable, plain, InitNest)         \
    HOLOS_LOCK_ROUTINE(omp_destroy_##nestable, plain, DestroyNest)   \
    HOLOS_LOCK_SET(omp_set_##nestable, omp_test_##nestable, SetNest) \
    HOLOS_LOCK_ROUTINE(omp_unset_##nestable, unset, UnsetNest, lock) \
    HOLOS_LOCK_TEST(omp_test_##nestable, TestNest)
HOLOS_LOCK_ROUTINES(lock, nest_lock)
HOLOS_LOCK_ROUTINES(lock_, nest_lock_)

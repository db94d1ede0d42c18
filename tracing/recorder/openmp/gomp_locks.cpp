// SPDX-License-Identifier: BSD-3-Clause
// OpenMP's interface for locks, C and Fortran (with an underscore; a lock is passed by its address in both),
// of any runtime: OMPT reports a release only when others may already have acquired the lock.
#include "tracing/recorder/core/locks.h"
#include "tracing/recorder/core/polls.h"
#include "tracing/recorder/openmp/constructs.h"
#include "tracing/recorder/openmp/gomp.h"
#include "tracing/recordings/format/waiting_notes.h"

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

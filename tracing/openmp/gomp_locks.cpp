// SPDX-License-Identifier: BSD-3-Clause
// OpenMP's interface for locks, C and Fortran (with an underscore; a lock is passed by its address in both),
// of any runtime: OMPT reports a release only when others may already have acquired the lock.
#include "tracing/core/locks.h"
#include "tracing/core/polls.h"
#include "tracing/core/waiting_notes.h"
#include "tracing/openmp/constructs.h"
#include "tracing/openmp/gomp.h"

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

template <class Call>
void set(LockRoutine routine, const void* lock, Call call) {
    const RegionRef region = recording() ? regionOf(routine) : 0;
    if (region == 0) return call();
    const Inside inside(region);
    Lock* const known = lockAt(lock);
    if (known != nullptr) awaits({0, 0, known->id, awaitedCode(AwaitedKind::Lock)});
    call();
    recordAcquired(known, routine == LockRoutine::SetNest);
}

template <class Call>
void unset(LockRoutine routine, const void* lock, Call call) {
    const RegionRef region = recording() ? regionOf(routine) : 0;
    if (region == 0) return call();
    const Inside inside(region);
    recordReleased(lockAt(lock));
    call();
}

template <class Call>
int test(LockRoutine routine, const void* lock, Call call) {
    const RegionRef region = recording() ? regionOf(routine) : 0;
    if (region == 0) return call();
    const Poll poll = enterPoll(region);
    const int acquired = call();
    if (acquired != 0) {
        recordAcquired(lockAt(lock), routine == LockRoutine::TestNest);
        leave(region);
    } else if (!addPoll(poll)) {
        markTime();
        leaveInVain(poll);
    }
    return acquired;
}

}  // namespace

#define HOLOS_LOCK_ROUTINE(name, kind, routine)                               \
    HOLOS_INTERPOSED void name(void* lock) {                                  \
        const void* const caller = HOLOS_CALLER();                            \
        auto* const next = original<void(void*), #name>(caller);              \
        kind(LockRoutine::routine HOLOS_LOCK_OF_##kind, [=] { next(lock); }); \
    }
#define HOLOS_LOCK_OF_plain
#define HOLOS_LOCK_OF_set , lock
#define HOLOS_LOCK_OF_unset , lock
#define HOLOS_LOCK_TEST(name, routine)                                       \
    HOLOS_INTERPOSED int name(void* lock) {                                  \
        const void* const caller = HOLOS_CALLER();                           \
        auto* const next = original<int(void*), #name>(caller);              \
        return test(LockRoutine::routine, lock, [=] { return next(lock); }); \
    }
#define HOLOS_LOCK_ROUTINES(simple, nestable)                      \
    HOLOS_LOCK_ROUTINE(omp_init_##simple, plain, Init)             \
    HOLOS_LOCK_ROUTINE(omp_destroy_##simple, plain, Destroy)       \
    HOLOS_LOCK_ROUTINE(omp_set_##simple, set, Set)                 \
    HOLOS_LOCK_ROUTINE(omp_unset_##simple, unset, Unset)           \
    HOLOS_LOCK_TEST(omp_test_##simple, Test)                       \
    HOLOS_LOCK_ROUTINE(omp_init_##nestable, plain, InitNest)       \
    HOLOS_LOCK_ROUTINE(omp_destroy_##nestable, plain, DestroyNest) \
    HOLOS_LOCK_ROUTINE(omp_set_##nestable, set, SetNest)           \
    HOLOS_LOCK_ROUTINE(omp_unset_##nestable, unset, UnsetNest)     \
    HOLOS_LOCK_TEST(omp_test_##nestable, TestNest)
HOLOS_LOCK_ROUTINES(lock, nest_lock)
HOLOS_LOCK_ROUTINES(lock_, nest_lock_)

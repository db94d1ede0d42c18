// SPDX-License-Identifier: BSD-3-Clause
// Locks for reading and writing, barriers and semaphores of POSIX threads: what is waited for there may be in
// the hands of several threads, or of none. Where nobody waits, such a call costs next to nothing and leaves
// no events.
#include <pthread.h>
#include <semaphore.h>

#include <cerrno>
#include <ctime>

#include "tracing/code/loaded/runtimes.h"
#include "tracing/recorder/core/call_paths.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/locks.h"
#include "tracing/recorder/core/open_call.h"
#include "tracing/recorder/threads/synchronization.h"
#include "tracing/recordings/format/waiting_notes.h"

namespace holos::tracing::threads {
namespace {

/// Of the regions, at the first wait.
constinit Preparation preparation;

/// Whether a call is recorded that may end the waiting of others.
template <class Function>
bool recordsWake(const Function& function, const void* caller) noexcept {
    return preparation.isDone() && recording() && !function.isLeftOut() && !code::isRuntime(caller);
}

/// Whether one is that is about to wait. Within a call of MPI the time is that of the call.
template <class Function>
bool recordsWait(const Function& function, const void* caller) noexcept {
    if (!recording() || code::isRuntime(caller) || isInOpenCall()) return false;
    prepareWaitPlaces();
    return !function.isLeftOut();
}

using OfLock = Function<int(pthread_rwlock_t*)>;
constinit OfLock tryToRead("pthread_rwlock_tryrdlock"), tryToWrite("pthread_rwlock_trywrlock");
constinit OfLock lockForReading("pthread_rwlock_rdlock"), lockForWriting("pthread_rwlock_wrlock");
constinit OfLock unlockShared("pthread_rwlock_unlock");
using OfLockUntil = Function<int(pthread_rwlock_t*, const timespec*)>;
constinit OfLockUntil readUntil("pthread_rwlock_timedrdlock"), writeUntil("pthread_rwlock_timedwrlock");
using OfLockUntilBy = Function<int(pthread_rwlock_t*, clockid_t, const timespec*)>;
constinit OfLockUntilBy readUntilBy("pthread_rwlock_clockrdlock"), writeUntilBy("pthread_rwlock_clockwrlock");

/// The kernel's number of the thread that writes now; 0 where none does.
std::uint32_t writerOf(const pthread_rwlock_t* lock) noexcept {
    return static_cast<std::uint32_t>(__atomic_load_n(&lock->__data.__cur_writer, __ATOMIC_RELAXED));
}

template <class Function, class... Arguments>
int acquire(Function& function, OfLock& tryFirst, const void* caller, pthread_rwlock_t* lock,
            Arguments... arguments) noexcept {
    if (!recording() || code::isRuntime(caller)) return function.call(caller, lock, arguments...);
    if (tryFirst.call(caller, lock) == 0) return 0;
    if (!recordsWait(function, caller)) return function.call(caller, lock, arguments...);
    const Inside inside(function.region());
    Lock* const place = waitPlaceAt(lock, WaitPlace::SharedLock);
    const Waiting waiting(place);
    if (place != nullptr) awaits(awaitedLock(*place, writerOf(lock)));
    const int error = function.call(caller, lock, arguments...);
    if (error == 0 && place != nullptr) recordWoken(*place);
    if (isTimeout(error)) timedOut(0);
    return error;
}

int release(pthread_rwlock_t* lock, const void* caller) noexcept {
    if (!recordsWake(unlockShared, caller)) return unlockShared.call(caller, lock);
    Lock* const place = awaitedPlaceAt(lock, WaitPlace::SharedLock);
    if (place == nullptr) return unlockShared.call(caller, lock);
    const Inside inside(unlockShared.region());
    recordWake(*place);
    return unlockShared.call(caller, lock);
}

constinit Function<int(pthread_barrier_t*, const pthread_barrierattr_t*, unsigned)> beginBarrierOf(
    "pthread_barrier_init");
constinit Function<int(pthread_barrier_t*)> meetAt("pthread_barrier_wait");
constinit Function<int(sem_t*)> tryToken("sem_trywait"), takeToken("sem_wait"), postToken("sem_post");
constinit Function<int(sem_t*, const timespec*)> takeTokenUntil("sem_timedwait");
constinit Function<int(sem_t*, clockid_t, const timespec*)> takeTokenUntilBy("sem_clockwait");

/// Threads of other processes may come, which are not seen here.
bool isOfProcesses(const pthread_barrierattr_t* attributes) noexcept {
    int shared = PTHREAD_PROCESS_PRIVATE;
    return attributes != nullptr && pthread_barrierattr_getpshared(attributes, &shared) == 0 &&
           shared != PTHREAD_PROCESS_PRIVATE;
}

int initialize(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes, unsigned members,
               const void* caller) noexcept {
    const int error = beginBarrierOf.call(caller, barrier, attributes, members);
    if (error != 0) return error;
    if (Lock* const known = waitPlaceAt(barrier, WaitPlace::Barrier))
        beginBarrier(*known, isOfProcesses(attributes) ? 0 : members);
    return error;
}

int meet(pthread_barrier_t* barrier, const void* caller) noexcept {
    Lock* const known = knownWaitPlaceAt(barrier, WaitPlace::Barrier);
    const Arrival arrival(known);
    if (!recordsWait(meetAt, caller)) return meetAt.call(caller, barrier);
    const Inside inside(meetAt.region());
    // Noted at the time of the enter, by which it is known to be of this call.
    if (known != nullptr) awaits({arrival.missing(), 0, known->id, awaitedCode(AwaitedKind::Barrier)});
    arrival.record();
    const int result = meetAt.call(caller, barrier);
    arrival.recordEnd();
    return result;
}

/// Nothing here may need cleaning up: the thread can end while it waits (cancellation).
template <class Function, class... Arguments>
int take(Function& function, const void* caller, sem_t* semaphore, Arguments... arguments) {
    if (!recordsWait(function, caller)) return function.call(caller, semaphore, arguments...);
    pthread_testcancel();  // which these functions do at first
    const int before = errno;
    if (tryToken.call(caller, semaphore) == 0) return 0;
    errno = before;
    Lock* const place = waitPlaceAt(semaphore, WaitPlace::Semaphore);
    enter(function.region());
    if (place != nullptr) {
        place->waiters.fetch_add(1, std::memory_order_relaxed);
        awaits({0, 0, place->id, awaitedCode(AwaitedKind::Semaphore)});
    }
    const int result = function.call(caller, semaphore, arguments...);
    const int error = errno;
    if (place != nullptr) {
        place->waiters.fetch_sub(1, std::memory_order_relaxed);
        if (result == 0) recordWoken(*place);
    }
    if (result != 0 && error == ETIMEDOUT) timedOut(0);
    leave(function.region());
    errno = error;
    return result;
}

/// Signal handlers may do so.
int post(sem_t* semaphore, const void* caller) noexcept {
    if (!recordsWake(postToken, caller)) return postToken.call(caller, semaphore);
    Lock* const place = awaitedPlaceAt(semaphore, WaitPlace::Semaphore);
    if (place == nullptr) return postToken.call(caller, semaphore);
    const Inside inside(postToken.region());
    recordWake(*place);
    return postToken.call(caller, semaphore);
}

}  // namespace

void prepareWaitPlaces() noexcept {
    preparation.doOnce([] {
        const auto define = [](auto&... functions) { (functions.defineRegion(), ...); };
        define(meetAt, takeToken, takeTokenUntil, takeTokenUntilBy, postToken);
        define(lockForReading, lockForWriting, readUntil, writeUntil, readUntilBy, writeUntilBy,
               unlockShared);
    });
}

}  // namespace holos::tracing::threads

using namespace holos::tracing::threads;

HOLOS_INTERPOSED int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
    return acquire(lockForReading, tryToRead, HOLOS_CALLER(), lock);
}
HOLOS_INTERPOSED int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
    return acquire(lockForWriting, tryToWrite, HOLOS_CALLER(), lock);
}
HOLOS_INTERPOSED int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* until) noexcept {
    return acquire(readUntil, tryToRead, HOLOS_CALLER(), lock, until);
}
HOLOS_INTERPOSED int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* until) noexcept {
    return acquire(writeUntil, tryToWrite, HOLOS_CALLER(), lock, until);
}
HOLOS_INTERPOSED int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock,
                                                const timespec* until) noexcept {
    return acquire(readUntilBy, tryToRead, HOLOS_CALLER(), lock, clock, until);
}
HOLOS_INTERPOSED int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock,
                                                const timespec* until) noexcept {
    return acquire(writeUntilBy, tryToWrite, HOLOS_CALLER(), lock, clock, until);
}
HOLOS_INTERPOSED int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
    return release(lock, HOLOS_CALLER());
}

HOLOS_INTERPOSED int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes,
                                          unsigned members) noexcept {
    return initialize(barrier, attributes, members, HOLOS_CALLER());
}
HOLOS_INTERPOSED int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
    return meet(barrier, HOLOS_CALLER());
}
HOLOS_INTERPOSED int sem_wait(sem_t* semaphore) {
    return take(takeToken, HOLOS_CALLER(), semaphore);
}
HOLOS_INTERPOSED int sem_timedwait(sem_t* semaphore, const timespec* until) {
    return take(takeTokenUntil, HOLOS_CALLER(), semaphore, until);
}
HOLOS_INTERPOSED int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* until) {
    return take(takeTokenUntilBy, HOLOS_CALLER(), semaphore, clock, until);
}
HOLOS_INTERPOSED int sem_post(sem_t* semaphore) noexcept {
    return post(semaphore, HOLOS_CALLER());
}

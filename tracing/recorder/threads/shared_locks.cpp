// SPDX-License-Identifier: BSD-3-Clause
// Locks for reading and writing of POSIX threads. One that is free leaves no events: an acquisition is
// recorded where it had to wait, a release where somebody waits for it.
#include <pthread.h>

#include <ctime>

#include "tracing/recorder/core/wakes.h"
#include "tracing/recorder/threads/function.h"

namespace holos::tracing::threads {
namespace {

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
    if (!recording() || code::isRuntime(caller)) return function(caller, lock, arguments...);
    if (tryFirst(caller, lock) == 0) return 0;
    if (!recordsWait(function, caller)) return function(caller, lock, arguments...);
    const Inside inside(function.region());
    Lock* const place = waitPlaceAt(lock, WaitPlace::SharedLock);
    const Waiting waiting(place);
    if (place != nullptr) awaits(awaitedLock(*place, writerOf(lock)));
    const int error = function(caller, lock, arguments...);
    if (error == 0 && place != nullptr) recordWoken(*place);
    return error;
}

int release(pthread_rwlock_t* lock, const void* caller) noexcept {
    if (!recordsWake(unlockShared, caller)) return unlockShared(caller, lock);
    Lock* const place = awaitedPlaceAt(lock, WaitPlace::SharedLock);
    if (place == nullptr) return unlockShared(caller, lock);
    const Inside inside(unlockShared.region());
    recordWake(*place);
    return unlockShared(caller, lock);
}

}  // namespace

void defineSharedLocks() noexcept {
    const auto define = [](auto&... functions) { (functions.defineRegion(), ...); };
    define(lockForReading, lockForWriting, readUntil, writeUntil, readUntilBy, writeUntilBy, unlockShared);
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

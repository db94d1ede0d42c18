// SPDX-License-Identifier: BSD-3-Clause
// Barriers and semaphores of POSIX threads. A semaphore that has a token, or for which nobody waits, costs
// next to nothing and leaves no events. `sem_post` may be called in signal handlers.
#include <pthread.h>
#include <semaphore.h>

#include <cerrno>
#include <ctime>

#include "tracing/recorder/core/wakes.h"
#include "tracing/recorder/threads/function.h"
#include "tracing/recordings/format/waiting_notes.h"

namespace holos::tracing::threads {
namespace {

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
    const int error = beginBarrierOf(caller, barrier, attributes, members);
    if (error != 0) return error;
    if (Lock* const known = waitPlaceAt(barrier, WaitPlace::Barrier))
        beginBarrier(*known, isOfProcesses(attributes) ? 0 : members);
    return error;
}

int meet(pthread_barrier_t* barrier, const void* caller) noexcept {
    Lock* const known = knownWaitPlaceAt(barrier, WaitPlace::Barrier);
    const Arrival arrival(known);
    if (!recordsWait(meetAt, caller)) return meetAt(caller, barrier);
    const Inside inside(meetAt.region());
    // Noted at the time of the enter, by which it is known to be of this call.
    if (known != nullptr) awaits({arrival.missing(), 0, known->id, awaitedCode(AwaitedKind::Barrier)});
    arrival.record();
    const int result = meetAt(caller, barrier);
    arrival.recordEnd();
    return result;
}

/// Nothing here may need cleaning up: the thread can end while it waits (cancellation).
template <class Function, class... Arguments>
int take(Function& function, const void* caller, sem_t* semaphore, Arguments... arguments) {
    if (!recordsWait(function, caller)) return function(caller, semaphore, arguments...);
    pthread_testcancel();  // which these functions do at first
    const int before = errno;
    if (tryToken(caller, semaphore) == 0) return 0;
    errno = before;
    Lock* const place = waitPlaceAt(semaphore, WaitPlace::Semaphore);
    enter(function.region());
    if (place != nullptr) {
        place->waiters.fetch_add(1, std::memory_order_relaxed);
        awaits({0, 0, place->id, awaitedCode(AwaitedKind::Semaphore)});
    }
    const int result = function(caller, semaphore, arguments...);
    const int error = errno;
    if (place != nullptr) {
        place->waiters.fetch_sub(1, std::memory_order_relaxed);
        if (result == 0) recordWoken(*place);
    }
    leave(function.region());
    errno = error;
    return result;
}

int post(sem_t* semaphore, const void* caller) noexcept {
    if (!recordsWake(postToken, caller)) return postToken(caller, semaphore);
    Lock* const place = awaitedPlaceAt(semaphore, WaitPlace::Semaphore);
    if (place == nullptr) return postToken(caller, semaphore);
    const Inside inside(postToken.region());
    recordWake(*place);
    return postToken(caller, semaphore);
}

}  // namespace

void defineMeetings() noexcept {
    const auto define = [](auto&... functions) { (functions.defineRegion(), ...); };
    define(meetAt, takeToken, takeTokenUntil, takeTokenUntilBy, postToken);
}

}  // namespace holos::tracing::threads

using namespace holos::tracing::threads;

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

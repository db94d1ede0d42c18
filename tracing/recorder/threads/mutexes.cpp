// SPDX-License-Identifier: BSD-3-Clause
// Mutexes, spin locks and condition variables, of POSIX threads and of C11. Allocators use mutexes, too: what
// is called here must not allocate.
#include <pthread.h>
#include <threads.h>

#include <atomic>
#include <cerrno>
#include <ctime>

#include "tracing/code/loaded/runtimes.h"
#include "tracing/recorder/core/call_paths.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/keep_errno.h"
#include "tracing/recorder/core/locks.h"
#include "tracing/recorder/core/polls.h"
#include "tracing/recorder/threads/synchronization.h"
#include "tracing/recordings/format/waiting_notes.h"

namespace holos::tracing::threads {
namespace {

/// Of the regions, before the first thread of the program, or of OpenMP, begins: until then an interpreter
/// uses mutexes for itself alone.
constinit Preparation preparation;
/// There are threads of OpenMP: the next use of a mutex or a condition defines the regions.
constinit std::atomic<bool> isExpected{false};

/// Whether a call of one of them is recorded.
template <class Function>
bool records(const Function& function, const void* caller) noexcept {
    const bool isKnown = preparation.isDone();
    if (!isKnown && !isExpected.load(std::memory_order_relaxed)) return false;
    if (!recording() || code::isRuntime(caller)) return false;
    if (!isKnown) {
        const core::KeepErrno keep;
        prepareSynchronization();
    }
    return preparation.isDone() && !function.isLeftOut();
}

using OfMutex = Function<int(pthread_mutex_t*)>;
using OfCondition = Function<int(pthread_cond_t*)>;
constinit OfMutex lockMutex("pthread_mutex_lock");
constinit OfMutex tryMutex("pthread_mutex_trylock");
constinit Function<int(pthread_mutex_t*, const timespec*)> lockMutexUntil("pthread_mutex_timedlock");
constinit Function<int(pthread_mutex_t*, clockid_t, const timespec*)> lockMutexUntilBy(
    "pthread_mutex_clocklock");
constinit OfMutex unlockMutex("pthread_mutex_unlock");
constinit Function<int(pthread_cond_t*, pthread_mutex_t*)> waitFor("pthread_cond_wait");
constinit Function<int(pthread_cond_t*, pthread_mutex_t*, const timespec*)> waitUntil(
    "pthread_cond_timedwait");
constinit Function<int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*)> waitUntilBy(
    "pthread_cond_clockwait");
constinit OfCondition signalOne("pthread_cond_signal");
constinit OfCondition signalAll("pthread_cond_broadcast");

// The C library's types of C11 are its POSIX types by another name.
static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) && sizeof(cnd_t) == sizeof(pthread_cond_t));
constinit OfMutex lockC11("mtx_lock"), tryC11("mtx_trylock"), unlockC11("mtx_unlock");
constinit Function<int(pthread_mutex_t*, const timespec*)> lockC11Until("mtx_timedlock");
constinit Function<int(pthread_cond_t*, pthread_mutex_t*)> waitC11("cnd_wait");
constinit Function<int(pthread_cond_t*, pthread_mutex_t*, const timespec*)> waitC11Until("cnd_timedwait");
constinit OfCondition signalC11("cnd_signal"), signalAllC11("cnd_broadcast");

using OfSpinLock = Function<int(pthread_spinlock_t*)>;
constinit OfSpinLock lockSpinning("pthread_spin_lock"), trySpinning("pthread_spin_trylock");
constinit OfSpinLock unlockSpinning("pthread_spin_unlock");

bool isNestable(const pthread_mutex_t* mutex) noexcept {
    return (mutex->__data.__kind & 3) == PTHREAD_MUTEX_RECURSIVE;
}
bool isNestable(const pthread_spinlock_t*) noexcept {
    return false;
}

/// By the kernel's number of the thread that has the mutex now; 0 where none has.
Awaited awaitedAt(const Lock& lock, const pthread_mutex_t* mutex) noexcept {
    return awaitedLock(lock,
                       static_cast<std::uint32_t>(__atomic_load_n(&mutex->__data.__owner, __ATOMIC_RELAXED)));
}
/// A spin lock does not know who has it, but the recorder may.
Awaited awaitedAt(const Lock& lock, const pthread_spinlock_t*) noexcept {
    return awaitedLock(lock);
}

Lock* placeOf(const volatile void* mutex) noexcept {
    return lockAt(const_cast<const void*>(mutex));
}

bool isAcquired(int error) noexcept {
    return error == 0 || error == EOWNERDEAD;
}

/// The mutex that the calling thread found taken last, until it has it: who waits by asking acquires it at
/// last without waiting.
thread_local const volatile void* foundTaken __attribute__((tls_model("initial-exec"))) = nullptr;

/// Nobody was in the way, which is the usual case and must cost next to nothing.
template <class Function, class Mutex>
void acquiredAtOnce(const Function& function, Mutex* mutex) noexcept {
    Lock* const lock = placeOf(mutex);
    if (lock == nullptr) return;
    const bool isAgain = isNestable(mutex) && lock->nesting != 0;
    const bool endsTests = foundTaken == mutex;
    if (!lock->isOfCondition && !endsTests && !(isAgain && lock->isRecorded)) [[likely]]
        return noteAcquired(*lock, isNestable(mutex));
    if (endsTests) foundTaken = nullptr;
    const Inside inside(function.region());
    recordAcquired(lock, isNestable(mutex), Paradigm::Pthread);
}

template <class Function, class Mutex, class... Arguments>
int acquire(Function& function, threads::Function<int(Mutex*)>& tryFirst, const void* caller, Mutex* mutex,
            Arguments... arguments) noexcept {
    if (!records(function, caller)) return function.call(caller, mutex, arguments...);
    const int error = tryFirst.call(caller, mutex);
    if (isAcquired(error)) {
        acquiredAtOnce(function, mutex);
        return error;
    }
    const Inside inside(function.region());
    Lock* const lock = placeOf(mutex);
    const Waiting waiting(lock);
    if (lock != nullptr) awaits(awaitedAt(*lock, mutex));
    const int waited = function.call(caller, mutex, arguments...);
    if (isAcquired(waited)) recordAcquired(lock, isNestable(mutex), Paradigm::Pthread);
    if (isTimeout(waited)) timedOut(0);
    return waited;
}

/// `taken`: what the function returns where somebody has the mutex.
template <class Mutex>
int tryToAcquire(Function<int(Mutex*)>& function, int taken, const void* caller, Mutex* mutex) noexcept {
    if (!records(function, caller)) return function.call(caller, mutex);
    markTime();
    const int error = function.call(caller, mutex);
    if (isAcquired(error)) {
        acquiredAtOnce(function, mutex);
    } else if (error == taken) {
        foundTaken = mutex;
        Lock* const lock = placeOf(mutex);
        noteTestedInVain(lock);
        const bool isAdded = passedInVain(function.region(), pathHere());
        if (!isAdded && lock != nullptr) awaits(awaitedAt(*lock, mutex));
    }
    return error;
}

template <class Mutex>
int release(Function<int(Mutex*)>& function, const void* caller, Mutex* mutex) noexcept {
    if (!records(function, caller)) return function.call(caller, mutex);
    Lock* const lock = placeOf(mutex);
    if (lock == nullptr || !needsRelease(*lock, Paradigm::Pthread)) {
        if (lock != nullptr) noteReleased(*lock);
        return function.call(caller, mutex);
    }
    const Inside inside(function.region());
    recordReleased(lock, Paradigm::Pthread);
    return function.call(caller, mutex);
}

/// When a wait at a condition ends without a signal.
struct Deadline {
    clockid_t clock = CLOCK_REALTIME;
    const timespec* time = nullptr;  ///< null: never

    /// Since it passed, the thread has waited for the mutex.
    std::uint64_t passedFor() const noexcept {
        if (time == nullptr) return 0;
        const std::int64_t since = nanoseconds(clock) - (time->tv_sec * 1'000'000'000LL + time->tv_nsec);
        return since > 0 ? static_cast<std::uint64_t>(since) : 0;
    }
};
Deadline deadlineOf(const pthread_cond_t*) noexcept {
    return {};
}
/// The C library notes in the condition which clock its timeouts are of.
Deadline deadlineOf(const pthread_cond_t* condition, const timespec* time) noexcept {
    constexpr unsigned kIsMonotonic = 2;
    const unsigned flags = __atomic_load_n(&condition->__data.__wrefs, __ATOMIC_RELAXED);
    return {(flags & kIsMonotonic) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME, time};
}
Deadline deadlineOf(const pthread_cond_t*, clockid_t clock, const timespec* time) noexcept {
    return {clock, time};
}

/// Nothing here may need cleaning up: the thread can end while it waits (cancellation).
template <class Function, class... Arguments>
int wait(Function& function, const void* caller, pthread_cond_t* condition, pthread_mutex_t* mutex,
         Arguments... arguments) {
    if (!records(function, caller)) return function.call(caller, condition, mutex, arguments...);
    Lock* const lock = lockAt(mutex);
    Lock* const place = waitPlaceAt(condition, WaitPlace::Condition);
    const Deadline deadline = deadlineOf(condition, arguments...);
    if (lock != nullptr) {
        lock->isOfCondition = true;
        needsRelease(*lock, Paradigm::Pthread);
    }
    enter(function.region());
    recordReleased(lock, Paradigm::Pthread);
    if (place != nullptr) place->waiters.fetch_add(1, std::memory_order_relaxed);
    const int error = function.call(caller, condition, mutex, arguments...);
    if (place != nullptr) {
        place->waiters.fetch_sub(1, std::memory_order_relaxed);
        if (error == 0) recordWoken(*place);
    }
    if (isTimeout(error)) timedOut(deadline.passedFor());
    recordAcquired(lock, isNestable(mutex), Paradigm::Pthread);
    leave(function.region());
    return error;
}

int wake(OfCondition& function, pthread_cond_t* condition, const void* caller) noexcept {
    if (!records(function, caller)) return function.call(caller, condition);
    const Inside inside(function.region());
    if (Lock* const place = awaitedPlaceAt(condition, WaitPlace::Condition)) recordWake(*place);
    return function.call(caller, condition);
}

void defineMutexes() noexcept {
    const auto define = [](auto&... functions) { (functions.defineRegion(), ...); };
    define(lockMutex, tryMutex, lockMutexUntil, lockMutexUntilBy, unlockMutex, waitFor, waitUntil,
           waitUntilBy, signalOne, signalAll);
    define(lockSpinning, trySpinning, unlockSpinning);
    define(lockC11, tryC11, unlockC11, lockC11Until, waitC11, waitC11Until, signalC11, signalAllC11);
    const auto leaveOut = [](auto&... functions) { (functions.leaveOutAnothers(), ...); };
    leaveOut(lockC11, tryC11, unlockC11, lockC11Until, waitC11, waitC11Until, signalC11, signalAllC11);
}

}  // namespace

void prepareSynchronization() noexcept {
    preparation.doOnce(&defineMutexes);
    prepareWaitPlaces();
}

void expectSynchronization() noexcept {
    isExpected.store(true, std::memory_order_relaxed);
}

}  // namespace holos::tracing::threads

using namespace holos::tracing::threads;

HOLOS_INTERPOSED int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
    return acquire(lockMutex, tryMutex, HOLOS_CALLER(), mutex);
}
HOLOS_INTERPOSED int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
    return tryToAcquire(tryMutex, EBUSY, HOLOS_CALLER(), mutex);
}
HOLOS_INTERPOSED int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* until) noexcept {
    return acquire(lockMutexUntil, tryMutex, HOLOS_CALLER(), mutex, until);
}
HOLOS_INTERPOSED int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                                             const timespec* until) noexcept {
    return acquire(lockMutexUntilBy, tryMutex, HOLOS_CALLER(), mutex, clock, until);
}
HOLOS_INTERPOSED int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
    return release(unlockMutex, HOLOS_CALLER(), mutex);
}

HOLOS_INTERPOSED int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
    return acquire(lockSpinning, trySpinning, HOLOS_CALLER(), lock);
}
HOLOS_INTERPOSED int pthread_spin_trylock(pthread_spinlock_t* lock) noexcept {
    return tryToAcquire(trySpinning, EBUSY, HOLOS_CALLER(), lock);
}
HOLOS_INTERPOSED int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
    return release(unlockSpinning, HOLOS_CALLER(), lock);
}

HOLOS_INTERPOSED int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
    return wait(waitFor, HOLOS_CALLER(), condition, mutex);
}
HOLOS_INTERPOSED int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                            const timespec* until) {
    return wait(waitUntil, HOLOS_CALLER(), condition, mutex, until);
}
HOLOS_INTERPOSED int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                            clockid_t clock, const timespec* until) {
    return wait(waitUntilBy, HOLOS_CALLER(), condition, mutex, clock, until);
}

HOLOS_INTERPOSED int pthread_cond_signal(pthread_cond_t* condition) noexcept {
    return wake(signalOne, condition, HOLOS_CALLER());
}
HOLOS_INTERPOSED int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
    return wake(signalAll, condition, HOLOS_CALLER());
}

namespace {

pthread_mutex_t* posix(mtx_t* mutex) noexcept {
    return reinterpret_cast<pthread_mutex_t*>(mutex);
}
pthread_cond_t* posix(cnd_t* condition) noexcept {
    return reinterpret_cast<pthread_cond_t*>(condition);
}

}  // namespace

HOLOS_INTERPOSED int mtx_lock(mtx_t* mutex) {
    return acquire(lockC11, tryC11, HOLOS_CALLER(), posix(mutex));
}
HOLOS_INTERPOSED int mtx_timedlock(mtx_t* mutex, const timespec* until) {
    return acquire(lockC11Until, tryC11, HOLOS_CALLER(), posix(mutex), until);
}
HOLOS_INTERPOSED int mtx_trylock(mtx_t* mutex) {
    return tryToAcquire(tryC11, thrd_busy, HOLOS_CALLER(), posix(mutex));
}
HOLOS_INTERPOSED int mtx_unlock(mtx_t* mutex) {
    return release(unlockC11, HOLOS_CALLER(), posix(mutex));
}
HOLOS_INTERPOSED int cnd_wait(cnd_t* condition, mtx_t* mutex) {
    return wait(waitC11, HOLOS_CALLER(), posix(condition), posix(mutex));
}
HOLOS_INTERPOSED int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* until) {
    return wait(waitC11Until, HOLOS_CALLER(), posix(condition), posix(mutex), until);
}
HOLOS_INTERPOSED int cnd_signal(cnd_t* condition) {
    return wake(signalC11, posix(condition), HOLOS_CALLER());
}
HOLOS_INTERPOSED int cnd_broadcast(cnd_t* condition) {
    return wake(signalAllC11, posix(condition), HOLOS_CALLER());
}

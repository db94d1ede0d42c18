// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/threads/synchronization.h"

#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

#include <atomic>
#include <cerrno>
#include <ctime>

#include "tracing/code/loaded/runtimes.h"
#include "tracing/recorder/core/call_paths.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/filtering.h"
#include "tracing/recorder/core/keep_errno.h"
#include "tracing/recorder/core/locks.h"
#include "tracing/recorder/core/open_call.h"
#include "tracing/recorder/core/polls.h"
#include "tracing/recorder/interpose/next_function.h"
#include "tracing/recordings/format/waiting_notes.h"

namespace holos::tracing::threads {
namespace {

/// A function of the C library, or of one in front of it, and its region.
template <class Type>
class Function;

template <class... Parameters>
class Function<int(Parameters...)> {
  public:
    explicit constexpr Function(const char* name, const char* version = nullptr) : next_(name, version) {}

    int operator()(const void* caller, Parameters... parameters) {
        return next_.behind(caller)(parameters...);
    }

    void defineRegion() noexcept {
        isLeftOut_ = core::isCallFilteredOut(next_.name());
        region_.store(tracing::defineRegion({next_.name(), "pthread", 0, 0, Paradigm::Pthread, Role::Lock}),
                      std::memory_order_relaxed);
    }
    /// Of what is not the C library's own nobody knows what it does to which memory.
    void leaveOutAnothers() noexcept {
        isLeftOut_ = isLeftOut_ || !code::isSystem(reinterpret_cast<const void*>(next_.get()));
    }
    /// By the filter, or because it is another one.
    bool isLeftOut() const noexcept { return isLeftOut_; }
    /// 0 until the program has threads.
    RegionRef region() const noexcept { return region_.load(std::memory_order_relaxed); }

  private:
    interpose::Next<int(Parameters...)> next_;
    std::atomic<RegionRef> region_{0};
    bool isLeftOut_ = false;  ///< known before regions are used
};

/// One thread defines the regions; others that come meanwhile record nothing yet.
class Definition {
  public:
    bool isDone() const noexcept { return state_.load(std::memory_order_acquire) == State::Done; }

    template <class Define>
    void doOnce(Define define) noexcept {
        State open = State::Open;
        if (isDone() || !state_.compare_exchange_strong(open, State::Begun)) return;
        define();
        state_.store(State::Done, std::memory_order_release);
    }

  private:
    enum class State : std::uint8_t { Open, Begun, Done };
    std::atomic<State> state_{State::Open};
};

/// Mutexes and conditions are recorded from the first thread of the program, or of OpenMP, on: interpreters
/// use them for themselves. Semaphores, barriers and read-write locks are from the first call on that waits,
/// too.
constinit Definition ofMutexes, ofOthers;
/// There are threads of OpenMP: the next use of a mutex or a condition defines the regions.
constinit std::atomic<bool> areExpected{false};

void defineMutexes() noexcept;
void defineSharedLocks() noexcept;
void defineMeetings() noexcept;

void prepareOthers() noexcept {
    ofOthers.doOnce([] {
        defineMeetings();
        defineSharedLocks();
    });
}

/// Of a function of mutexes or conditions.
template <class Function>
bool records(const Function& function, const void* caller) noexcept {
    const bool isKnown = ofMutexes.isDone();
    if (!isKnown && !areExpected.load(std::memory_order_relaxed)) return false;
    if (!recording() || code::isRuntime(caller)) return false;
    if (!isKnown) {
        const core::KeepErrno keep;
        prepareSynchronization();
    }
    return ofMutexes.isDone() && !function.isLeftOut();
}

/// Of another one that may end the waiting of others.
template <class Function>
bool recordsWake(const Function& function, const void* caller) noexcept {
    return ofOthers.isDone() && recording() && !function.isLeftOut() && !code::isRuntime(caller);
}

/// Of another one that is about to wait. Within a call of MPI the time is that of the call.
template <class Function>
bool recordsWait(const Function& function, const void* caller) noexcept {
    if (!recording() || code::isRuntime(caller) || isInOpenCall()) return false;
    prepareOthers();
    return !function.isLeftOut();
}

class Inside {
  public:
    explicit Inside(RegionRef region) noexcept : region_(region) { enter(region_); }
    ~Inside() { leave(region_); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

  private:
    RegionRef region_;
};

}  // namespace

void prepareSynchronization() noexcept {
    ofMutexes.doOnce(&defineMutexes);
    prepareOthers();
}

void expectSynchronization() noexcept {
    areExpected.store(true, std::memory_order_relaxed);
}

}  // namespace holos::tracing::threads

// Mutexes, spin locks and condition variables, of POSIX threads and of C11. Allocators use mutexes, too: what
// is called here must not allocate.
namespace holos::tracing::threads {
namespace {

/// The C library has functions on condition variables twice, for an old form of them as well.
#if defined(__x86_64__)
constexpr const char* kPresent = "GLIBC_2.3.2";
#else
constexpr const char* kPresent = nullptr;
#endif

using OfMutex = Function<int(pthread_mutex_t*)>;
using OfCondition = Function<int(pthread_cond_t*)>;
constinit OfMutex lockMutex("pthread_mutex_lock");
constinit OfMutex tryMutex("pthread_mutex_trylock");
constinit Function<int(pthread_mutex_t*, const timespec*)> lockMutexUntil("pthread_mutex_timedlock");
constinit Function<int(pthread_mutex_t*, clockid_t, const timespec*)> lockMutexUntilBy(
    "pthread_mutex_clocklock");
constinit OfMutex unlockMutex("pthread_mutex_unlock");
constinit Function<int(pthread_cond_t*, pthread_mutex_t*)> waitFor("pthread_cond_wait", kPresent);
constinit Function<int(pthread_cond_t*, pthread_mutex_t*, const timespec*)> waitUntil(
    "pthread_cond_timedwait", kPresent);
constinit Function<int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*)> waitUntilBy(
    "pthread_cond_clockwait");
constinit OfCondition signalOne("pthread_cond_signal", kPresent);
constinit OfCondition signalAll("pthread_cond_broadcast", kPresent);

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

/// As POSIX and as C11 say it; neither is anything else that functions with a timeout return.
bool isTimeout(int error) noexcept {
    return error == ETIMEDOUT || error == thrd_timedout;
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
    if (!records(function, caller)) return function(caller, mutex, arguments...);
    const int error = tryFirst(caller, mutex);
    if (isAcquired(error)) {
        acquiredAtOnce(function, mutex);
        return error;
    }
    const Inside inside(function.region());
    Lock* const lock = placeOf(mutex);
    const Waiting waiting(lock);
    if (lock != nullptr) awaits(awaitedAt(*lock, mutex));
    const int waited = function(caller, mutex, arguments...);
    if (isAcquired(waited)) recordAcquired(lock, isNestable(mutex), Paradigm::Pthread);
    if (isTimeout(waited)) timedOut(0);
    return waited;
}

/// `taken`: what the function returns where somebody has the mutex.
template <class Mutex>
int tryToAcquire(Function<int(Mutex*)>& function, int taken, const void* caller, Mutex* mutex) noexcept {
    if (!records(function, caller)) return function(caller, mutex);
    markTime();
    const int error = function(caller, mutex);
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
    if (!records(function, caller)) return function(caller, mutex);
    Lock* const lock = placeOf(mutex);
    if (lock == nullptr || !needsRelease(*lock, Paradigm::Pthread)) {
        if (lock != nullptr) noteReleased(*lock);
        return function(caller, mutex);
    }
    const Inside inside(function.region());
    recordReleased(lock, Paradigm::Pthread);
    return function(caller, mutex);
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
    if (!records(function, caller)) return function(caller, condition, mutex, arguments...);
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
    const int error = function(caller, condition, mutex, arguments...);
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
    if (!records(function, caller)) return function(caller, condition);
    const Inside inside(function.region());
    if (Lock* const place = awaitedPlaceAt(condition, WaitPlace::Condition)) recordWake(*place);
    return function(caller, condition);
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

// Locks for reading and writing of POSIX threads. One that is free leaves no events: an acquisition is
// recorded where it had to wait, a release where somebody waits for it.
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
    if (isTimeout(error)) timedOut(0);
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

void defineSharedLocks() noexcept {
    const auto define = [](auto&... functions) { (functions.defineRegion(), ...); };
    define(lockForReading, lockForWriting, readUntil, writeUntil, readUntilBy, writeUntilBy, unlockShared);
}

}  // namespace
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

// Barriers and semaphores of POSIX threads. A semaphore that has a token, or for which nobody waits, costs
// next to nothing and leaves no events. `sem_post` may be called in signal handlers.
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
    if (result != 0 && error == ETIMEDOUT) timedOut(0);
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

void defineMeetings() noexcept {
    const auto define = [](auto&... functions) { (functions.defineRegion(), ...); };
    define(meetAt, takeToken, takeTokenUntil, takeTokenUntilBy, postToken);
}

}  // namespace
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

// SPDX-License-Identifier: BSD-3-Clause
// Mutexes and condition variables. Allocators use mutexes, too: what is called here must not allocate.
#include "tracing/threads/synchronization.h"

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>

#include "tracing/core/events.h"
#include "tracing/core/locks.h"
#include "tracing/core/runtimes.h"

#define HOLOS_INTERPOSED extern "C" __attribute__((visibility("default")))

namespace holos::tracing::threads {
namespace {

[[maybe_unused]] bool areOfOneLibrary(const void* one, const void* other) noexcept {
    Dl_info ofOne{};
    Dl_info ofOther{};
    return one != nullptr && other != nullptr && ::dladdr(one, &ofOne) != 0 &&
           ::dladdr(other, &ofOther) != 0 && ofOne.dli_fbase == ofOther.dli_fbase;
}

/// A function of the C library, or of one in front of it, and its region.
template <class Type>
class Function;

template <class... Parameters>
class Function<int(Parameters...)> {
  public:
    explicit constexpr Function(const char* name) : name_(name) {}

    int operator()(Parameters... parameters) {
        Address* address = address_.load(std::memory_order_relaxed);
        if (address == nullptr) {
            address = find();
            address_.store(address, std::memory_order_relaxed);
        }
        return address(parameters...);
    }

    void defineRegion() noexcept {
        region_.store(tracing::defineRegion({name_, "pthread", 0, 0, Paradigm::Pthread, Role::Lock}),
                      std::memory_order_relaxed);
    }
    /// 0 until the program has threads.
    RegionRef region() const noexcept { return region_.load(std::memory_order_relaxed); }

  private:
    using Address = int(Parameters...);

    Address* find() const noexcept {
        void* found = ::dlsym(RTLD_NEXT, name_);
#if defined(__x86_64__)
        // The C library has functions on condition variables twice, for an old form of them as well. Other
        // libraries in front of it, such as ThreadSanitizer's, have them without versions.
        if (std::strncmp(name_, "pthread_cond_", 13) == 0)
            if (void* const present = ::dlvsym(RTLD_NEXT, name_, "GLIBC_2.3.2");
                areOfOneLibrary(found, present))
                found = present;
#endif
        return reinterpret_cast<Address*>(found);
    }

    const char* name_;
    std::atomic<Address*> address_{nullptr};
    std::atomic<RegionRef> region_{0};
};

using OfMutex = Function<int(pthread_mutex_t*)>;
using OfCondition = Function<int(pthread_cond_t*)>;
constinit OfMutex lockMutex("pthread_mutex_lock");
constinit OfMutex tryMutex("pthread_mutex_trylock");
constinit Function<int(pthread_mutex_t*, const timespec*)> lockMutexUntil("pthread_mutex_timedlock");
constinit OfMutex unlockMutex("pthread_mutex_unlock");
constinit Function<int(pthread_cond_t*, pthread_mutex_t*)> waitFor("pthread_cond_wait");
constinit Function<int(pthread_cond_t*, pthread_mutex_t*, const timespec*)> waitUntil(
    "pthread_cond_timedwait");
constinit Function<int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*)> waitUntilBy(
    "pthread_cond_clockwait");
constinit OfCondition signalOne("pthread_cond_signal");
constinit OfCondition signalAll("pthread_cond_broadcast");

std::atomic<bool> isPrepared{false};

bool records(const void* caller) noexcept {
    return isPrepared.load(std::memory_order_relaxed) && recording() && !core::isRuntime(caller);
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

void acquired(pthread_mutex_t* mutex) noexcept {
    const bool isNestable = (mutex->__data.__kind & 3) == PTHREAD_MUTEX_RECURSIVE;
    recordAcquired(lockAt(mutex), isNestable, Paradigm::Pthread);
}
void released(pthread_mutex_t* mutex) noexcept {
    recordReleased(lockAt(mutex), Paradigm::Pthread);
}

template <class Function, class... Arguments>
int acquire(Function& function, const void* caller, pthread_mutex_t* mutex, Arguments... arguments) noexcept {
    if (!records(caller)) return function(mutex, arguments...);
    const Inside inside(function.region());
    const int error = function(mutex, arguments...);
    if (error == 0 || error == EOWNERDEAD) acquired(mutex);
    return error;
}

/// Nothing here may need cleaning up: the thread can end while it waits (cancellation).
template <class Function, class... Arguments>
int wait(Function& function, const void* caller, pthread_mutex_t* mutex, Arguments... arguments) {
    if (!records(caller)) return function(arguments...);
    enter(function.region());
    released(mutex);
    const int error = function(arguments...);
    acquired(mutex);
    leave(function.region());
    return error;
}

int wake(OfCondition& function, pthread_cond_t* condition, const void* caller) noexcept {
    if (!records(caller)) return function(condition);
    const Inside inside(function.region());
    return function(condition);
}

}  // namespace

void prepareSynchronization() noexcept {
    if (isPrepared.load(std::memory_order_relaxed)) return;
    const auto define = [](auto&... functions) { (functions.defineRegion(), ...); };
    define(lockMutex, tryMutex, lockMutexUntil, unlockMutex, waitFor, waitUntil, waitUntilBy, signalOne,
           signalAll);
    isPrepared.store(true, std::memory_order_relaxed);
}

}  // namespace holos::tracing::threads

using namespace holos::tracing::threads;

HOLOS_INTERPOSED int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
    return acquire(lockMutex, __builtin_return_address(0), mutex);
}
HOLOS_INTERPOSED int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
    return acquire(tryMutex, __builtin_return_address(0), mutex);
}
HOLOS_INTERPOSED int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* until) noexcept {
    return acquire(lockMutexUntil, __builtin_return_address(0), mutex, until);
}
HOLOS_INTERPOSED int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
    if (!records(__builtin_return_address(0))) return unlockMutex(mutex);
    const Inside inside(unlockMutex.region());
    released(mutex);
    return unlockMutex(mutex);
}

HOLOS_INTERPOSED int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
    return wait(waitFor, __builtin_return_address(0), mutex, condition, mutex);
}
HOLOS_INTERPOSED int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                            const timespec* until) {
    return wait(waitUntil, __builtin_return_address(0), mutex, condition, mutex, until);
}
HOLOS_INTERPOSED int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                            clockid_t clock, const timespec* until) {
    return wait(waitUntilBy, __builtin_return_address(0), mutex, condition, mutex, clock, until);
}

HOLOS_INTERPOSED int pthread_cond_signal(pthread_cond_t* condition) noexcept {
    return wake(signalOne, condition, __builtin_return_address(0));
}
HOLOS_INTERPOSED int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
    return wake(signalAll, condition, __builtin_return_address(0));
}

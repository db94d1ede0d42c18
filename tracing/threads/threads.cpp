// SPDX-License-Identifier: BSD-3-Clause
// Threads that the program starts itself become locations of their own. Threads of runtime systems do not:
// those of OpenMP are places in teams, those of MPI and the like are not the program's.
#include <pthread.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <mutex>

#include "tracing/core/binding.h"
#include "tracing/core/callers.h"
#include "tracing/core/counting.h"
#include "tracing/core/events.h"
#include "tracing/core/runtimes.h"
#include "tracing/core/thread.h"
#include "tracing/interpose/next_function.h"
#include "tracing/samples/sampler.h"
#include "tracing/samples/thread_stack.h"
#include "tracing/threads/synchronization.h"

namespace holos::tracing::core {
namespace {

using Routine = void* (*)(void*);
using Create = int(pthread_t*, const pthread_attr_t*, Routine, void*);

/// What a new thread needs; it frees it.
struct Start {
    Routine routine;
    void* argument;
    RegionRef region;
    std::uint32_t number;  ///< 0: not recorded
    std::size_t stackBytes;
};

std::atomic<std::uint32_t> threadsStarted{0};

/// The numbers of threads that can be joined. Never destroyed: threads may be joined while the program ends.
struct Numbers {
    std::mutex mutex;
    std::map<pthread_t, std::uint32_t> numbers;
};
Numbers& started() {
    static auto* const numbers = new Numbers;
    return *numbers;
}

/// Called by the thread itself.
void remember(std::uint32_t number) noexcept try {
    const Pause pause;
    const std::scoped_lock lock(started().mutex);
    started().numbers[::pthread_self()] = number;
} catch (...) {
}  // then the wait for it is not recorded

/// The number of a thread; 0 when it has none or has not begun.
std::uint32_t numberOf(pthread_t id) noexcept {
    const Pause pause;
    const std::scoped_lock lock(started().mutex);
    const auto found = started().numbers.find(id);
    return found != started().numbers.end() ? found->second : 0;
}

RegionRef managementRegion(const char* name, Role role) noexcept {
    RegionDefinition definition{};
    definition.name = name;
    definition.file = "pthread";
    definition.paradigm = Paradigm::Pthread;
    definition.role = role;
    return defineRegion(definition);
}

void endThread(void*) noexcept {
    Thread& thread = thisThread;
    if (thread.nesting == 0) readCounters(thread);
    if (thread.number != 0 && thread.nesting == 0) record<RecordKind::ThreadEnd>(thread.number);
    noteProcessor();
    const Busy busy(thread);
    samples::stopThread();
    stopCounters(thread);
    thread.countersFailed = true;
    if (thread.number != 0 && thread.location != nullptr) {
        noteEndedBinding(*thread.location);
        thread.location->close();
    }
    thread.location = nullptr;
    thread.state = thread.state + Thread::kOnePause;
}

pthread_key_t endKey() noexcept {
    static const pthread_key_t key = [] {
        pthread_key_t made{};
        pthread_key_create(&made, &endThread);
        return made;
    }();
    return key;
}

void beginThread(const Start& start) noexcept {
    Thread& thread = thisThread;
    thread.stackBytes = start.stackBytes;
    if (start.number == 0) {
        thread.isRuntimes = true;
        thread.state = thread.state + Thread::kOnePause;
        return;
    }
    watchEnd(thread);
    remember(start.number);
    thread.number = start.number;
    record<RecordKind::ThreadBegin>(thread.number);
    enter(start.region);
}

/// Nothing here may need cleaning up: the thread can end inside the routine (`pthread_exit`, cancellation).
void* run(void* data) {
    const Start start = *static_cast<Start*>(data);
    std::free(data);
    beginThread(start);
    Calling::replace(reinterpret_cast<const char*>(start.routine) + 1);
    void* result = start.routine(start.argument);
    if (start.number != 0) leave(start.region);
    return result;
}

/// By the thread's function: finding out where its code lies takes long.
RegionRef regionOf(Routine routine) noexcept {
    struct Known {
        std::atomic<Routine> routine{nullptr};
        std::atomic<RegionRef> region{0};
    };
    constexpr std::size_t kMostKnown = 64;
    static std::array<Known, kMostKnown> all;
    for (Known& known : all) {
        Routine there = known.routine.load(std::memory_order_relaxed);
        const RegionRef region = known.region.load(std::memory_order_acquire);
        if (there == routine && region != 0) return region;
        if (there != nullptr) continue;
        const RegionRef made = defineRegionAt(reinterpret_cast<const void*>(routine),
                                              {"thread", nullptr, 0, 0, Paradigm::Pthread, Role::Function});
        if (made != 0 && known.routine.compare_exchange_strong(there, routine))
            known.region.store(made, std::memory_order_release);
        return made;
    }
    return defineRegionAt(reinterpret_cast<const void*>(routine),
                          {"thread", nullptr, 0, 0, Paradigm::Pthread, Role::Function});
}

Start* makeStart(const pthread_attr_t* attributes, Routine routine, void* argument,
                 const void* caller) noexcept {
    auto* start = static_cast<Start*>(std::malloc(sizeof(Start)));
    if (start == nullptr) return nullptr;
    *start = {routine, argument, 0, 0, samples::stackBytesOf(attributes)};
    if (!recording() || isRuntime(caller)) return start;
    start->number = threadsStarted.fetch_add(1, std::memory_order_relaxed) + 1;
    start->region = regionOf(routine);
    return start;
}

}  // namespace

void watchEnd(Thread& thread) noexcept {
    pthread_setspecific(endKey(), &thread);
}

}  // namespace holos::tracing::core

#define HOLOS_INTERPOSED extern "C" __attribute__((visibility("default")))

HOLOS_INTERPOSED int pthread_create(pthread_t* id, const pthread_attr_t* attributes, void* (*routine)(void*),
                                    void* argument) {
    using namespace holos::tracing;
    const void* const caller = core::callerOf(__builtin_return_address(0));
    static constinit interpose::Next<core::Create> next("pthread_create");
    core::Create* const create = next.behind(caller);
    if (!core::recordingIsOpen.load(std::memory_order_relaxed))
        return create(id, attributes, routine, argument);
    core::Start* const start = core::makeStart(attributes, routine, argument, caller);
    if (start == nullptr) return create(id, attributes, routine, argument);
    const std::uint32_t number = start->number;  // the new thread frees the rest
    static const RegionRef kRegion = core::managementRegion("pthread_create", Role::ThreadCreate);
    if (number != 0) {
        threads::prepareSynchronization();
        enter(kRegion);
        core::record<RecordKind::ThreadCreate>(number);
    }
    const int error = create(id, attributes, &core::run, start);
    if (error != 0) std::free(start);
    if (number != 0) leave(kRegion);
    return error;
}

HOLOS_INTERPOSED int pthread_join(pthread_t id, void** result) {
    using namespace holos::tracing;
    const void* const caller = core::callerOf(__builtin_return_address(0));
    static constinit interpose::Next<int(pthread_t, void**)> next("pthread_join");
    auto* const join = next.behind(caller);
    if (!recording() || core::isRuntime(caller)) return join(id, result);
    static const RegionRef kRegion = core::managementRegion("pthread_join", Role::ThreadWait);
    std::uint32_t number = core::numberOf(id);
    enter(kRegion);
    const int error = join(id, result);
    if (number == 0) number = core::numberOf(id);
    if (error == 0 && number != 0) core::record<RecordKind::ThreadWait>(number);
    leave(kRegion);
    return error;
}

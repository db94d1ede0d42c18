// SPDX-License-Identifier: BSD-3-Clause
// Threads that the program starts itself become locations of their own. Threads of runtime systems do not:
// those of OpenMP are places in teams, those of MPI and the like are not the program's.
#include <dlfcn.h>
#include <pthread.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "tracing/core/counting.h"
#include "tracing/core/events.h"
#include "tracing/core/thread.h"

namespace holos::tracing::core {
namespace {

constexpr const char* kRuntimes[] = {"libgomp.", "libomp.",    "libiomp",  "libmpi",     "libmpich",
                                     "libopen-", "libpmix",    "libprrte", "libucs.",    "libucp.",
                                     "libuct.",  "libfabric.", "libevent", "libibverbs", "libcuda.",
                                     "libnccl",  "libpsm",     "mca_",     "libhwloc.",  "librdmacm"};

using Routine = void* (*)(void*);
using Create = int (*)(pthread_t*, const pthread_attr_t*, Routine, void*);

/// What a new thread needs; it frees it.
struct Start {
    Routine routine;
    void* argument;
    RegionRef region;
    bool recorded;
};

std::atomic<std::uint32_t> threadsStarted{0};

bool isRuntime(const void* caller) noexcept {
    Dl_info info{};
    if (::dladdr(caller, &info) == 0 || info.dli_fname == nullptr) return false;
    const char* slash = std::strrchr(info.dli_fname, '/');
    const char* name = slash != nullptr ? slash + 1 : info.dli_fname;
    for (const char* runtime : kRuntimes)
        if (std::strncmp(name, runtime, std::strlen(runtime)) == 0) return true;
    return false;
}

void endThread(void*) noexcept {
    Thread& thread = thisThread;
    if (thread.number != 0 && thread.nesting == 0) record<RecordKind::ThreadEnd>(thread.number);
    const Busy busy(thread);
    stopCounters(thread);
    thread.countersFailed = true;
    if (thread.number != 0 && thread.location != nullptr) thread.location->close();
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
    if (!start.recorded) {
        thread.isRuntimes = true;
        thread.state = thread.state + Thread::kOnePause;
        return;
    }
    watchEnd(thread);
    thread.number = threadsStarted.fetch_add(1, std::memory_order_relaxed) + 1;
    record<RecordKind::ThreadBegin>(thread.number);
    enter(start.region);
}

/// Nothing here may need cleaning up: the thread can end inside the routine (`pthread_exit`, cancellation).
void* run(void* data) {
    const Start start = *static_cast<Start*>(data);
    std::free(data);
    beginThread(start);
    void* result = start.routine(start.argument);
    if (start.recorded) leave(start.region);
    return result;
}

Start* makeStart(Routine routine, void* argument, const void* caller) noexcept {
    auto* start = static_cast<Start*>(std::malloc(sizeof(Start)));
    if (start == nullptr) return nullptr;
    *start = {routine, argument, 0, recording() && !isRuntime(caller)};
    if (start->recorded)
        start->region = defineRegionAt(reinterpret_cast<const void*>(routine),
                                       {"thread", nullptr, 0, 0, Paradigm::Pthread, Role::Function});
    return start;
}

}  // namespace

void watchEnd(Thread& thread) noexcept {
    pthread_setspecific(endKey(), &thread);
}

}  // namespace holos::tracing::core

extern "C" __attribute__((visibility("default"))) int pthread_create(pthread_t* id,
                                                                     const pthread_attr_t* attributes,
                                                                     void* (*routine)(void*),
                                                                     void* argument) {
    using namespace holos::tracing::core;
    static const auto create = reinterpret_cast<Create>(::dlsym(RTLD_NEXT, "pthread_create"));
    if (!recordingIsOn.load(std::memory_order_relaxed)) return create(id, attributes, routine, argument);
    Start* start = makeStart(routine, argument, __builtin_return_address(0));
    if (start == nullptr) return create(id, attributes, routine, argument);
    const int error = create(id, attributes, &run, start);
    if (error != 0) std::free(start);
    return error;
}

// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/core/thread.h"

#include <cstdio>

#include "tracing/core/binding.h"
#include "tracing/core/counting.h"
#include "tracing/samples/sampler.h"

namespace holos::tracing::core {

constinit thread_local Thread thisThread __attribute__((tls_model("initial-exec"))){};

Location* locate(Thread& thread) noexcept {
    if (thread.location != nullptr || !recordingIsOn.load(std::memory_order_relaxed)) return thread.location;
    char name[32];
    std::snprintf(name, sizeof name, "Thread %u", thread.number);
    thread.location = makeLocation(LocationKind::Thread, kNoLocation, 0, thread.number,
                                   thread.number != 0 ? name : "Thread");
    if (thread.location == nullptr) return nullptr;
    noteBinding(*thread.location);
    moveCounters(thread, nullptr, thread.location);
    samples::startThread(thread);
    return thread.location;
}

void missed(const Thread& thread) noexcept {
    if (thread.state == 0 && noteUnrecordedChild()) return;
    const bool interrupted =
        (thread.state & Thread::kBusy) != 0 && recordingIsOn.load(std::memory_order_relaxed);
    const bool failed = thread.state == 0 && status().failure != 0;
    if (interrupted || failed) countLost();
}

}  // namespace holos::tracing::core

// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/thread.h"

#include <algorithm>
#include <cstdio>

#include "tracing/recorder/core/binding.h"
#include "tracing/recorder/core/call_paths.h"
#include "tracing/recorder/core/confining.h"
#include "tracing/recorder/core/counting.h"

namespace holos::tracing::core {

constinit thread_local Thread thisThread __attribute__((tls_model("initial-exec"))){};

Location* locate(Thread& thread) noexcept {
    if (thread.location != nullptr || !recordingIsOn.load(std::memory_order_relaxed)) return thread.location;
    if (!mayAskKernel()) return nullptr;
    char name[32];
    std::snprintf(name, sizeof name, "Thread %u", thread.number);
    thread.location = makeLocation(LocationKind::Thread, kNoLocation, 0, thread.number,
                                   thread.number != 0 ? name : "Thread");
    if (thread.location == nullptr) return nullptr;
    noteBinding(thread, *thread.location);
    moveCounters(thread, nullptr, thread.location);
    stacks::startThread(thread);
    return thread.location;
}

void recordPassed(Thread& thread, std::uint64_t entered, std::uint64_t begin, const ReadCounts* counts,
                  std::uint64_t woken) noexcept {
    Location* const location = thread.location;
    if (thread.state != 0 || location == nullptr || !recordingIsOn.load(std::memory_order_relaxed)) return;
    const BusyOnce busy(thread);
    const std::uint64_t end = ticksNow();
    const bool isCounted = counts != nullptr && counts->isRead && thread.counters != nullptr;
    // Room for all first: where that takes long, it is after the region.
    const std::size_t words = recordWords(RecordKind::Enter, 0) +
                              (isCounted ? recordWords(RecordKind::Counters, countersOfProcess()) : 0);
    const std::size_t wokenWords = woken != kNotWoken ? recordWords(RecordKind::AcquireLock, 0) : 0;
    const bool hasRoom = !eventsAreWritten() || location->reserve(2 * words + wokenWords) != nullptr;
    if (!hasRoom && eventsAreWritten()) return countLost(2);
    begin = std::max(begin, thread.lastTime);
    if (isCounted) recordCounts(*counts, *location, begin);
    emit<RecordKind::Enter>(*location, begin, entered);
    if (hasLostMark()) noteShortage(thread.mark, *location, end);  // nobody knows when: it may be here
    if (woken != kNotWoken) emit<RecordKind::AcquireLock>(*location, end, woken, Paradigm::System);
    if (isCounted) recordCounters(thread, *location, end);
    emit<RecordKind::Leave>(*location, end, lowHalf(entered));
    thread.lastTime = end;
    emitFlush(*location);
    noteProcessor(*location, end);
}

void recordShortageSoFar(Thread& thread) noexcept {
    Location* const location = thread.location;
    if (location == nullptr) return;
    const BusyOnce busy(thread);
    thread.lastTime = std::max(thread.lastTime, ticksNow());
    noteShortage(thread.mark, *location, thread.lastTime);
}

void missed(const Thread& thread) noexcept {
    if (thread.state == 0 && noteUnrecordedChild()) return;
    std::atomic_thread_fence(std::memory_order_acquire);  // the reason was there before events were off
    const bool interrupted =
        (thread.state & Thread::kBusy) != 0 && recordingIsOn.load(std::memory_order_relaxed);
    const bool failed = thread.state == 0 && status().failure != 0;
    const bool silent = thread.isSilent && !thread.isOff && recordingIsOn.load(std::memory_order_relaxed);
    if (interrupted || failed || silent) countLost();
}

}  // namespace holos::tracing::core

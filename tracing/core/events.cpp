// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/core/events.h"

#include <atomic>

#include "tracing/core/thread.h"

namespace holos::tracing {

using core::record;
using core::thisThread;
using core::Thread;
using core::When;

bool recording() noexcept {
    return thisThread.state == 0 && core::recordingIsOn.load(std::memory_order_relaxed);
}

Pause::Pause() noexcept {
    thisThread.state = thisThread.state + Thread::kOnePause;
}
Pause::~Pause() {
    thisThread.state = thisThread.state - Thread::kOnePause;
}

bool enter(RegionRef region) noexcept {
    return region != 0 && record<RecordKind::Enter>(region);
}
void leave(RegionRef region) noexcept {
    if (region != 0) record<RecordKind::Leave>(region);
}
void markTime() noexcept {
    thisThread.lastTime = ticksNow();
}
void leaveAtMark(RegionRef region) noexcept {
    if (region != 0) record<RecordKind::Leave, When::Last>(region);
}

std::uint64_t clockTicks() noexcept {
    return ticksNow();
}
std::int64_t clockNow() noexcept {
    return nanoseconds(CLOCK_MONOTONIC_RAW);
}

void mpiSend(std::uint32_t receiver, CommRef comm, std::uint32_t tag, std::uint64_t bytes) noexcept {
    if (comm != 0) record<RecordKind::MpiSend, When::Last>(pair(receiver, comm), tag, bytes);
}
void mpiRecv(std::uint32_t sender, CommRef comm, std::uint32_t tag, std::uint64_t bytes) noexcept {
    if (comm != 0) record<RecordKind::MpiRecv, When::Last>(pair(sender, comm), tag, bytes);
}
RequestId newRequest() noexcept {
    static std::atomic<RequestId> last{0};
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
}
void mpiIsend(std::uint32_t receiver, CommRef comm, std::uint32_t tag, std::uint64_t bytes,
              RequestId request) noexcept {
    if (comm != 0) record<RecordKind::MpiIsend, When::Last>(pair(receiver, comm), tag, bytes, request);
}
void mpiIsendComplete(RequestId request) noexcept {
    record<RecordKind::MpiIsendComplete, When::Last>(request);
}
void mpiIrecvRequest(RequestId request) noexcept {
    record<RecordKind::MpiIrecvRequest, When::Last>(request);
}
void mpiIrecv(std::uint32_t sender, CommRef comm, std::uint32_t tag, std::uint64_t bytes,
              RequestId request) noexcept {
    if (comm != 0) record<RecordKind::MpiIrecv, When::Last>(pair(sender, comm), tag, bytes, request);
}
void mpiRequestTest(RequestId request) noexcept {
    record<RecordKind::MpiRequestTest, When::Last>(request);
}
void mpiRequestCancelled(RequestId request) noexcept {
    record<RecordKind::MpiRequestCancelled, When::Last>(request);
}
void mpiCollectiveBegin() noexcept {
    record<RecordKind::MpiCollectiveBegin, When::Last>();
}
void mpiCollectiveEnd(Collective operation, CommRef comm, std::uint32_t root, std::uint64_t sent,
                      std::uint64_t received) noexcept {
    if (comm != 0)
        record<RecordKind::MpiCollectiveEnd, When::Last>(pair(static_cast<std::uint32_t>(operation), comm),
                                                         root, sent, received);
}

void threadFork(Paradigm paradigm, std::uint32_t requestedThreads) noexcept {
    record<RecordKind::ThreadFork>(pair(static_cast<std::uint32_t>(paradigm), requestedThreads));
}
void threadJoin(Paradigm paradigm) noexcept {
    record<RecordKind::ThreadJoin>(paradigm);
}

void acquireLock(Paradigm paradigm, std::uint32_t lock, std::uint32_t order) noexcept {
    record<RecordKind::AcquireLock>(pair(lock, order), paradigm);
}
void releaseLock(Paradigm paradigm, std::uint32_t lock, std::uint32_t order) noexcept {
    record<RecordKind::ReleaseLock>(pair(lock, order), paradigm);
}

}  // namespace holos::tracing

// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/core/events.h"

#include <atomic>

#include "tracing/core/call_paths.h"
#include "tracing/core/thread.h"

namespace holos::tracing {

using core::noteProcessor;
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
    return region != 0 && record<RecordKind::Enter>(pair(region, stacks::callPath()));
}
bool enterFrom(RegionRef region, const void* frame) noexcept {
    return region != 0 && record<RecordKind::Enter>(pair(region, stacks::callPathFrom(frame)));
}
bool enterDirectly(RegionRef region) noexcept {
    return region != 0 && record<RecordKind::Enter>(region);
}
PathRef pathHere() noexcept {
    return stacks::callPath();
}
void enterAlong(RegionRef region, PathRef path) noexcept {
    if (region != 0) record<RecordKind::Enter>(pair(region, path));
}
void leave(RegionRef region) noexcept {
    if (region != 0) record<RecordKind::Leave>(region);
}
void markTime() noexcept {
    thisThread.lastTime = ticksNow();
}
void enterAtMark(RegionRef region, PathRef path) noexcept {
    if (region != 0) record<RecordKind::Enter, When::Last>(pair(region, path));
}
void leaveAtMark(RegionRef region) noexcept {
    if (region != 0) record<RecordKind::Leave, When::Last>(region);
}

void passed(RegionRef region, std::uint64_t begin) noexcept {
    if (region != 0) core::recordPassed(thisThread, pair(region, stacks::callPath()), begin);
}

std::uint64_t lastEventTicks() noexcept {
    return thisThread.lastTime;
}

void metricValue(MetricRef metric, std::uint64_t bits) noexcept {
    if (metric != 0) record<RecordKind::MetricValue>(metric, bits);
}
void parameterValue(ParameterRef parameter, std::int64_t value) noexcept {
    if (parameter != 0) record<RecordKind::ParameterValue>(parameter, value);
}
void measurementOff() noexcept {
    Thread& thread = thisThread;
    if (thread.isOff) return;
    record<RecordKind::MeasurementOff>();
    thread.isOff = true;
    thread.state = thread.state + Thread::kOnePause;
}
void measurementOn() noexcept {
    Thread& thread = thisThread;
    if (!thread.isOff) return;
    thread.isOff = false;
    thread.state = thread.state - Thread::kOnePause;
    record<RecordKind::MeasurementOn>();
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
    noteProcessor();
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
    noteProcessor();
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
    noteProcessor();
}
void mpiCollectiveRequest(RequestId request) noexcept {
    record<RecordKind::MpiCollectiveRequest, When::Last>(request);
}
void mpiCollectiveComplete(Collective operation, CommRef comm, std::uint32_t root, std::uint64_t sent,
                           std::uint64_t received, RequestId request) noexcept {
    if (comm != 0)
        record<RecordKind::MpiCollectiveComplete, When::Last>(
            pair(static_cast<std::uint32_t>(operation), comm), root, sent, received, request);
    noteProcessor();
}

void rmaWinCreate(WinRef win) noexcept {
    if (win != 0) record<RecordKind::RmaWinCreate, When::Last>(win);
}
void rmaWinDestroy(WinRef win) noexcept {
    if (win != 0) record<RecordKind::RmaWinDestroy, When::Last>(win);
}
void rmaCollectiveBegin() noexcept {
    record<RecordKind::RmaCollectiveBegin, When::Last>();
}
void rmaCollectiveEnd(Collective operation, RmaSyncLevel level, WinRef win) noexcept {
    if (win != 0)
        record<RecordKind::RmaCollectiveEnd, When::Last>(pair(static_cast<std::uint32_t>(operation), win),
                                                         level);
}
void rmaGroupSync(RmaSyncLevel level, WinRef win, GroupRef group) noexcept {
    if (win != 0)
        record<RecordKind::RmaGroupSync, When::Last>(pair(static_cast<std::uint32_t>(level), win), group);
}
void rmaRequestLock(std::uint32_t target, WinRef win, bool isExclusive) noexcept {
    if (win != 0) record<RecordKind::RmaRequestLock, When::Last>(pair(target, win), isExclusive);
}
void rmaReleaseLock(std::uint32_t target, WinRef win) noexcept {
    if (win != 0) record<RecordKind::RmaReleaseLock, When::Last>(pair(target, win));
}
void rmaPut(std::uint32_t target, WinRef win, std::uint64_t bytes, std::uint64_t operation) noexcept {
    if (win != 0) record<RecordKind::RmaPut, When::Last>(pair(target, win), bytes, operation);
}
void rmaGet(std::uint32_t target, WinRef win, std::uint64_t bytes, std::uint64_t operation) noexcept {
    if (win != 0) record<RecordKind::RmaGet, When::Last>(pair(target, win), bytes, operation);
}
void rmaAtomic(std::uint32_t target, WinRef win, RmaAtomic type, std::uint64_t sent, std::uint64_t received,
               std::uint64_t operation) noexcept {
    if (win != 0)
        record<RecordKind::RmaAtomic, When::Last>(pair(target, win), type, sent, received, operation);
}
void rmaComplete(RmaCompletion where, WinRef win, std::uint64_t operation) noexcept {
    if (win == 0) return;
    if (where == RmaCompletion::Here)
        record<RecordKind::RmaCompleteHere, When::Last>(win, operation);
    else
        record<RecordKind::RmaCompleteRemote, When::Last>(win, operation);
}
void rmaSyncMemory(std::uint32_t ownRank, WinRef win) noexcept {
    if (win != 0) record<RecordKind::RmaSyncMemory, When::Last>(pair(ownRank, win));
}

void fileOpened(HandleRef handle, FileAccess access, std::uint32_t flags) noexcept {
    if (handle != 0) record<RecordKind::FileOpened, When::Last>(pair(handle, flags), access);
}
void fileClosed(HandleRef handle) noexcept {
    if (handle != 0) record<RecordKind::FileClosed, When::Last>(handle);
}
void fileDeleted(FileRef file) noexcept {
    if (file != 0) record<RecordKind::FileDeleted, When::Last>(file);
}
void fileSeek(HandleRef handle, SeekFrom from, std::int64_t offset, std::uint64_t result) noexcept {
    if (handle != 0)
        record<RecordKind::FileSeek, When::Last>(pair(handle, static_cast<std::uint32_t>(from)), offset,
                                                 result);
}
void fileBegin(HandleRef handle, FileOperation operation, IoOperationFlag flag, std::uint64_t bytes,
               RequestId number) noexcept {
    if (handle != 0)
        record<RecordKind::FileBegin, When::Last>(pair(handle, static_cast<std::uint32_t>(operation)), flag,
                                                  bytes, number);
}
void fileIssued(HandleRef handle, RequestId operation) noexcept {
    if (handle != 0) record<RecordKind::FileIssued, When::Last>(handle, operation);
}
void fileTested(HandleRef handle, RequestId operation) noexcept {
    if (handle != 0) record<RecordKind::FileTested, When::Last>(handle, operation);
}
void fileComplete(HandleRef handle, std::uint64_t bytes, RequestId operation) noexcept {
    if (handle != 0) record<RecordKind::FileComplete, When::Last>(handle, bytes, operation);
}
void collectiveHandle(HandleRef handle) noexcept {
    if (handle != 0) record<RecordKind::FileCollective, When::Last>(handle);
}

void threadFork(Paradigm paradigm, std::uint32_t requestedThreads) noexcept {
    record<RecordKind::ThreadFork>(pair(static_cast<std::uint32_t>(paradigm), requestedThreads));
}
void threadJoin(Paradigm paradigm) noexcept {
    record<RecordKind::ThreadJoin>(paradigm);
}

void taskCreate(const TaskId& task) noexcept {
    record<RecordKind::TaskCreate, When::Last>(task.team, pair(task.creator, task.generation));
}
void taskSwitch(const TaskId& task) noexcept {
    record<RecordKind::TaskSwitch, When::Last>(task.team, pair(task.creator, task.generation));
}
void taskComplete(const TaskId& task) noexcept {
    record<RecordKind::TaskComplete, When::Last>(task.team, pair(task.creator, task.generation));
}

TaskCalls replaceTaskCalls(TaskCalls calls) noexcept {
    return std::exchange(thisThread.taskCalls, calls);
}

void acquireLock(Paradigm paradigm, std::uint32_t lock, std::uint32_t order) noexcept {
    record<RecordKind::AcquireLock>(pair(lock, order), paradigm);
}
void releaseLock(Paradigm paradigm, std::uint32_t lock, std::uint32_t order) noexcept {
    record<RecordKind::ReleaseLock>(pair(lock, order), paradigm);
}

}  // namespace holos::tracing

// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/events.h"

#include <atomic>

#include "tracing/recorder/core/call_paths.h"
#include "tracing/recorder/core/counting.h"
#include "tracing/recorder/core/locks.h"
#include "tracing/recorder/core/thread.h"

namespace holos::tracing {

using core::noteProcessor;
using core::record;
using core::thisThread;
using core::Thread;
using core::When;

namespace {

template <class Enum>
constexpr std::uint32_t codeOf(Enum value) {
    return static_cast<std::uint32_t>(value);
}

}  // namespace

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
PathRef pathFrom(const void* frame) noexcept {
    return stacks::callPathFrom(frame);
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
    core::passed(region, begin, nullptr, nullptr);
}

void core::passed(RegionRef region, std::uint64_t begin, const ReadCounts* counts,
                  const Lock* woken) noexcept {
    if (region == 0 || thisThread.location == nullptr) return;
    const std::uint64_t by = woken != nullptr ? pair(woken->id, wokenOrder(*woken)) : kNotWoken;
    recordPassed(thisThread, pair(region, stacks::callPath()), begin, counts, by);
}

std::uint64_t lastEventTicks() noexcept {
    return thisThread.lastTime;
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

RequestId newRequest() noexcept {
    static std::atomic<RequestId> last{0};
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
}
TaskCalls replaceTaskCalls(TaskCalls calls) noexcept {
    return std::exchange(thisThread.taskCalls, calls);
}

// The events that are one record.
#define HOLOS_RECORD(kind, group, words)
#define HOLOS_EVENT(kind, group, words, when, function, parameters, isDefined, ...) \
    void function parameters noexcept {                                             \
        if (isDefined) record<RecordKind::kind, When::when>(__VA_ARGS__);           \
    }
#define HOLOS_ARRIVAL(kind, group, words, when, function, parameters, isDefined, ...) \
    void function parameters noexcept {                                               \
        if (isDefined) record<RecordKind::kind, When::when>(__VA_ARGS__);             \
        noteProcessor();                                                              \
    }
#include "tracing/recordings/format/events.def"

}  // namespace holos::tracing

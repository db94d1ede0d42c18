// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/open_call.h"

#include <atomic>
#include <utility>

#include "tracing/code/loaded/runtimes.h"
#include "tracing/recorder/core/call_paths.h"
#include "tracing/recorder/core/thread.h"

/// Of `tracing/recorder/functions`: functions of the program below that frame have ended.
extern "C" void holos_unwound(const void* frame);

namespace holos::tracing {
namespace {

using core::OpenCall;
using core::thisThread;

void unpause() {
    thisThread.state = thisThread.state - core::Thread::kOnePause;
}

void drop() {
    const OpenCall call = std::exchange(thisThread.openCall, {});
    if (call.isPaused) unpause();
    if (call.region == 0) return;
    holos_unwound(call.frame);
    callFailed();
    leaveAtMark(call.region);
}

/// Of a call within another: where the program calls it, and not MPI itself, that is said, once.
void noteWithin([[maybe_unused]] const void* frame) noexcept {
#if defined(__x86_64__)
    static std::atomic<bool> isSaid{false};
    if (isSaid.load(std::memory_order_relaxed)) return;
    const void* const caller = static_cast<const void* const*>(frame)[1];
    if (code::isRuntime(caller) || isSaid.exchange(true)) return;
    trouble(
        "functions of the program that MPI calls, such as those of attributes, operations and error "
        "handlers, called MPI "
        "themselves: that is part of the call around it and not recorded");
#endif
}

inline bool begin(const void* frame) noexcept {
    if (thisThread.openCall.frame != nullptr) [[unlikely]] {
        if (frame < thisThread.openCall.frame) {
            noteWithin(frame);
            return false;
        }
        drop();
    }
    thisThread.openCall = {frame, 0, false};
    return true;
}

}  // namespace

bool beginOpenCall(const void* frame) noexcept {
    return begin(frame);
}

void setOpenRegion(RegionRef region) noexcept {
    thisThread.openCall.region = region;
}

Opened enterOpenCall(RegionRef region, const void* frame) noexcept {
    if (!begin(frame)) return Opened::PartOfAnother;
    const PathRef path = stacks::callPathFrom(frame);
    if (!core::record<RecordKind::Enter>(pair(region, path))) return Opened::Unrecorded;
    thisThread.openCall.region = region;
    return Opened::Recorded;
}

void pauseInOpenCall() noexcept {
    thisThread.openCall.isPaused = true;
    thisThread.state = thisThread.state + core::Thread::kOnePause;
}

bool endOpenCall(const void* frame) noexcept {
    if (thisThread.openCall.frame != frame) return false;
    if (std::exchange(thisThread.openCall, {}).isPaused) unpause();
    return true;
}

// Nothing follows the record, so that nothing is kept for it. A call that is recorded is not paused.
void leaveOpenCall(RegionRef region, const void* frame) noexcept {
    if (thisThread.openCall.frame == frame) thisThread.openCall = {};
    core::record<RecordKind::Leave>(region);
}

void leaveOpenCallAtMark(RegionRef region, const void* frame) noexcept {
    if (thisThread.openCall.frame == frame) thisThread.openCall = {};
    core::record<RecordKind::Leave, core::When::Last>(region);
}

bool isInOpenCall() noexcept {
    return thisThread.openCall.frame != nullptr;
}

void callFailed() noexcept {
    core::record<RecordKind::MpiFailed, core::When::Last>();
}

void core::dropOpenCallBelow(const void* frame) noexcept {
    if (thisThread.openCall.frame != nullptr && thisThread.openCall.frame < frame) drop();
}

}  // namespace holos::tracing

// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/core/open_call.h"

#include <utility>

#include "tracing/core/call_paths.h"
#include "tracing/core/thread.h"

/// Of `tracing/functions`: functions of the program below that frame have ended.
extern "C" void holos_unwound(const void* frame);

namespace holos::tracing {
namespace {

struct OpenCall {
    const void* frame;  ///< null outside of all calls
    RegionRef region;   ///< 0: not recorded
    bool isPaused;
};

thread_local OpenCall openCall __attribute__((tls_model("initial-exec")));

void unpause() {
    core::thisThread.state = core::thisThread.state - core::Thread::kOnePause;
}

void drop() {
    const OpenCall call = std::exchange(openCall, {});
    if (call.isPaused) unpause();
    if (call.region == 0) return;
    holos_unwound(call.frame);
    callFailed();
    leaveAtMark(call.region);
}

inline bool begin(const void* frame) noexcept {
    if (openCall.frame != nullptr) [[unlikely]] {
        if (frame < openCall.frame) return false;
        drop();
    }
    openCall = {frame, 0, false};
    return true;
}

inline bool end(const void* frame) noexcept {
    if (openCall.frame != frame) return false;
    const bool wasPaused = openCall.isPaused;
    openCall = {};
    if (wasPaused) [[unlikely]]
        unpause();
    return true;
}

}  // namespace

bool beginOpenCall(const void* frame) noexcept {
    return begin(frame);
}

void setOpenRegion(RegionRef region) noexcept {
    openCall.region = region;
}

Opened enterOpenCall(RegionRef region, const void* frame) noexcept {
    if (!begin(frame)) return Opened::PartOfAnother;
    const PathRef path = stacks::callPathFrom(frame);
    if (!core::record<RecordKind::Enter>(pair(region, path))) return Opened::Unrecorded;
    openCall.region = region;
    return Opened::Recorded;
}

void pauseInOpenCall() noexcept {
    openCall.isPaused = true;
    core::thisThread.state = core::thisThread.state + core::Thread::kOnePause;
}

bool endOpenCall(const void* frame) noexcept {
    return end(frame);
}

void leaveOpenCall(RegionRef region, const void* frame) noexcept {
    core::record<RecordKind::Leave>(region);
    end(frame);
}

void leaveOpenCallAtMark(RegionRef region, const void* frame) noexcept {
    core::record<RecordKind::Leave, core::When::Last>(region);
    end(frame);
}

bool isInOpenCall() noexcept {
    return openCall.frame != nullptr;
}

void callFailed() noexcept {
    core::record<RecordKind::MpiFailed, core::When::Last>();
}

void core::dropOpenCallBelow(const void* frame) noexcept {
    if (openCall.frame != nullptr && openCall.frame < frame) drop();
}

}  // namespace holos::tracing

// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/core/open_call.h"

#include <utility>

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

void unpause(const OpenCall& call) {
    if (call.isPaused) core::thisThread.state = core::thisThread.state - core::Thread::kOnePause;
}

void drop() {
    const OpenCall call = std::exchange(openCall, {});
    unpause(call);
    if (call.region == 0) return;
    holos_unwound(call.frame);
    callFailed();
    leaveAtMark(call.region);
}

}  // namespace

bool beginOpenCall(const void* frame) noexcept {
    if (openCall.frame != nullptr && frame < openCall.frame) return false;
    if (openCall.frame != nullptr) drop();
    openCall = {frame, 0, false};
    return true;
}

void setOpenRegion(RegionRef region) noexcept {
    openCall.region = region;
}

void pauseInOpenCall() noexcept {
    openCall.isPaused = true;
    core::thisThread.state = core::thisThread.state + core::Thread::kOnePause;
}

bool endOpenCall(const void* frame) noexcept {
    if (openCall.frame != frame) return false;
    unpause(std::exchange(openCall, {}));
    return true;
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

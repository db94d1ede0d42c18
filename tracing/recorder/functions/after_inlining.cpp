// SPDX-License-Identifier: BSD-3-Clause
// Start and end of functions that were instrumented after inlining (`hooks_x86_64.S`), where that is not the
// usual one, and all registers are saved.
#include <cstdint>
#include <cstring>

#include "tracing/recorder/functions/calls.h"

namespace holos::tracing::functions {
namespace {

/// The first instruction of the function whose call of `__holos_begin` returns to `place`. Only a mark for
/// indirect branches may stand before the call.
const void* beginOf(const char* place) {
    constexpr std::uint32_t kEndbr64 = 0xFA1E0FF3;
    constexpr int kCallBytes = 5;
    const char* const call = place - kCallBytes;
    std::uint32_t before = 0;
    std::memcpy(&before, call - sizeof before, sizeof before);
    return before == kEndbr64 ? call - sizeof before : call;
}

}  // namespace
}  // namespace holos::tracing::functions

using namespace holos::tracing::functions;

extern "C" void holosBeginSlowly(const char* place, const char* frame) {
    endCallsBelow(frame + 1);
    beginCall(place, beginOf(place), frame);
}

extern "C" void holosEndSlowly(const char* frame) {
    if (callStack.endsUncounted(frame + 1)) return;
    endCallsBelow(frame);
    if (callStack.depth > 0 && callStack.calls[callStack.depth - 1].frame == frame) endInnermost();
}

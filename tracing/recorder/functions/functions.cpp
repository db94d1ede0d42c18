// SPDX-License-Identifier: BSD-3-Clause
// What programs call that were instrumented by `-finstrument-functions` and the like: at the start and at the
// end of each function.
#include "tracing/recorder/functions/calls.h"

namespace holos::tracing::functions {
namespace {

void begin(const void* address, const void* frame) {
    if (!callStack.innermostIsGone(frame) && beginQuickly(address, frame)) [[likely]]
        return;
    endCallsBelow(frame);
    beginCall(address, address, frame);
}

[[gnu::noinline]] void endSlowly(const void* address, const void* frame) {
    if (callStack.endsUncounted(frame)) return;
    const std::uint32_t depth = callStack.depthBefore(address, frame);
    while (callStack.depth > depth) endInnermost();
}

void end(const void* address, const void* frame) {
    if (!callStack.innermostIs(address, frame) || !endQuickly()) [[unlikely]]
        endSlowly(address, frame);
}

}  // namespace
}  // namespace holos::tracing::functions

extern "C" __attribute__((visibility("default"))) void __cyg_profile_func_enter(void* address, void*) {
    holos::tracing::functions::begin(address, HOLOS_OWN_FRAME());
}

extern "C" __attribute__((visibility("default"))) void __cyg_profile_func_exit(void* address, void*) {
    holos::tracing::functions::end(address, HOLOS_OWN_FRAME());
}

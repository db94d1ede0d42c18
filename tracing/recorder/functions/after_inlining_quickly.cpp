// SPDX-License-Identifier: BSD-3-Clause
// The usual start and end of functions that were instrumented after inlining. Compiled so that it changes
// general registers only, which `hooks_x86_64.S` saves: arguments and results of the program are in the
// others.
#include <cpuid.h>

#include "tracing/recorder/functions/calls.h"

using namespace holos::tracing::functions;

#ifdef __OPTIMIZE__
constexpr bool kIsWhole = true;
#else
constexpr bool kIsWhole = false;  // it calls functions that are compiled as others are
#endif

/// False when nothing was done.
extern "C" __attribute__((flatten)) bool holosBeginQuickly(const char* place, const char* frame) {
    if constexpr (!kIsWhole) return false;
    if (callStack.innermostIsGone(frame + 1)) return false;
    return beginQuickly(place, frame);
}

extern "C" __attribute__((flatten)) bool holosEndQuickly(const char* frame) {
    if constexpr (!kIsWhole) return false;
    if (callStack.endsUncounted(frame + 1) || callStack.depth == 0) return true;
    const void* const innermost = callStack.calls[callStack.depth - 1].frame;
    if (innermost > frame) return true;  // its start was not told
    return innermost == frame && endQuickly();
}

/// The parts of the processor's state, as `xsave` counts them, in which functions have arguments and results;
/// 0 where it has no `xsave`.
extern "C" std::uint32_t holosVectorState() {
    constexpr std::uint32_t kParts = 0xE7;  // x87, SSE, AVX and AVX-512
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & bit_OSXSAVE) == 0) return 0;
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    asm("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low & kParts;
}

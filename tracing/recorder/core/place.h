// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace holos::tracing::core {

/// Where a thread is in a function: behind a call that it made.
struct CodePlace {
    std::uint64_t pc = 0;  ///< the address that the call returns to
    std::uint64_t sp = 0;  ///< the stack pointer before the call
    std::uint64_t fp = 0;  ///< the frame pointer's register, whatever the function uses it for
    friend bool operator==(const CodePlace&, const CodePlace&) = default;
};

/// Where the function is that asks. True while it goes on in that function.
#if defined(__x86_64__)
[[gnu::always_inline]] inline CodePlace placeHere() noexcept {
    CodePlace place;
    asm volatile(
        "leaq 0f(%%rip), %0\n\t"
        "movq %%rsp, %1\n\t"
        "movq %%rbp, %2\n"
        "0:"
        : "=&r"(place.pc), "=&r"(place.sp), "=&r"(place.fp));
    return place;
}
#elif defined(__aarch64__)
[[gnu::always_inline]] inline CodePlace placeHere() noexcept {
    CodePlace place;
    asm volatile(
        "adr %0, 0f\n\t"
        "mov %1, sp\n\t"
        "mov %2, x29\n"
        "0:"
        : "=&r"(place.pc), "=&r"(place.sp), "=&r"(place.fp));
    return place;
}
#else
[[gnu::always_inline]] inline CodePlace placeHere() noexcept {
    return {};  // `sampling_here.h`
}
#endif

}  // namespace holos::tracing::core

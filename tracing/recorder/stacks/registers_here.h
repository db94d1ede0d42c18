// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/code/loaded/frame_rules.h"

/// What the function that asks has in its registers. True while it goes on in that function.
namespace holos::tracing::stacks {

#if defined(__x86_64__)

/// Where it is, with the registers that a function leaves to its caller as they were.
[[gnu::always_inline]] inline code::Registers registersHere() noexcept {
    code::Registers registers;
    asm volatile(
        "movq %%rbx, 24(%0)\n\t"
        "movq %%rbp, 48(%0)\n\t"
        "movq %%rsp, 56(%0)\n\t"
        "movq %%r12, 96(%0)\n\t"
        "movq %%r13, 104(%0)\n\t"
        "movq %%r14, 112(%0)\n\t"
        "movq %%r15, 120(%0)\n\t"
        "leaq 0f(%%rip), %%rax\n\t"
        "movq %%rax, 128(%0)\n"
        "0:"
        :
        : "r"(registers.values.data())
        : "rax", "memory");
    return registers;
}

#elif defined(__aarch64__)

[[gnu::always_inline]] inline code::Registers registersHere() noexcept {
    code::Registers registers;
    asm volatile(
        "stp x19, x20, [%0, #152]\n\t"
        "stp x21, x22, [%0, #168]\n\t"
        "stp x23, x24, [%0, #184]\n\t"
        "stp x25, x26, [%0, #200]\n\t"
        "stp x27, x28, [%0, #216]\n\t"
        "stp x29, x30, [%0, #232]\n\t"
        "mov x9, sp\n\t"
        "str x9, [%0, #248]\n\t"
        "adr x9, 0f\n\t"
        "str x9, [%0, #256]\n"
        "0:"
        :
        : "r"(registers.values.data())
        : "x9", "memory");
    return registers;
}

#else

[[gnu::always_inline]] inline code::Registers registersHere() noexcept {
    return {};
}

#endif

}  // namespace holos::tracing::stacks

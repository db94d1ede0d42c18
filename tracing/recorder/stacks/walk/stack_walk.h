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

/// A function that a thread is in.
struct Frame {
    std::uint64_t address = 0;  ///< of the instruction that runs, or within the one that called
    std::uint64_t end = 0;      ///< the stack pointer before its call; 0 where that is not known
};

/// Return address and alignment. Where the stack has less, it begins.
inline constexpr std::uint64_t kLeastFrame = 16;

/// From a function to its caller, by the unwind tables that compilers write for each function. False at the
/// stack's end and where the tables are missing or wrong. `isExact`: the program counter is that of an
/// instruction that runs, not of the one behind a call; after it, that of the caller. `frameEnd` becomes the
/// stack pointer before the call.
bool goToCaller(code::Registers& registers, const code::Stack& stack, bool& isExact,
                std::uint64_t& frameEnd) noexcept;

/// Who called the last function of a walk.
enum class WalkEnd : std::uint8_t { Outermost, Unknown, MoreCallers };

/// How many functions were found.
struct Walked {
    std::size_t count = 0;
    WalkEnd end = WalkEnd::Unknown;
};

/// The functions that a thread is in, the innermost first, `most` of them at most. Allocates nothing, takes
/// no lock, and reads of the thread's memory its stack alone: may run in a signal handler, wherever it
/// interrupts the thread.
Walked walkStack(code::Registers registers, const code::Stack& stack, Frame* frames,
                 std::size_t most) noexcept;

}  // namespace holos::tracing::stacks

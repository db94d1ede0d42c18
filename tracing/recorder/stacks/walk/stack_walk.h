// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/code/loaded/frame_rules.h"

namespace holos::tracing::stacks {

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

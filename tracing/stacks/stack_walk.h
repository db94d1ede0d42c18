// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/stacks/frame_rules.h"

namespace holos::tracing::stacks {

/// A function that a thread is in.
struct Frame {
    std::uint64_t address = 0;  ///< of the instruction that runs, or within the one that called
    std::uint64_t end = 0;      ///< the stack pointer before its call; 0 where that is not known
};

/// From a function to its caller, by the unwind tables that compilers write for each function. False at the
/// stack's end and where the tables are missing or wrong. `isExact`: the program counter is that of an
/// instruction that runs, not of the one behind a call; after it, that of the caller. `frameEnd` becomes the
/// stack pointer before the call.
bool goToCaller(Registers& registers, const Stack& stack, bool& isExact, std::uint64_t& frameEnd) noexcept;

/// The functions that a thread is in, the innermost first, `most` of them at most; how many. Allocates
/// nothing, takes no lock, and reads of the thread's memory its stack alone: may run in a signal handler,
/// wherever it interrupts the thread.
std::size_t walkStack(Registers registers, const Stack& stack, Frame* frames, std::size_t most) noexcept;

}  // namespace holos::tracing::stacks

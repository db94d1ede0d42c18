// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/code/loaded/frame_rules.h"
#include "tracing/recorder/core/call_paths.h"
#include "tracing/recorder/stacks/program_part.h"

namespace holos::tracing::stacks {

using Place = core::CodePlace;
using core::placeHere;

/// The way from a function to its caller for functions as compilers usually make them, in one word: it needs
/// two registers and reads at most three words of the stack.
struct Step {
    enum class Kind : std::uint8_t {
        Unknown,         ///< tables are missing or wrong
        End,             ///< the function has no caller
        Unusual,         ///< it needs more than this: `goToCaller`
        StackPointer,    ///< the frame begins at an offset from `Place::sp`
        FramePointer,    ///< at an offset from `Place::fp`
        AtFramePointer,  ///< where it begins is stored at an offset from `Place::fp`; so is the caller's `fp`
    };
    static constexpr std::int16_t kKept = INT16_MAX;

    Kind kind = Kind::Unknown;
    CodeOwner owner = CodeOwner::Program;
    std::int16_t pointerOffset =
        kKept;  ///< of the caller's `fp` from the frame's start; `kKept`: the same `fp`
    std::int32_t frameOffset = 0;

    /// Of the return address from the frame's start.
    constexpr std::int64_t returnOffset() const {
        return code::Registers::kCallsPush ? -std::int64_t{sizeof(void*)}
                                           : pointerOffset + std::int64_t{sizeof(void*)};
    }
};
static_assert(sizeof(Step) == sizeof(std::uint64_t));

/// The step from the function behind a return address, by the unwind tables of its file; `isLasting`: as long
/// as that stays loaded. Code that is of no file may become other code at any time. Async-signal-safe.
Step findStep(std::uint64_t returnAddress, bool& isLasting) noexcept;

}  // namespace holos::tracing::stacks

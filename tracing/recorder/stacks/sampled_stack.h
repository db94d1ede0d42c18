// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <span>

#include "tracing/recorder/stacks/program_part.h"
#include "tracing/recorder/stacks/python/mixed_stack.h"
#include "tracing/recordings/format/record.h"

namespace holos::tracing::stacks {

/// What a sample says.
struct SampledPart {
    std::span<const Frame> functions;  ///< the innermost first
    PathNumber root = kNoPath;         ///< what stands in place of those around them: as that of a path
};

/// The functions that a thread was in when it was interrupted.
class SampledStack {
  public:
    /// The functions that lie in the region in which the thread is (`programPart`), `kMostSampledFrames` at
    /// most. Python's stand in place of the interpreter's; `mixed` is what that needs, and is made when it is
    /// needed.
    SampledPart programFunctions(const code::Registers& registers, const code::Stack& stack,
                                 StackBound region, python::MixedStack*& mixed) noexcept;

  private:
    bool hasInterpreter() const noexcept;
    SampledPart withPython(const code::Registers& registers, const code::Stack& stack, StackBound region,
                           python::MixedStack& mixed) noexcept;

    /// An interpreter needs many functions for one of Python.
    static constexpr std::size_t kMostWalked = 4 * kMostSampledFrames;

    std::size_t count_ = 0;
    WalkEnd end_ = WalkEnd::Unknown;
    std::array<Frame, kMostWalked> frames_;
    std::array<CodeOwner, kMostWalked> owners_;
    std::array<Frame, kMostSampledFrames> mixedFrames_;
    std::array<CodeOwner, kMostSampledFrames> mixedOwners_;
};

}  // namespace holos::tracing::stacks

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <span>

#include "tracing/core/record.h"
#include "tracing/stacks/program_part.h"
#include "tracing/stacks/python/mixed_stack.h"

namespace holos::tracing::stacks {

/// The functions that a thread was in when it was interrupted.
class SampledStack {
  public:
    /// Those that lie in the region in which the thread is (`programPart`), the innermost first. Python's
    /// stand in place of the interpreter's; `mixed` is what that needs, and is made when it is needed.
    std::span<const Frame> programFunctions(const Registers& registers, const Stack& stack,
                                            std::uint64_t region, python::MixedStack*& mixed) noexcept;

  private:
    bool hasInterpreter() const noexcept;
    std::span<const Frame> withPython(const Registers& registers, const Stack& stack, std::uint64_t region,
                                      python::MixedStack& mixed) noexcept;

    /// An interpreter needs many functions for one of Python.
    static constexpr std::size_t kMostWalked = 4 * kMostSampledFrames;

    std::size_t count_ = 0;
    std::array<Frame, kMostWalked> frames_;
    std::array<CodeOwner, kMostWalked> owners_;
    std::array<Frame, kMostSampledFrames> mixedFrames_;
    std::array<CodeOwner, kMostSampledFrames> mixedOwners_;
};

}  // namespace holos::tracing::stacks

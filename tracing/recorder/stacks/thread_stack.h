// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pthread.h>

#include <cstddef>
#include <cstdint>

#include "tracing/code/loaded/frame_rules.h"
#include "tracing/recorder/functions/call_stack.h"

namespace holos::tracing::stacks {

/// A place on the stack: functions whose part of the stack lies outside of it are not wanted. Or no such
/// place: all functions are wanted.
class StackBound {
  public:
    constexpr StackBound() noexcept = default;  ///< none
    explicit constexpr StackBound(std::uint64_t place) noexcept : place_(place) {}
    explicit StackBound(const void* place) noexcept : place_(reinterpret_cast<std::uint64_t>(place)) {}

    /// Whether a function whose part of the stack begins at `caller` is not wanted.
    constexpr bool excludes(std::uint64_t caller) const noexcept { return place_ != 0 && caller > place_; }

    friend constexpr bool operator==(StackBound, StackBound) noexcept = default;

  private:
    std::uint64_t place_ = 0;  ///< 0, where no stack is: no such place
};

/// The size of the stack of a thread that is created with these attributes, or with none (null).
std::size_t stackBytesOf(const pthread_attr_t* attributes) noexcept;

/// The calling thread's stack, which has so many bytes; 0: not known. Empty where the C library does not say.
/// Allocates nothing for a process's first thread and where the size is known.
code::Stack stackOfThread(std::size_t bytes) noexcept;

/// The place on the stack where the innermost function that `holos cc` compiled, and that is recorded, told
/// of its start; none where there is no such function.
inline StackBound innermostFunction() noexcept {
    const functions::CallStack& calls = functions::callStack;
    if (calls.depth == 0) [[likely]]
        return {};
    // Between the recorder's frame, as `HOLOS_OWN_FRAME` has it, and its caller's.
    constexpr std::uint64_t kSavedWords = code::Registers::kCallsPush ? 2 * sizeof(void*) : 0;
    for (std::uint32_t i = calls.kept(); i > 0; --i)
        if (calls.calls[i - 1].function != nullptr)
            return StackBound(reinterpret_cast<std::uint64_t>(calls.calls[i - 1].frame) + kSavedWords);
    return {};
}

}  // namespace holos::tracing::stacks

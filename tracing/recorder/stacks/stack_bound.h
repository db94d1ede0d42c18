// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

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

}  // namespace holos::tracing::stacks

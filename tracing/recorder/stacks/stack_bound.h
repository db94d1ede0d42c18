// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace holos::tracing::stacks {

/// A place on the stack outside of which nothing is wanted, or none, so that everything is.
class StackBound {
  public:
    constexpr StackBound() noexcept = default;  ///< none
    explicit constexpr StackBound(std::uint64_t place) noexcept : place_(place) {}
    explicit StackBound(const void* place) noexcept : place_(reinterpret_cast<std::uint64_t>(place)) {}

    /// Whether a caller whose part of the stack begins there is outside.
    constexpr bool excludes(std::uint64_t caller) const noexcept { return place_ != 0 && caller > place_; }

    friend constexpr bool operator==(StackBound, StackBound) noexcept = default;

  private:
    std::uint64_t place_ = 0;  ///< where no stack is
};

}  // namespace holos::tracing::stacks

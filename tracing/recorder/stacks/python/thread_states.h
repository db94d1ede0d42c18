// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tracing/recorder/stacks/python/interpreter.h"

namespace holos::tracing::stacks::python {

/// The states that interpreters have for the calling thread: it has one in each subinterpreter that it runs
/// or ran code in, besides its first.
class ThreadStates {
  public:
    static constexpr std::size_t kMost = 16;

    /// Looks through the lists of interpreters and threads, which other threads may be changing: what is
    /// found may be none any more, and is to be read with care.
    std::span<const std::uint64_t> find(const Interpreter& interpreter) noexcept;

  private:
    std::array<std::uint64_t, kMost> states_;
};

}  // namespace holos::tracing::stacks::python

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace holos::analyzer::trace {

/// Where a call stands among those of its function: after which of them one run of the function may make it.
/// The calls of a function with one caller have numbers of their own; two calls in one line are two.
/// Thread safety: safe to read.
class CallOrder {
  public:
    /// Nothing is known: it may come after all others, and they after it.
    CallOrder() = default;
    /// As the trace has it: the call's number, and those of the calls before, such as `2: 0-2 5`. Nothing is
    /// known by a text that cannot be read.
    explicit CallOrder(std::string_view text);

    bool isKnown() const { return isKnown_; }
    /// Both are calls of one function with one caller.
    bool mayComeAfter(const CallOrder& other) const;

  private:
    std::uint32_t number_ = 0;
    bool isKnown_ = false;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> before_;  ///< first and last
};

}  // namespace holos::analyzer::trace

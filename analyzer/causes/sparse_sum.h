// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace holos::analyzer::causes {

/// A part of a location's time in one call path.
struct PathFraction {
    std::uint32_t path = 0;
    double ticks = 0;
};

/// Sums by call path, of which most are zero: in runs of many locations each is in few of the call paths.
/// What is added to a call path is added up in its order. Quickest for ascending call paths.
class SparseSum {
  public:
    void add(std::uint32_t path, double ticks);
    /// Sorts in what was added out of order.
    void settle();
    /// By ascending call path, when it is settled.
    std::span<const PathFraction> entries() const { return entries_; }

  private:
    /// The settled entry of a call path, if there is one.
    PathFraction* find(std::uint32_t path);

    std::vector<PathFraction> entries_;
    std::size_t settled_ = 0;  ///< by ascending call path; what follows is to be added to them, in its order
    std::size_t next_ = 0;     ///< behind the entry that was added to last
};

}  // namespace holos::analyzer::causes

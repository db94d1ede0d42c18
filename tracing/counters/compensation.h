// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace holos::counters {

/// Takes from growing counters what reading them counts: instructions, or nanoseconds of processor time.
class Compensation {
  public:
    Compensation() = default;
    /// What one reading of all counters adds to each of them; 0 for states.
    explicit Compensation(std::vector<std::uint64_t> costs)
        : costs_(std::move(costs)), last_(costs_.size()) {}

    bool empty() const noexcept { return costs_.empty(); }

    /// Corrects the values of the next reading. They never decrease: a reading that cost less than usual is
    /// made up for by the next ones.
    void apply(std::span<std::uint64_t> values) noexcept;

  private:
    std::vector<std::uint64_t> costs_;
    std::vector<std::uint64_t> last_;
    std::uint64_t readings_ = 0;
};

/// The least difference between neighbouring readings, per counter: others were disturbed. `readings` has the
/// values of all counters of the first one, then of the second one, and so on.
std::vector<std::uint64_t> leastDifferences(std::span<const std::uint64_t> readings, std::size_t counters);

}  // namespace holos::counters

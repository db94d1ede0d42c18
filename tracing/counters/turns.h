// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>

namespace holos::counters {

/// More events than the processor has registers take turns, so that each is counted a part of the time only.
/// This estimates what one would have counted all the time: between two readings, its rate while it was
/// counted is taken for the rest as well. Estimates never fall. Times in nanoseconds since it was opened.
class Turns {
  public:
    std::uint64_t estimate(std::uint64_t value, std::uint64_t enabled, std::uint64_t running) noexcept {
        if (running > running_) {
            const auto counted = static_cast<double>(value - value_);
            const double stretch =
                static_cast<double>(enabled - enabled_) / static_cast<double>(running - running_);
            estimate_ += counted * (stretch > 1 ? stretch : 1);
            value_ = value;
            enabled_ = enabled;
            running_ = running;
        }
        waited_ = enabled;
        return static_cast<std::uint64_t>(std::llround(estimate_));
    }

    /// The part of the time in which it was counted.
    double activeShare() const noexcept {
        return waited_ == 0 ? 1 : static_cast<double>(running_) / static_cast<double>(waited_);
    }

  private:
    std::uint64_t value_ = 0;
    std::uint64_t enabled_ = 0;  ///< when it was last seen to run
    std::uint64_t running_ = 0;
    std::uint64_t waited_ = 0;
    double estimate_ = 0;
};

}  // namespace holos::counters

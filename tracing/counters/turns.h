// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>

#include "tracing/counters/source.h"

namespace holos::counters {

/// More events than the processor has registers take turns, so that each is counted a part of the time only.
/// This estimates what one would have counted all the time: between two readings, its rate while it was
/// counted is taken for the rest as well. Estimates never fall. Times in nanoseconds since it was opened.
///
/// How wrong that may be follows from the rates themselves: what was not counted of an interval had a rate
/// that differs from the counted one as rates of neighbouring intervals do. The squared difference of two
/// neighbours, times the square of the time that was not counted, is an interval's part of the estimate's
/// variance. A slow drift spoils that little.
class Turns {
  public:
    std::uint64_t estimate(std::uint64_t value, std::uint64_t enabled, std::uint64_t running) noexcept {
        if (running > running_) {
            const auto counted = static_cast<double>(value - value_);
            const auto whole = static_cast<double>(enabled - enabled_);
            const auto share = static_cast<double>(running - running_);
            const double stretch = whole / share;
            estimate_ += counted * (stretch > 1 ? stretch : 1);
            addToVariance(counted / share, stretch > 1 ? whole - share : 0);
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

    /// Nothing before a second interval, with which rates can be compared.
    Estimate estimate() const noexcept { return {estimate_, std::sqrt(variance_)}; }

  private:
    void addToVariance(double rate, double missing) noexcept {
        if (intervals_ > 0) {
            const double difference = rate - rate_;
            const double ofRate = difference * difference;
            variance_ += ofRate * missing * missing;
            if (intervals_ == 1) variance_ += ofRate * missing_ * missing_;  // of the first one
        }
        rate_ = rate;
        missing_ = missing;
        ++intervals_;
    }

    std::uint64_t value_ = 0;
    std::uint64_t enabled_ = 0;  ///< when it was last seen to run
    std::uint64_t running_ = 0;
    std::uint64_t waited_ = 0;
    double estimate_ = 0;
    double rate_ = 0;     ///< of the last interval
    double missing_ = 0;  ///< time of it that was not counted
    std::uint64_t intervals_ = 0;
    double variance_ = 0;
};

}  // namespace holos::counters

// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/counters/compensation.h"

#include <algorithm>
#include <limits>

namespace holos::counters {

void Compensation::apply(std::span<std::uint64_t> values) noexcept {
    for (std::size_t i = 0; i < costs_.size(); ++i) {
        if (costs_[i] == 0) continue;
        const std::uint64_t cost = std::min(values[i], costs_[i] * readings_);
        values[i] = last_[i] = std::max(last_[i], values[i] - cost);
    }
    ++readings_;
}

std::vector<std::uint64_t> leastDifferences(std::span<const std::uint64_t> readings, std::size_t counters) {
    std::vector<std::uint64_t> least(counters, std::numeric_limits<std::uint64_t>::max());
    for (std::size_t at = counters; at < readings.size(); ++at)
        least[at % counters] = std::min(least[at % counters], readings[at] - readings[at - counters]);
    return least;
}

}  // namespace holos::counters

// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/timeline/iteration_times.h"

#include <algorithm>

namespace holos::gui {

std::optional<FoundIteration> iterationAt(double time, const query::IterationTimes& iterations) {
    const auto after = std::ranges::upper_bound(iterations.begins, time);
    if (after == iterations.begins.begin() || time >= iterations.end) return std::nullopt;
    return FoundIteration{static_cast<std::size_t>(after - iterations.begins.begin()), *(after - 1),
                          after == iterations.begins.end() ? iterations.end : *after};
}

std::optional<AlignedIteration> alignedAt(double time, const std::vector<double>& first,
                                          const std::vector<double>& second) {
    const auto after = std::ranges::upper_bound(first, time);
    const auto at = after == first.begin() ? after : after - 1;
    const auto number = static_cast<std::size_t>(at - first.begin());
    if (number >= first.size() || number >= second.size()) return std::nullopt;
    return AlignedIteration{number + 1, second[number] - first[number]};
}

}  // namespace holos::gui

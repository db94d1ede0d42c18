// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/interval_sums.h"

#include <algorithm>

namespace holos::analyzer::causes {

IntervalSums::IntervalSums(const Profiles& profiles, const PointList& points, std::uint32_t location) {
    PackedSlices::Reader slices = profiles.from(location, 0);
    for (std::uint32_t slice = 0; slice < profiles.slices(location); ++slice)
        slices.visit([&](std::uint32_t path, Ticks ticks) { times_.add(path, slice, ticks); });
    points.visitWaits(0, points.size(), [&](std::uint32_t point, Ticks wait, std::uint32_t path) {
        waits_.add(path, point, wait);
    });
}

void IntervalSums::Sums::add(std::uint32_t path, std::uint32_t position, Ticks ticks) {
    std::vector<Sum>& sums = byPath_[path];
    sums.push_back({position, ticks + (sums.empty() ? 0 : sums.back().with)});
}

Ticks IntervalSums::Sums::before(const std::vector<Sum>& sums, std::uint32_t position) {
    const auto at = std::ranges::lower_bound(sums, position, {}, &Sum::position);
    return at != sums.begin() ? (at - 1)->with : 0;
}

Ticks IntervalSums::Sums::between(std::uint32_t path, std::uint32_t first, std::uint32_t end) const {
    const auto sums = byPath_.find(path);
    if (sums == byPath_.end() || first >= end) return 0;
    return before(sums->second, end) - before(sums->second, first);
}

}  // namespace holos::analyzer::causes

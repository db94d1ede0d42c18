// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <vector>

namespace holos::analyzer::predict {

/// Sorts what consists of a few sorted runs, one behind the other; equal ones keep their order. Quicker than
/// `std::stable_sort`, which does not look for runs.
template <class Values, class Less>
void mergeRuns(Values& values, Less less) {
    std::vector<std::ptrdiff_t> ends{0};
    for (auto end = values.begin(); end != values.end();) {
        end = std::is_sorted_until(end, values.end(), less);
        ends.push_back(end - values.begin());
    }
    while (ends.size() > 2) {
        std::vector<std::ptrdiff_t> merged{0};
        for (std::size_t i = 2; i < ends.size(); i += 2) {
            const auto begin = values.begin();
            std::inplace_merge(begin + ends[i - 2], begin + ends[i - 1], begin + ends[i], less);
            merged.push_back(ends[i]);
        }
        if (ends.size() % 2 == 0) merged.push_back(ends.back());
        ends = std::move(merged);
    }
}

}  // namespace holos::analyzer::predict

// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/value_totals.h"

#include <algorithm>
#include <numeric>

namespace holos::algebra {

double ValueTotals::all() const {
    return std::accumulate(byLocation.begin(), byLocation.end(), 0.0);
}

void ValueTotals::add(std::span<const CallPathId> paths, std::span<const RowTotal> sums,
                      std::span<const double> perLocation) {
    for (std::size_t i = 0; i < paths.size(); ++i) byPath[paths[i].index()] = sums[i];
    for (std::size_t i = 0; i < perLocation.size(); ++i) byLocation[i] += perLocation[i];
}

/// Several at a time: each addition would have to wait for the one before.
RowTotal addRow(std::span<const double> values, std::span<double> byLocation) {
    constexpr std::size_t kLanes = 8;
    const double* __restrict const from = values.data();
    double* __restrict const into = byLocation.data();
    double sums[kLanes] = {}, leasts[kLanes] = {};
    std::size_t at = 0;
    for (; at + kLanes <= values.size(); at += kLanes)
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const double value = from[at + lane];
            into[at + lane] += value;
            sums[lane] += value;
            leasts[lane] = std::min(leasts[lane], value);
        }
    for (; at < values.size(); ++at) {
        into[at] += from[at];
        sums[0] += from[at];
        leasts[0] = std::min(leasts[0], from[at]);
    }
    return {std::accumulate(std::begin(sums), std::end(sums), 0.0),
            *std::min_element(std::begin(leasts), std::end(leasts))};
}

ValueTotals totalsOf(const Rows& rows) {
    ValueTotals sums(rows.callPaths(), rows.locations());
    std::vector<double> room(rows.locations());
    for (std::size_t path = 0; path < rows.callPaths(); ++path)
        if (rows.hasRow(CallPathId(path)))
            sums.byPath[path] = addRow(rows.row(CallPathId(path), room), sums.byLocation);
    return sums;
}

}  // namespace holos::algebra

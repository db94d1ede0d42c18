// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/matching/one_sided.h"

#include <algorithm>

namespace holos::analyzer::matching {

std::vector<RmaRef> oneSidedOf(const replay::ReplayedTrace& trace, const trace::Process& process) {
    std::vector<RmaRef> all;
    bool isOrdered = true;
    for (const trace::LocationId thread : process.threads) {
        const auto count = static_cast<std::uint32_t>(trace[thread].rma.size());
        if (count != 0) isOrdered = all.empty();
        for (std::uint32_t i = 0; i < count; ++i) all.push_back({thread, i});
    }
    if (!isOrdered)
        std::ranges::stable_sort(all,
                                 [&](RmaRef a, RmaRef b) { return a.in(trace).time < b.in(trace).time; });
    return all;
}

}  // namespace holos::analyzer::matching

// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/patterns/presence.h"

#include <algorithm>
#include <utility>

namespace holos::analyzer::patterns {

using trace::Ticks;

Presence::Presence(const replay::ReplayedTrace& trace, trace::ProcessId process) {
    for (const trace::LocationId thread : trace.definitions[process].threads) {
        const auto& calls = trace[thread].messages.calls;
        for (std::uint32_t i = 0; i < calls.size(); ++i)
            if (calls[i].kind != trace::CallKind::NotMpi)
                stays_.push_back({calls[i].enter, calls[i].leave, {thread, i}});
    }
    std::ranges::stable_sort(stays_, [](const Stay& a, const Stay& b) {
        return std::pair(a.enter, a.leave) < std::pair(b.enter, b.leave);
    });
    for (std::size_t i = 1; i < stays_.size(); ++i)
        stays_[i].leave = std::max(stays_[i].leave, stays_[i - 1].leave);
}

const Presence::Stay* Presence::nextStay(Ticks time) const {
    const auto next =
        std::ranges::partition_point(stays_, [&](const Stay& stay) { return stay.enter <= time; });
    if (next == stays_.end() || (next != stays_.begin() && std::prev(next)->leave > time)) return nullptr;
    return &*next;
}

std::vector<Presence::Return> Presence::returnsWithin(Ticks from, Ticks to) const {
    constexpr std::size_t kMost = 64;
    std::vector<Return> returns;
    auto behind = std::ranges::lower_bound(stays_, to, {}, &Stay::enter);
    for (std::size_t looked = 0; behind != stays_.begin() && looked < kMost; ++looked) {
        const Stay& back = *--behind;
        if (back.enter <= from) break;
        const Ticks left = behind == stays_.begin() ? from : std::max(from, std::prev(behind)->leave);
        if (left < back.enter) returns.push_back({left, &back});
    }
    return returns;
}

}  // namespace holos::analyzer::patterns

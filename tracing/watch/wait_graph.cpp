// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/watch/wait_graph.h"

#include <algorithm>
#include <deque>
#include <limits>

namespace holos::watch {
namespace {

using Numbers = std::vector<std::size_t>;
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

std::vector<Numbers> waitersOf(const WaitGraph& graph) {
    std::vector<Numbers> waiters(graph.nodes.size());
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        for (const std::size_t whom : graph.nodes[i].whom) waiters[whom].push_back(i);
    return waiters;
}

/// Who can go on, or may do so as not all is known: from those that wait for nobody to who waits for them.
std::vector<bool> free(const WaitGraph& graph, const std::vector<Numbers>& waiters) {
    std::vector<bool> isFree(graph.nodes.size());
    Numbers left(graph.nodes.size());
    std::deque<std::size_t> next;
    const auto release = [&](std::size_t one) {
        if (isFree[one]) return;
        isFree[one] = true;
        next.push_back(one);
    };
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const auto& node = graph.nodes[i];
        left[i] = node.oneIsEnough && !node.whom.empty() ? 1 : node.whom.size();
        if (left[i] == 0 || (node.oneIsEnough && node.isPartlyKnown)) release(i);
    }
    while (!next.empty()) {
        const std::size_t one = next.front();
        next.pop_front();
        for (const std::size_t waiter : waiters[one])
            if (left[waiter] > 0 && --left[waiter] == 0) release(waiter);
    }
    return isFree;
}

/// The shortest way from a node over those that are not free back to it; empty where there is none.
Numbers cycleThrough(const WaitGraph& graph, const std::vector<bool>& isFree, std::size_t start) {
    Numbers from(graph.nodes.size(), kNone);
    std::deque<std::size_t> next{start};
    while (!next.empty()) {
        const std::size_t one = next.front();
        next.pop_front();
        for (const std::size_t whom : graph.nodes[one].whom) {
            if (whom == start) {
                Numbers cycle;
                for (std::size_t at = one; at != kNone; at = from[at]) cycle.push_back(at);
                std::ranges::reverse(cycle);
                return cycle;
            }
            if (isFree[whom] || from[whom] != kNone) continue;
            from[whom] = one;
            next.push_back(whom);
        }
    }
    return {};
}

/// Everybody who waits for one of them, directly or for one who does, with themselves.
std::vector<bool> reach(const std::vector<Numbers>& waiters, const Numbers& whom) {
    std::vector<bool> isReached(waiters.size());
    std::deque<std::size_t> next(whom.begin(), whom.end());
    for (const std::size_t one : whom) isReached[one] = true;
    while (!next.empty()) {
        const std::size_t one = next.front();
        next.pop_front();
        for (const std::size_t waiter : waiters[one]) {
            if (isReached[waiter]) continue;
            isReached[waiter] = true;
            next.push_back(waiter);
        }
    }
    return isReached;
}

std::size_t count(const std::vector<bool>& flags) {
    return static_cast<std::size_t>(std::ranges::count(flags, true));
}

}  // namespace

WaitFindings search(const WaitGraph& graph) {
    WaitFindings findings;
    const auto waiters = waitersOf(graph);
    const auto isFree = free(graph, waiters);
    std::vector<bool> isExplained(graph.nodes.size());
    Numbers inCycles;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        if (isFree[i] || isExplained[i]) continue;
        const Numbers cycle = cycleThrough(graph, isFree, i);
        if (cycle.empty()) continue;
        const auto behind = reach(waiters, cycle);
        for (std::size_t one = 0; one < behind.size(); ++one)
            if (behind[one]) isExplained[one] = true;
        inCycles.insert(inCycles.end(), cycle.begin(), cycle.end());
        findings.cycles.push_back(cycle);
    }
    findings.behindCycles = count(reach(waiters, inCycles)) - inCycles.size();
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (graph.nodes[i].whom.empty() && !waiters[i].empty())
            findings.culprits.push_back({i, count(reach(waiters, {i})) - 1});
    std::ranges::stable_sort(findings.culprits,
                             [](const auto& a, const auto& b) { return a.waiting > b.waiting; });
    return findings;
}

}  // namespace holos::watch

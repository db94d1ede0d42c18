// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/watch/wait_graph.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>

namespace holos::watch {
namespace {

using Numbers = std::vector<std::size_t>;
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

/// Which waits count.
enum class Which : std::uint8_t { All, Sure };

bool counts(const WaitGraph::Node& node, std::size_t whom, Which which) {
    return which == Which::All || !std::ranges::binary_search(node.perhaps, whom);
}

std::vector<Numbers> waitersOf(const WaitGraph& graph, Which which) {
    std::vector<Numbers> waiters(graph.nodes.size());
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        for (const std::size_t whom : graph.nodes[i].whom)
            if (counts(graph.nodes[i], whom, which)) waiters[whom].push_back(i);
    return waiters;
}

/// How many others have to go on before it can.
std::size_t needed(const WaitGraph::Node& node) {
    if (!node.oneIsEnough) return node.whom.size() - node.perhaps.size();
    return node.whom.empty() || node.isPartlyKnown || !node.perhaps.empty() ? 0 : 1;
}

/// Who can go on, or may do so as not all is known: from those that wait for nobody to who waits for them.
std::vector<bool> free(const WaitGraph& graph) {
    const auto waiters = waitersOf(graph, Which::Sure);
    std::vector<bool> isFree(graph.nodes.size());
    Numbers left(graph.nodes.size());
    std::deque<std::size_t> next;
    const auto release = [&](std::size_t one) {
        if (isFree[one]) return;
        isFree[one] = true;
        next.push_back(one);
    };
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        left[i] = needed(graph.nodes[i]);
        if (left[i] == 0) release(i);
    }
    while (!next.empty()) {
        const std::size_t one = next.front();
        next.pop_front();
        for (const std::size_t waiter : waiters[one])
            if (left[waiter] > 0 && --left[waiter] == 0) release(waiter);
    }
    return isFree;
}

/// The shortest way from a node over those that are not left out back to it; empty where there is none.
Numbers cycleThrough(const WaitGraph& graph, Which which, const std::vector<bool>& isOut, std::size_t start) {
    Numbers from(graph.nodes.size(), kNone);
    std::deque<std::size_t> next{start};
    while (!next.empty()) {
        const std::size_t one = next.front();
        next.pop_front();
        for (const std::size_t whom : graph.nodes[one].whom) {
            if (!counts(graph.nodes[one], whom, which)) continue;
            if (whom == start) {
                Numbers cycle;
                for (std::size_t at = one; at != kNone; at = from[at]) cycle.push_back(at);
                std::ranges::reverse(cycle);
                return cycle;
            }
            if (isOut[whom] || from[whom] != kNone) continue;
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

std::size_t threadsIn(const WaitGraph& graph, const std::vector<bool>& flags) {
    std::size_t number = 0;
    for (std::size_t i = 0; i < flags.size(); ++i) number += flags[i] && !graph.nodes[i].isProcess ? 1 : 0;
    return number;
}

/// Whoever waits for a process waits for one of its threads.
void leaveOutProcesses(const WaitGraph& graph, std::vector<Numbers>& cycles) {
    for (Numbers& cycle : cycles)
        std::erase_if(cycle, [&](std::size_t one) { return graph.nodes[one].isProcess; });
}

void mark(std::vector<bool>& flags, const std::vector<bool>& more) {
    for (std::size_t i = 0; i < flags.size(); ++i)
        if (more[i]) flags[i] = true;
}

/// One for each group of those that wait for each other and are not left out. `waiters`: all of them.
std::vector<Numbers> cyclesOf(const WaitGraph& graph, Which which, const std::vector<bool>& isOut,
                              const std::vector<Numbers>& waiters) {
    std::vector<Numbers> cycles;
    std::vector<bool> isExplained(graph.nodes.size());
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        if (isOut[i] || isExplained[i]) continue;
        const Numbers cycle = cycleThrough(graph, which, isOut, i);
        if (cycle.empty()) continue;
        mark(isExplained, reach(waiters, cycle));
        cycles.push_back(cycle);
    }
    return cycles;
}

/// Who goes on, or may be woken by something that is not known.
Numbers endsOf(const WaitGraph& graph) {
    Numbers ends;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const auto& node = graph.nodes[i];
        if (node.whom.empty() || (node.oneIsEnough && node.isPartlyKnown)) ends.push_back(i);
    }
    return ends;
}

Numbers joined(const std::vector<Numbers>& all) {
    Numbers one;
    for (const Numbers& each : all) one.insert(one.end(), each.begin(), each.end());
    return one;
}

}  // namespace

WaitFindings searchWaits(const WaitGraph& graph) {
    WaitFindings findings;
    const auto waiters = waitersOf(graph, Which::All);
    findings.cycles = cyclesOf(graph, Which::Sure, free(graph), waiters);
    const Numbers inCycles = joined(findings.cycles);
    auto isExplained = reach(waiters, inCycles);
    leaveOutProcesses(graph, findings.cycles);
    findings.behindCycles = threadsIn(graph, isExplained) - joined(findings.cycles).size();
    mark(isExplained, reach(waiters, endsOf(graph)));
    findings.possibleCycles = cyclesOf(graph, Which::All, isExplained, waiters);
    leaveOutProcesses(graph, findings.possibleCycles);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        if (!graph.nodes[i].whom.empty() || waiters[i].empty()) continue;
        // Of a process, for which others wait, it may be the only thread that is known.
        const std::size_t waiting = threadsIn(graph, reach(waiters, {i})) - 1;
        if (waiting > 0) findings.culprits.push_back({i, waiting});
    }
    std::ranges::stable_sort(findings.culprits,
                             [](const auto& a, const auto& b) { return a.waiting > b.waiting; });
    return findings;
}

}  // namespace holos::watch

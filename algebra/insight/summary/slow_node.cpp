// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/slow_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "algebra/insight/summary/evidence.h"
#include "algebra/insight/summary/reasons.h"
#include "algebra/insight/summary/rules.h"
#include "algebra/insight/summary/spread.h"
#include "base/text.h"

namespace holos::algebra {
namespace {

/// Times as long as the others.
constexpr double kSlower = 1.05;
/// Of the delays: less, and the node is not what others wait for.
constexpr double kToBlame = 0.6;
/// Of all computation: call paths that are compared. There have to be two, or one could just have more to do.
constexpr double kLarge = 0.1;
constexpr std::size_t kEnoughCompared = 2;
/// How the parts may differ from the whole: factors of what it is slower by.
constexpr double kLeastOfFactor = 0.6, kMostOfFactor = 1.6;

/// How many times as long the members that have more take in a call path.
double ratioIn(const Measures& measures, CallPathId path, const std::vector<LocationId>& high,
               const std::vector<LocationId>& low) {
    const auto mean = [&](const std::vector<LocationId>& threads) {
        return aggregate(measures.experiment(), {*measures.find("comp")}, {{path, Extent::Exclusive}},
                         threads) /
               static_cast<double>(threads.size());
    };
    return mean(high) / mean(low);
}

/// Whether all large call paths take longer by about the same factor.
bool isSlowEverywhere(const Measures& measures, double factor, const std::vector<LocationId>& high,
                      const std::vector<LocationId>& low) {
    const std::vector<double> work = measures.perPath({"comp"});
    const double all = std::accumulate(work.begin(), work.end(), 0.0);
    std::size_t compared = 0;
    for (const CallPathId path : measures.experiment().callTree.ids()) {
        if (work[path.index()] < kLarge * all) continue;
        const double slower = ratioIn(measures, path, high, low) - 1;
        if (!(slower >= kLeastOfFactor * (factor - 1) && slower <= kMostOfFactor * (factor - 1)))
            return false;
        ++compared;
    }
    return compared >= kEnoughCompared;
}

/// The number of processes of a node, and the most that another one has.
struct Filling {
    std::size_t here = 0;
    std::size_t elsewhere = 0;
};

Filling fillingOf(const Measures& measures, LocationId onNode) {
    const SystemTree& system = measures.experiment().system;
    const SystemNodeId node = system[system[onNode].process].node;
    std::map<SystemNodeId, std::size_t> processes;
    for (const Process& process : system.processes)
        if (process.type == Process::Type::Process) ++processes[process.node];
    Filling filling{processes[node], 0};
    for (const auto& [other, count] : processes)
        if (other != node) filling.elsewhere = std::max(filling.elsewhere, count);
    return filling;
}

}  // namespace

std::optional<SlowNode> slowNode(const Measures& measures, const Delays& delays) {
    if (!delays.areCauses || !measures.find("comp")) return std::nullopt;
    const std::vector<Member> members = processMembers(measures, measures.perLocation({"comp"}));
    const Spread spread = spreadOf(members);
    if (spread.shape != Spread::Shape::Node || spread.theirs < kSlower * spread.others) return std::nullopt;
    std::vector<LocationId> high, low;
    for (std::size_t i = 0; i < members.size(); ++i) {
        auto& list = std::ranges::find(spread.members, i) != spread.members.end() ? high : low;
        list.insert(list.end(), members[i].locations.begin(), members[i].locations.end());
    }
    if (!isSlowEverywhere(measures, spread.theirs / spread.others, high, low)) return std::nullopt;
    double theirs = 0, all = 0;
    for (const WaitRule& rule : waitRules()) {
        const std::vector<double> values = measures.perLocation(rule.delays);
        all += std::accumulate(values.begin(), values.end(), 0.0);
        for (const LocationId thread : high) theirs += values[thread.index()];
    }
    if (!(theirs > kToBlame * all)) return std::nullopt;
    const Filling filling = fillingOf(measures, high.front());
    const bool isFuller = filling.elsewhere > 0 && filling.here > filling.elsewhere;
    SlowNode found{problemOf(measures, isFuller ? "uneven-nodes" : "slow-node", theirs), theirs / all};
    found.problem.pattern = wordOf(spread.shape);
    found.problem.where = "in all functions that compute";
    found.problem.who = spreadText(spread, members, measures.experiment()) +
                        fmt::format(", {:.2f} times as long", spread.theirs / spread.others);
    if (isFuller)
        found.problem.who += fmt::format("; it has {}, and no other node more than {}",
                                         counted(filling.here, "process"), filling.elsewhere);
    found.problem.why = counterReason(measures, std::nullopt, high, low);
    found.problem.gain = spread.theirs - spread.others;
    found.problem.locations = high;
    addEvidence(measures, {"delay"}, "waiting of others that this causes", std::nullopt, high, found.problem);
    addEvidence(measures, {"comp"}, "computation of those who are late", std::nullopt, high, found.problem);
    return found;
}

}  // namespace holos::algebra

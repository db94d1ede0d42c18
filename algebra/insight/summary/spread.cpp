// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/summary/spread.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "algebra/insight/summary/words.h"
#include "algebra/operators/history/recorded_run.h"

namespace holos::algebra {

namespace {

using Shape = Spread::Shape;

/// Of the mean: what values differ by anyway.
constexpr double kEven = 0.03;
/// Of the variance.
constexpr double kExplains = 0.8;
/// By so much a less simple shape has to be better.
constexpr double kClearly = 0.02;

double meanOf(const std::vector<Member>& members) {
    const double sum = std::accumulate(members.begin(), members.end(), 0.0,
                                       [](double all, const Member& one) { return all + one.value; });
    return sum / static_cast<double>(members.size());
}

double squaresAround(const std::vector<Member>& members, double mean) {
    return std::accumulate(members.begin(), members.end(), 0.0, [mean](double all, const Member& one) {
        return all + (one.value - mean) * (one.value - mean);
    });
}

/// Some members against the others.
struct Split {
    Spread spread;
    double explains = 0.0;  ///< of the variance; 0 where they do not have more
};

Split splitBy(const std::vector<Member>& members, Shape shape,
              const std::function<bool(std::size_t)>& isHigh) {
    Split split;
    split.spread.shape = shape;
    double high = 0, low = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
        (isHigh(i) ? high : low) += members[i].value;
        if (isHigh(i)) split.spread.members.push_back(i);
    }
    const auto count = static_cast<double>(members.size());
    const auto highCount = static_cast<double>(split.spread.members.size());
    if (highCount == 0 || highCount == count) return split;
    split.spread.theirs = high / highCount;
    split.spread.others = low / (count - highCount);
    if (split.spread.theirs <= split.spread.others) return split;
    const double mean = meanOf(members), all = squaresAround(members, mean);
    const double between = highCount * (split.spread.theirs - mean) * (split.spread.theirs - mean) +
                           (count - highCount) * (split.spread.others - mean) * (split.spread.others - mean);
    split.explains = all > 0 ? between / all : 0;
    return split;
}

std::size_t mostOf(const std::vector<Member>& members) {
    const auto most = std::ranges::max_element(members, {}, &Member::value);
    return static_cast<std::size_t>(most - members.begin());
}

Split nodeSplit(const std::vector<Member>& members) {
    constexpr std::size_t kSeveral = 2;
    std::map<std::size_t, std::size_t> sizes;
    for (const Member& member : members) ++sizes[member.node];
    Split best;
    if (sizes.size() < 2) return best;
    for (const auto& entry : sizes) {
        if (entry.second < kSeveral) continue;
        const std::size_t node = entry.first;
        Split split = splitBy(members, Shape::Node, [&](std::size_t i) { return members[i].node == node; });
        if (split.explains > best.explains) best = std::move(split);
    }
    return best;
}

Split paritySplit(const std::vector<Member>& members) {
    constexpr std::size_t kEnough = 6;  // below, few and every second one are the same
    if (members.size() < kEnough) return {};
    const auto isOdd = [](std::size_t i) { return i % 2 == 1; };
    const auto isEven = [](std::size_t i) { return i % 2 == 0; };
    Split odd = splitBy(members, Shape::Parity, isOdd), even = splitBy(members, Shape::Parity, isEven);
    return odd.explains > even.explains ? odd : even;
}

/// Whether each has at least as much as the one before, or each at most as much, but for what values differ
/// by anyway.
bool isMonotone(const std::vector<Member>& members) {
    constexpr double kNearly = 0.1;  // of the whole difference
    const auto [least, most] = std::ranges::minmax_element(members, {}, &Member::value);
    const double tolerated = kNearly * (most->value - least->value);
    bool rises = true, falls = true;
    double highest = members.front().value, lowest = members.front().value;
    for (const Member& member : members) {
        rises = rises && member.value >= highest - tolerated;
        falls = falls && member.value <= lowest + tolerated;
        highest = std::max(highest, member.value);
        lowest = std::min(lowest, member.value);
    }
    return rises || falls;
}

/// A straight line.
Split gradient(const std::vector<Member>& members) {
    constexpr std::size_t kEnough = 4;  // three that differ stand in such a row in one of three cases
    Split split;
    if (members.size() < kEnough || !isMonotone(members)) return split;
    const double mean = meanOf(members), all = squaresAround(members, mean);
    const double middle = static_cast<double>(members.size() - 1) / 2;
    double both = 0, places = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
        const double place = static_cast<double>(i) - middle;
        both += place * (members[i].value - mean);
        places += place * place;
    }
    if (all > 0) split.explains = both * both / (places * all);
    split.spread.shape = Shape::Gradient;
    split.spread.members = {both > 0 ? members.size() - 1 : 0};
    split.spread.theirs = members[split.spread.members.front()].value;
    split.spread.others = members[both > 0 ? 0 : members.size() - 1].value;
    return split;
}

/// The best cut between those that have more and those that have less.
Split fewSplit(const std::vector<Member>& members) {
    std::vector<double> sorted;
    for (const Member& member : members) sorted.push_back(member.value);
    std::ranges::sort(sorted);
    std::size_t cut = 1;
    double sum = 0, best = -1;
    const double whole = std::accumulate(sorted.begin(), sorted.end(), 0.0);
    const auto count = static_cast<double>(sorted.size());
    for (std::size_t i = 1; i < sorted.size(); ++i) {
        sum += sorted[i - 1];
        const auto low = static_cast<double>(i);
        const double apart = (whole - sum) / (count - low) - sum / low;
        const double between = low * (count - low) * apart * apart;
        if (between > best && sorted[i] > sorted[i - 1]) {
            best = between;
            cut = i;
        }
    }
    const double limit = sorted[cut];
    return splitBy(members, Shape::Few, [&](std::size_t i) { return members[i].value >= limit; });
}

Split irregular(const std::vector<Member>& members) {
    const std::size_t most = mostOf(members);
    Split split = splitBy(members, Shape::Irregular, [most](std::size_t i) { return i == most; });
    return split;
}

bool isBorderKnown(const std::vector<Member>& members) {
    return std::ranges::any_of(members, &Member::isAtBorder);
}

/// Processes that stand at an end of a dimension that does not close, in the first grid of processes.
std::set<ProcessId> bordersOf(const Experiment& experiment) {
    std::set<ProcessId> found;
    for (const Topology& topology : experiment.topologies) {
        for (const Topology::Coordinate& place : topology.coordinates) {
            const auto* const process = std::get_if<ProcessId>(&place.resource);
            if (process == nullptr) continue;
            for (std::size_t at = 0; at < std::min(place.position.size(), topology.dimensions.size()); ++at) {
                const Topology::Dimension& dimension = topology.dimensions[at];
                constexpr std::uint64_t kHasMiddle = 3;
                if (!dimension.periodic && dimension.size >= kHasMiddle &&
                    (place.position[at] == 0 || place.position[at] + 1 == dimension.size))
                    found.insert(*process);
            }
        }
        if (!found.empty()) break;
    }
    return found;
}

/// What each has, the largest first.
std::string eachText(std::vector<Member> members) {
    std::ranges::stable_sort(members, std::ranges::greater(), &Member::value);
    std::string text;
    for (std::size_t at = 0; at < members.size(); ++at)
        text += (at == 0                    ? members[at].name + " takes "
                 : at + 1 == members.size() ? " and " + members[at].name + " "
                                            : ", " + members[at].name + " ") +
                secondsText(members[at].value);
    return text;
}

std::string namesOf(const Spread& spread, const std::vector<Member>& members) {
    constexpr std::size_t kNamed = 3;
    std::string text;
    const std::size_t count = spread.members.size();
    const std::size_t named = count <= kNamed + 1 ? count : kNamed;
    for (std::size_t i = 0; i < named; ++i)
        text += (i == 0 ? "" : i + 1 == count ? " and " : ", ") + members[spread.members[i]].name;
    return named == count ? text : text + fmt::format(" and {} more", count - named);
}

}  // namespace

const char* wordOf(Spread::Shape shape) {
    static constexpr const char* kWords[] = {"in turn",      "one",      "node", "border",
                                             "every second", "gradient", "few",  "irregular"};
    static_assert(std::size(kWords) == static_cast<std::size_t>(Shape::Irregular) + 1);
    return kWords[static_cast<std::size_t>(shape)];
}

Spread spreadOf(const std::vector<Member>& members, bool areNumbered) {
    Spread even;
    if (members.empty()) return even;
    const double mean = meanOf(members);
    const std::size_t most = mostOf(members);
    even.theirs = even.others = mean;
    if (members.size() < 2 || !(mean > 0) || members[most].value <= (1 + kEven) * mean) return even;
    std::vector<Split> shapes;
    shapes.push_back(splitBy(members, Shape::One, [most](std::size_t i) { return i == most; }));
    shapes.push_back(nodeSplit(members));
    if (isBorderKnown(members))
        shapes.push_back(
            splitBy(members, Shape::Border, [&](std::size_t i) { return members[i].isAtBorder; }));
    if (areNumbered) {
        shapes.push_back(paritySplit(members));
        shapes.push_back(gradient(members));
    }
    shapes.push_back(fewSplit(members));
    Split best = irregular(members);
    best.explains = kExplains - kClearly;
    for (Split& shape : shapes)
        if (shape.explains >= best.explains + kClearly) best = std::move(shape);
    return best.spread;
}

namespace {

/// Who has missing events has too little of everything. Where nobody has all, they are all there is.
std::vector<Member> withoutDamaged(std::vector<Member> members, const Experiment& experiment) {
    const auto isDamagedOne = [&](const Member& member) {
        return std::ranges::any_of(
            member.locations, [&](LocationId location) { return isDamaged(experiment.system[location]); });
    };
    if (!std::ranges::all_of(members, isDamagedOne)) std::erase_if(members, isDamagedOne);
    return members;
}

/// Whether those who have more differ among themselves.
bool doTheyDiffer(const Spread& spread, const std::vector<Member>& members) {
    return std::ranges::any_of(spread.members, [&](std::size_t at) {
        return std::abs(members[at].value - spread.theirs) > kEven * spread.theirs;
    });
}

}  // namespace

std::vector<Member> processMembers(const Measures& measures, const std::vector<double>& perLocation) {
    const SystemTree& system = measures.experiment().system;
    const std::set<ProcessId> borders = bordersOf(measures.experiment());
    std::vector<Member> members;
    for (const CountedProcess& process : measures.processes()) {
        double value = perLocation[process.threads.front().index()];
        for (const LocationId thread : process.threads)  // the first may never come there
            if (value == 0) value = perLocation[thread.index()];
        members.push_back({system[process.process].name, value, process.threads,
                           system[process.process].node.index(), borders.contains(process.process)});
    }
    return withoutDamaged(std::move(members), measures.experiment());
}

std::vector<Member> threadMembers(const Measures& measures, const std::vector<double>& perLocation) {
    const SystemTree& system = measures.experiment().system;
    const bool several = measures.processes().size() > 1;
    std::vector<Member> members;
    for (const LocationId thread : measures.threads()) {
        const Process& process = system[system[thread].process];
        members.push_back({several ? process.name + " / " + system[thread].name : system[thread].name,
                           perLocation[thread.index()],
                           {thread},
                           process.node.index(),
                           false});
    }
    return withoutDamaged(std::move(members), measures.experiment());
}

std::string spreadText(const Spread& spread, const std::vector<Member>& members,
                       const Experiment& experiment) {
    const std::string theirs = secondsText(spread.theirs), others = secondsText(spread.others);
    const char* const average = doTheyDiffer(spread, members) ? " on average" : "";
    const auto against = [&](const std::string& who, const char* verb) {
        return members.size() - spread.members.size() == 1
                   ? fmt::format("{} {} {}{}, the other one {}", who, verb, theirs, average, others)
                   : fmt::format("{} {} {}{}, the others {} on average", who, verb, theirs, average, others);
    };
    const std::size_t number = spread.members.size();
    switch (spread.shape) {
        case Shape::Even:
            return fmt::format("all take about the same there, {}: now one is late, now another", theirs);
        case Shape::One:
            return against(members[spread.members.front()].name, "takes");
        case Shape::Node:
            return against(
                fmt::format("the {} of node {}", number,
                            experiment.system.nodes[SystemNodeId(members[spread.members.front()].node)].name),
                "take");
        case Shape::Border:
            return against(fmt::format("the {} at the border of the grid of processes", number), "take");
        case Shape::Parity:
            return against(fmt::format("every second one, from {} on,", members[spread.members.front()].name),
                           "takes");
        case Shape::Gradient:
            return fmt::format("the {} the number, the longer: from {} to {} in {}",
                               spread.members.front() == 0 ? "lower" : "higher", others, theirs,
                               members[spread.members.front()].name);
        case Shape::Few:
            return against(namesOf(spread, members), number == 1 ? "takes" : "take");
        case Shape::Irregular:
            break;
    }
    constexpr std::size_t kFew = 3;
    if (members.size() <= kFew) return eachText(members);
    return fmt::format("without a pattern; most in {}, {}, and {} on average in the others",
                       members[spread.members.front()].name, theirs, others);
}

}  // namespace holos::algebra

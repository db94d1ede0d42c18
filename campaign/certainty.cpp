// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/certainty.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "algebra/insight/scaling/noise.h"
#include "base/moments.h"

namespace holos::campaign {
namespace {

bool isAmong(const std::string& name, const Measurement& events) {
    return std::ranges::find(events, name) != events.end();
}

struct Group {
    Measurement events;
    std::vector<double> totals;
    Moments moments{};
};

/// The totals of a metric by what was counted beside it.
std::vector<Group> groupsOf(const Variation& variation, const std::vector<Measurement>& measured) {
    std::map<Measurement, Group> groups;
    for (std::size_t i = 0; i < variation.totals.size(); ++i) {
        Measurement events = measured[variation.inputs[i]];
        std::ranges::sort(events);
        Group& group = groups[events];
        group.events = measured[variation.inputs[i]];
        group.totals.push_back(variation.totals[i]);
    }
    std::vector<Group> all;
    for (auto& [events, group] : groups) {
        group.moments = momentsOf(group.totals.size(), [&](std::size_t i) { return group.totals[i]; });
        all.push_back(std::move(group));
    }
    return all;
}

/// By which the means of two groups may differ by chance; nothing where no group has several runs.
std::optional<double> differenceByChance(const std::vector<Group>& groups, const Group& one,
                                         const Group& other) {
    double squares = 0;
    std::size_t freedom = 0;
    for (const Group& group : groups) {
        const std::size_t own = group.totals.size() - 1;
        squares += static_cast<double>(own) * group.moments.deviation * group.moments.deviation;
        freedom += own;
    }
    if (freedom == 0) return std::nullopt;
    const double share =
        1.0 / static_cast<double>(one.totals.size()) + 1.0 / static_cast<double>(other.totals.size());
    return algebra::scaling::deviationsOf95Percent(freedom) *
           std::sqrt(squares / static_cast<double>(freedom) * share);
}

std::optional<SetEffect> effectOn(const Variation& variation, const std::vector<Measurement>& measured) {
    constexpr double kOfAccount = 0.05, kOfChance = 2.0;
    const std::vector<Group> groups = groupsOf(variation, measured);
    if (groups.size() < 2) return std::nullopt;
    const auto [low, high] =
        std::minmax_element(groups.begin(), groups.end(),
                            [](const Group& a, const Group& b) { return a.moments.mean < b.moments.mean; });
    const double difference = high->moments.mean - low->moments.mean;
    const auto byChance = differenceByChance(groups, *low, *high);
    if (!byChance || difference <= kOfChance * *byChance ||
        difference <= kOfAccount * std::fabs(variation.mean))
        return std::nullopt;
    return SetEffect{variation.metric,  variation.unit, low->events,
                     low->moments.mean, high->events,   high->moments.mean};
}

}  // namespace

bool isUncertain(const Measurement& events, const std::vector<Variation>& variations,
                 const specs::Specification& specification, double within) {
    return std::ranges::any_of(variations, [&](const Variation& each) {
        if (each.knownWithin() <= within) return false;
        if (isAmong(each.metric, events)) return true;
        const auto others = specification.otherNames.find(each.metric);
        return others != specification.otherNames.end() &&
               std::ranges::any_of(others->second,
                                   [&](const std::string& name) { return isAmong(name, events); });
    });
}

std::vector<SetEffect> setEffects(const std::vector<Variation>& variations,
                                  const std::vector<Measurement>& measured) {
    std::vector<SetEffect> effects;
    for (const Variation& each : variations)
        if (auto effect = effectOn(each, measured)) effects.push_back(std::move(*effect));
    return effects;
}

}  // namespace holos::campaign

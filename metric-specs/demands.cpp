// SPDX-License-Identifier: BSD-3-Clause
#include "metric-specs/demands.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "base/suggest.h"
#include "metric-specs/problems.h"
#include "metric-specs/trace_metrics.h"

namespace holos::specs {
namespace {

using Group = std::set<std::string>;

/// How a metric can be measured: groups of events, or why it cannot.
struct Way {
    std::vector<Group> groups;
    std::vector<Uncovered> missing;
};

class Expansion {
  public:
    Expansion(const Specification& specification, const Registers& registers, PlanRequest::Split split)
        : spec_(specification), registers_(registers), split_(split) {
        for (const Definition& each : spec_.definitions) definitions_[each.name].push_back(&each);
        for (const Alias& each : spec_.aliases) aliases_[each.name].push_back(&each);
        for (const Alias& each : spec_.aliases) countable_.insert(each.event);
        for (const MeasurementSet& set : spec_.sets) countable_.insert(set.events.begin(), set.events.end());
        for (const auto& each : registers.allowed) countable_.insert(each.first);
        for (const auto& each : registers.bankOf) countable_.insert(each.first);
        countable_.insert(registers.fixed.begin(), registers.fixed.end());
        if (spec_.sets.empty())
            for (const std::string& event : spec_.events()) countable_.insert(event);
    }

    /// Everything below a metric, itself first.
    std::vector<std::string> below(const std::string& name) const {
        std::vector<std::string> all{name};
        std::set<std::string_view> seen{name};
        for (std::size_t at = 0; at < all.size(); ++at) {
            const auto found = definitions_.find(all[at]);
            if (found == definitions_.end()) continue;
            for (const Definition* each : found->second)
                if (each->kind == Definition::Kind::Compose)
                    for (const std::string& term : each->formula.terms)
                        if (seen.insert(term).second) all.push_back(term);
        }
        return all;
    }

    bool isKnown(const std::string& name) const {
        return definitions_.contains(name) || aliases_.contains(name) || countable_.contains(name) ||
               isTraceMetric(name);
    }

    Way wayTo(const std::string& name) {
        if (const auto known = ways_.find(name); known != ways_.end()) return known->second;
        Way way = findWay(name);
        ways_.emplace(name, way);
        return way;
    }

  private:
    Way findWay(const std::string& name) {
        if (countable_.contains(name)) return {{{name}}, {}};
        if (isTraceMetric(name)) return {};  // needs no counter
        if (const auto found = aliases_.find(name); found != aliases_.end())
            for (const Alias* alias : found->second) {
                Way way = wayTo(alias->event);
                if (way.missing.empty()) return way;
            }
        const auto found = definitions_.find(name);
        if (found == definitions_.end()) return {{}, {{name, "no counter measures it"}}};
        std::optional<Way> best;
        for (const Definition* definition : found->second) {
            Way way = byDefinition(*definition);
            if (!best || way.missing.size() < best->missing.size()) best = std::move(way);
            if (best->missing.empty()) break;
        }
        return *best;
    }

    Way byDefinition(const Definition& definition) {
        Way way;
        for (const std::string& term : definition.terms()) {
            Way part = wayTo(term);
            way.groups.insert(way.groups.end(), part.groups.begin(), part.groups.end());
            way.missing.insert(way.missing.end(), part.missing.begin(), part.missing.end());
        }
        const bool together = definition.kind == Definition::Kind::Compute;
        return together ? inOneRun(definition.name, std::move(way)) : way;
    }

    /// The terms of a computation: all of them, in one run.
    Way inOneRun(const std::string& name, Way parts) const {
        if (!parts.missing.empty())
            return {{}, {{name, "needs " + parts.missing.front().metric + ": " + parts.missing.front().why}}};
        if (split_ == PlanRequest::Split::Any) return parts;
        Group all;
        for (const Group& group : parts.groups) all.insert(group.begin(), group.end());
        const auto why = whyNoRun(spec_, registers_, {all.begin(), all.end()});
        if (!why) return {{all}, {}};
        if (split_ == PlanRequest::Split::TooLarge) return parts;
        return {{}, {{name, "its terms cannot be counted in one run: " + *why}}};
    }

    const Specification& spec_;
    const Registers& registers_;
    PlanRequest::Split split_;
    std::map<std::string, std::vector<const Definition*>, std::less<>> definitions_;
    std::map<std::string, std::vector<const Alias*>, std::less<>> aliases_;
    std::set<std::string, std::less<>> countable_;
    std::map<std::string, Way, std::less<>> ways_;
};

std::vector<std::string> namesWanted(const Specification& specification, const Expansion& expansion,
                                     const PlanRequest& request) {
    std::vector<std::string> names;
    if (request.wanted.isAll()) {
        for (const Definition& each : specification.definitions) names.push_back(each.name);
        for (const Alias& each : specification.aliases) names.push_back(each.name);
    }
    for (const std::string& wanted : request.wanted.given()) {
        const bool below = wanted.size() > 1 && wanted.back() == '/';
        const std::string name = below ? wanted.substr(0, wanted.size() - 1) : wanted;
        if (!expansion.isKnown(name)) {
            std::vector<std::string> known = specification.events();
            for (const Definition& each : specification.definitions) known.push_back(each.name);
            for (const Alias& each : specification.aliases) known.push_back(each.name);
            throw Error("there is no metric or event " + inQuotes(name) + didYouMean(name, known),
                        {.file = specification.file});
        }
        const auto all = below ? expansion.below(name) : std::vector<std::string>{name};
        names.insert(names.end(), all.begin(), all.end());
    }
    return names;
}

/// Groups that are part of others ask for nothing more.
std::vector<std::vector<std::string>> largestOf(const std::set<Group>& groups) {
    std::vector<std::vector<std::string>> kept;
    for (const Group& group : groups) {
        const bool part = std::ranges::any_of(groups, [&group](const Group& other) {
            return other.size() > group.size() && std::ranges::includes(other, group);
        });
        if (!part) kept.emplace_back(group.begin(), group.end());
    }
    return kept;
}

bool isSubset(const std::vector<std::string>& events, const std::vector<std::string>& set) {
    return std::ranges::all_of(
        events, [&set](const std::string& event) { return std::ranges::find(set, event) != set.end(); });
}

}  // namespace

std::optional<std::string> whyNoRun(const Specification& specification, const Registers& registers,
                                    const std::vector<std::string>& events) {
    const auto& sets = specification.sets;
    const auto inSet = [&events](const MeasurementSet& set) { return isSubset(events, set.events); };
    if (registers.restricted && std::ranges::any_of(sets, inSet)) return std::nullopt;
    if (auto why = whyNotTogether(registers, events)) return why;
    if (!registers.restricted) return std::nullopt;
    std::vector<std::string> open;  // known only from sets
    for (const std::string& event : events)
        if (!registers.allowed.contains(event) && !needsNoRegister(registers, event) &&
            !registers.bankOf.contains(event))
            open.push_back(event);
    if (open.size() < 2) return std::nullopt;
    return "the file has no set that shows how " + open[0] + " and " + open[1] + " go together with the rest";
}

Demands demandsOf(const Specification& specification, const Registers& registers,
                  const PlanRequest& request) {
    Expansion expansion(specification, registers, request.split);
    Demands demands;
    std::set<Group> groups;
    std::set<std::string> reported;
    for (const std::string& name : namesWanted(specification, expansion, request)) {
        const Way way = expansion.wayTo(name);
        for (const Group& group : way.groups) {
            const auto why = whyNoRun(specification, registers, {group.begin(), group.end()});
            if (!why)
                groups.insert(group);
            else if (reported.insert(*group.begin()).second)
                demands.uncovered.push_back({*group.begin(), *why});
        }
        for (const Uncovered& each : way.missing)
            if (reported.insert(each.metric).second) demands.uncovered.push_back(each);
    }
    demands.groups = largestOf(groups);
    return demands;
}

}  // namespace holos::specs

// SPDX-License-Identifier: BSD-3-Clause
#include "metric-specs/plan.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <set>

#include "base/suggest.h"
#include "base/wrong_request.h"
#include "metric-specs/problems.h"
#include "metric-specs/specification.h"
#include "metric-specs/trace_metrics.h"

namespace holos::specs {
namespace {

/// What has to be counted for what is wanted.
struct Demands {
    /// Events that must be in one run, sorted; none in another.
    std::vector<std::vector<std::string>> groups;
    std::vector<Uncovered> uncovered;
};

/// Why the events cannot be one run, also where which event goes on which register is known only from the
/// sets of the file.
std::optional<std::string> whyNoRun(const Specification& specification, const Registers& registers,
                                    const std::vector<std::string>& events);

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
            throw WrongRequest("there is no metric or event " + inQuotes(name) + didYouMean(name, known),
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

/// `registers` as they are for this plan.
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

/// Steps of the search: some seconds at most.
constexpr std::size_t kMostSteps = 300'000;

using Events = std::vector<std::size_t>;  ///< ascending indices

Events unionOf(const Events& a, const Events& b) {
    Events all;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
    return all;
}

/// Which groups of events fit into one run, for events known by index.
class Room {
  public:
    Room(const Specification& specification, const Registers& registers,
         const std::vector<std::vector<std::string>>& groups)
        : registers_(registers) {
        for (const auto& group : groups)
            for (const std::string& event : group) index_.emplace(event, 0);
        for (auto& [event, index] : index_) {
            index = names_.size();
            names_.push_back(event);
            masks_.push_back(maskOf(event));
        }
        for (const auto& exclusion : registers.exclusions) exclusions_.push_back(known(exclusion));
        for (std::size_t bank = 0; bank < registers.banks.size(); ++bank) banks_.push_back(ofBank(bank));
        if (registers.restricted)
            for (const MeasurementSet& set : specification.sets) sets_.push_back(known(set.events));
    }

    Events known(const std::vector<std::string>& events) const {
        Events found;
        for (const std::string& event : events)
            if (const auto at = index_.find(event); at != index_.end()) found.push_back(at->second);
        std::ranges::sort(found);
        return found;
    }
    const std::string& name(std::size_t event) const { return names_[event]; }

    /// How many registers its events could be on: what is little comes first, what is free fills the gaps.
    std::size_t freedom(const Events& group) const {
        std::size_t registers = 0;
        for (const std::size_t event : group)
            registers += static_cast<std::size_t>(std::popcount(masks_[event]));
        return registers;
    }

    bool holds(const Events& run) const {
        if (registers_.restricted) {
            const auto holdsRun = [&run](const Events& set) { return std::ranges::includes(set, run); };
            if (std::ranges::any_of(sets_, holdsRun)) return true;
            const auto open = std::ranges::count_if(run, [this](std::size_t event) {
                return needsRegister(event) && !registers_.allowed.contains(names_[event]);
            });
            if (open > 1) return false;
        }
        for (const Events& exclusion : exclusions_)
            if (common(exclusion, run) > 1) return false;
        for (std::size_t bank = 0; bank < banks_.size(); ++bank)
            if (common(banks_[bank], run) > registers_.banks[bank].count) return false;
        std::vector<std::uint64_t> masks;
        for (const std::size_t event : run)
            if (needsRegister(event)) masks.push_back(masks_[event]);
        if (!registers_.limited) return true;
        if (masks.size() > registers_.count) return false;
        return !RegisterAssignment(registers_.count, std::move(masks)).firstWithout();
    }

    /// No plan has fewer runs: events that share the same few registers, events that exclude each other, each
    /// as often as it is needed.
    std::size_t fewestRuns(const std::vector<Events>& groups) const {
        std::size_t fewest = names_.empty() ? 0 : 1;
        const std::vector<std::size_t> times = runsWithEach(groups);
        const auto sum = [&times](const Events& events) {
            return std::accumulate(
                events.begin(), events.end(), std::size_t{0},
                [&times](std::size_t all, std::size_t event) { return all + times[event]; });
        };
        std::set<std::uint64_t> masks(masks_.begin(), masks_.end());
        if (registers_.limited) masks.insert(allRegisters(registers_));
        masks.erase(0);
        for (const std::uint64_t mask : masks) {
            Events inside;
            for (std::size_t event = 0; event < masks_.size(); ++event)
                if (masks_[event] != 0 && (masks_[event] & ~mask) == 0) inside.push_back(event);
            fewest = std::max(fewest, quotientUp(sum(inside), static_cast<std::size_t>(std::popcount(mask))));
        }
        for (const Events& exclusion : exclusions_) fewest = std::max(fewest, sum(exclusion));
        for (std::size_t bank = 0; bank < banks_.size(); ++bank)
            fewest = std::max(fewest, quotientUp(sum(banks_[bank]), registers_.banks[bank].count));
        return fewest;
    }

    /// How many groups, picked one after the other, have no run in common with any of the others.
    std::size_t mutuallyApart(const std::vector<const Events*>& groups) const {
        std::vector<const Events*> picked;
        for (const Events* group : groups)
            if (std::ranges::none_of(picked,
                                     [&](const Events* other) { return holds(unionOf(*other, *group)); }))
                picked.push_back(group);
        return picked.size();
    }

  private:
    /// By event: in how many runs it must be, because the groups that have it do not fit into fewer.
    std::vector<std::size_t> runsWithEach(const std::vector<Events>& groups) const {
        std::vector<std::size_t> times;
        for (std::size_t event = 0; event < names_.size(); ++event) {
            std::vector<const Events*> with;
            for (const Events& group : groups)
                if (std::ranges::binary_search(group, event)) with.push_back(&group);
            times.push_back(mutuallyApart(with));
        }
        return times;
    }

    /// 0: takes no register of the processor's own.
    std::uint64_t maskOf(const std::string& event) const {
        if (!registers_.limited || needsNoRegister(registers_, event) || registers_.bankOf.contains(event))
            return 0;
        const auto found = registers_.allowed.find(event);
        return found == registers_.allowed.end() ? allRegisters(registers_) : found->second;
    }
    bool needsRegister(std::size_t event) const { return masks_[event] != 0; }

    Events ofBank(std::size_t bank) const {
        Events found;
        for (std::size_t event = 0; event < names_.size(); ++event)
            if (const auto at = registers_.bankOf.find(names_[event]);
                at != registers_.bankOf.end() && at->second == bank)
                found.push_back(event);
        return found;
    }

    static std::size_t common(const Events& a, const Events& b) {
        std::size_t count = 0;
        for (const std::size_t each : a) count += std::ranges::binary_search(b, each) ? 1 : 0;
        return count;
    }
    static std::size_t quotientUp(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

    const Registers& registers_;
    std::map<std::string, std::size_t, std::less<>> index_;
    std::vector<std::string> names_;
    std::vector<std::uint64_t> masks_;
    std::vector<Events> exclusions_;
    std::vector<Events> banks_;
    std::vector<Events> sets_;
};

/// Branch and bound: every group goes into a run that there is or into a new one.
class Search {
  public:
    Search(const Room& room, std::vector<Events> groups) : room_(room), groups_(std::move(groups)) {
        std::ranges::stable_sort(groups_, [this](const Events& a, const Events& b) {
            return a.size() != b.size() ? a.size() > b.size() : room_.freedom(a) < room_.freedom(b);
        });
        std::vector<const Events*> all;
        for (const Events& group : groups_) all.push_back(&group);
        fewest_ = std::max(room_.fewestRuns(groups_), room_.mutuallyApart(all));
        for (const Events& group : groups_) best_.push_back(group);
        place(0);
    }

    const std::vector<Events>& runs() const { return best_; }
    /// The number of runs of the best plan when the search came to its end, or the bound.
    std::size_t atLeast() const { return steps_ <= kMostSteps ? best_.size() : fewest_; }

  private:
    void place(std::size_t at) {
        if (best_.size() <= fewest_ || ++steps_ > kMostSteps || runs_.size() >= best_.size()) return;
        if (at == groups_.size()) {
            best_ = runs_;
            return;
        }
        for (std::size_t i : tightestFirst(groups_[at])) {
            const Events before = runs_[i];
            runs_[i] = unionOf(before, groups_[at]);
            const bool free = runs_[i].size() == before.size();
            place(at + 1);
            runs_[i] = before;
            if (free) return;  // it is in that run anyway
        }
        runs_.push_back(groups_[at]);
        place(at + 1);
        runs_.pop_back();
    }

    /// The runs that have room for the group: those first to which it adds least, and of these the fullest.
    std::vector<std::size_t> tightestFirst(const Events& group) const {
        std::vector<std::pair<std::size_t, std::size_t>> ranked;
        for (std::size_t i = 0; i < runs_.size(); ++i) {
            const Events together = unionOf(runs_[i], group);
            if (together.size() == runs_[i].size() || room_.holds(together))
                ranked.emplace_back(i, together.size() - runs_[i].size());
        }
        std::ranges::stable_sort(ranked, [this](const auto& a, const auto& b) {
            return a.second != b.second ? a.second < b.second : runs_[a.first].size() > runs_[b.first].size();
        });
        std::vector<std::size_t> order;
        for (const auto& each : ranked) order.push_back(each.first);
        return order;
    }

    const Room& room_;
    std::vector<Events> groups_;
    std::size_t fewest_ = 0;
    std::size_t steps_ = 0;
    std::vector<Events> runs_;
    std::vector<Events> best_;
};

}  // namespace

Plan plan(const Specification& specification, const PlanRequest& request) {
    Registers registers = specification.registers;
    if (request.registers) {
        registers.limited = true;
        registers.count = std::min(*request.registers, Registers::kMost);
        for (auto& each : registers.allowed) each.second &= allRegisters(registers);
        std::erase_if(registers.allowed, [](const auto& each) { return each.second == 0; });
    }
    Demands demands = demandsOf(specification, registers, request);
    const Room room(specification, registers, demands.groups);
    std::vector<Events> groups;
    for (const auto& group : demands.groups) groups.push_back(room.known(group));
    const Search search(room, std::move(groups));

    Plan found;
    found.uncovered = std::move(demands.uncovered);
    found.atLeast = search.atLeast();
    for (const Events& run : search.runs()) {
        auto& names = found.runs.emplace_back();
        for (const std::size_t event : run) names.push_back(room.name(event));
    }
    return found;
}

}  // namespace holos::specs

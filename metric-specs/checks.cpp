// SPDX-License-Identifier: BSD-3-Clause
#include "metric-specs/checks.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "base/suggest.h"
#include "metric-specs/term_graph.h"
#include "metric-specs/trace_metrics.h"

namespace holos::specs {
namespace {

/// Names shown of a cycle.
constexpr std::size_t kLongestChain = 10;

class Checker {
  public:
    Checker(const Specification& specification, const Origins& origins, Problems& problems)
        : spec_(specification), origins_(origins), problems_(problems) {
        for (const Definition& each : spec_.definitions) metrics_.insert(each.name);
        for (const Alias& each : spec_.aliases) metrics_.insert(each.name);
        for (const auto& [name, position] : origins_.defined) metrics_.insert(name);
        for (const Definition& each : spec_.definitions)
            if (each.kind == Definition::Kind::Ratio) ratios_.insert(each.name);
        for (const std::string_view name : kTraceMetrics) counted_.insert(name);
        collectEvents();
    }

    void run() {
        cycles();
        parents();
        for (std::size_t i = 0; i < spec_.definitions.size(); ++i) terms(i);
        for (std::size_t i = 0; i < spec_.findings.size(); ++i) finding(i);
        for (const MeasurementSet& set : spec_.sets)
            if (const auto why = whyNotTogether(spec_.registers, set.events))
                add(set.at, set.name, "the set " + inQuotes(set.name) + " cannot be counted: " + *why);
        annotations();
    }

  private:
    void add(const Position& at, std::string_view text, const std::string& message) {
        problems_.enter(at.file);
        problems_.add(at.line, at.column, text, message);
    }

    /// At the place of a word in its statement.
    void add(const Statement& statement, std::string_view word, const std::string& message) {
        const auto found = std::find_if(statement.tokens.rbegin(), statement.tokens.rend(),
                                        [word](const Token& token) { return token.isWord(word); });
        const Token& token = found == statement.tokens.rend() ? statement.tokens[0] : *found;
        problems_.enter(statement.file);
        problems_.add(token.line, token.column, word, message);
    }

    void collectEvents() {
        for (const Alias& each : spec_.aliases) counted_.insert(each.event);
        for (const MeasurementSet& set : spec_.sets) counted_.insert(set.events.begin(), set.events.end());
        for (const auto& each : spec_.registers.allowed) counted_.insert(each.first);
        for (const auto& each : spec_.registers.bankOf) counted_.insert(each.first);
        for (const auto& each : spec_.scopes) counted_.insert(each.first);
        counted_.insert(spec_.registers.fixed.begin(), spec_.registers.fixed.end());
        for (const auto& [name, others] : spec_.otherNames) {
            counted_.insert(name);
            counted_.insert(others.begin(), others.end());
        }
    }

    void cycles() {
        std::unordered_map<std::string_view, const Position*> places;
        for (const Alias& each : spec_.aliases) places.emplace(each.name, &each.at);
        for (const Definition& each : spec_.definitions) places.insert_or_assign(each.name, &each.at);
        for (const std::vector<std::string>& cycle : TermGraph(spec_).cycles()) {
            std::string chain;
            for (std::size_t i = 0; i < std::min(cycle.size(), kLongestChain); ++i) chain += cycle[i] + " → ";
            if (cycle.size() > kLongestChain) chain += "… → ";
            Position at = *places.at(cycle.front());
            at.column = 1;
            add(at, cycle.front(), inQuotes(cycle.front()) + " is made of itself: " + chain + cycle.front());
        }
    }

    /// Of first definitions only: which alternative counts is known with the measurements.
    void parents() {
        std::set<std::string_view> seen;
        for (std::size_t i = 0; i < spec_.definitions.size(); ++i) {
            const Definition& each = spec_.definitions[i];
            if (!seen.insert(each.name).second || each.kind != Definition::Kind::Compose) continue;
            for (const std::string& term : each.formula.terms) parentsOf_[term].push_back(i);
        }
        for (const auto& [term, compositions] : parentsOf_) {
            if (compositions.size() < 2) continue;
            const Definition& first = spec_.definitions[compositions[0]];
            const Definition& second = spec_.definitions[compositions[1]];
            const Statement& place = *origins_.definitions[compositions[1]];
            const std::string both = inQuotes(first.name) + " (line " + std::to_string(first.at.line) +
                                     ") and " + inQuotes(second.name);
            if (metrics_.contains(term))
                add(place, term,
                    inQuotes(term) + " is composed into two parents, " + both +
                        "; a metric has one place, but its events may stand in several");
            else if (rootOf(first.name) == rootOf(second.name))
                add(place, term,
                    inQuotes(term) + " counts twice in " + inQuotes(rootOf(first.name)) +
                        ": it is a term of " + both);
        }
    }

    std::string_view rootOf(std::string_view name) const {
        for (std::size_t steps = 0; steps < spec_.definitions.size(); ++steps) {  // cycles end, too
            const auto parents = parentsOf_.find(name);
            if (parents == parentsOf_.end()) break;
            name = spec_.definitions[parents->second.front()].name;
        }
        return name;
    }

    void terms(std::size_t index) {
        const Definition& each = spec_.definitions[index];
        const Statement& statement = *origins_.definitions[index];
        for (const std::string& term : each.terms()) {
            if (ratios_.contains(term))
                add(statement, term,
                    inQuotes(term) + " is a ratio, and ratios are no terms: they do not add up");
            else if (each.kind != Definition::Kind::Compose)
                mustBeKnown(statement, term);
        }
    }

    /// Files without sets leave open what can be counted.
    void mustBeKnown(const Statement& statement, const std::string& term) {
        if (spec_.sets.empty() || metrics_.contains(term) || counted_.contains(term)) return;
        add(statement, term,
            inQuotes(term) + " is no metric of this file and no event that it counts anywhere" +
                didYouMean(term, known()));
    }

    void finding(std::size_t index) {
        const Finding& each = spec_.findings[index];
        const Statement& statement = *origins_.findings[index];
        for (const Comparison& condition : each.conditions)
            for (const Formula* side : {&condition.left, &condition.right})
                for (const std::string& term : side->terms)
                    if (term != kBandwidthShare) mustBeKnown(statement, term);
        if (!each.mostly.empty() && !isComposed(each.mostly))
            add(statement, each.mostly,
                inQuotes(each.mostly) + " is no composed metric of this file" +
                    didYouMean(each.mostly, known()));
        for (const std::string& child : each.besides)
            if (!isTermOf(child, each.mostly))
                add(statement, child, inQuotes(child) + " is no term of " + inQuotes(each.mostly));
        if (!each.costs.empty() && !isTime(each.costs))
            add(statement, each.costs,
                inQuotes(each.costs) + " is no metric of this file with the unit 'sec'" +
                    didYouMean(each.costs, known()));
        if (!spec_.descriptions.contains(each.name) && !origins_.descriptions.contains(each.name))
            add(each.at, each.name,
                "the finding " + inQuotes(each.name) + " has no explanation; expected describe " + each.name +
                    " \"title\" \"text\"");
    }

    bool isComposed(std::string_view name) const {
        return std::ranges::any_of(spec_.definitions, [name](const Definition& each) {
            return each.name == name && each.kind == Definition::Kind::Compose;
        });
    }

    bool isTime(std::string_view name) const {
        const auto unit = spec_.units.find(name);
        return (unit != spec_.units.end() && unit->second == "sec") ||
               std::ranges::any_of(spec_.definitions, [name](const Definition& each) {
                   return each.name == name && each.kind == Definition::Kind::Seconds;
               });
    }

    bool isTermOf(std::string_view term, std::string_view composition) const {
        return std::ranges::any_of(spec_.definitions, [&](const Definition& each) {
            const auto& terms = each.formula.terms;
            return each.name == composition && each.kind == Definition::Kind::Compose &&
                   std::ranges::find(terms, term) != terms.end();
        });
    }

    /// A unit or description must belong to something that the file mentions.
    void annotations() {
        const std::vector<std::string> all = known();
        const std::set<std::string_view> names(all.begin(), all.end());
        for (const Origins::Names* annotations : {&origins_.units, &origins_.descriptions, &origins_.trust})
            for (const auto& [name, position] : *annotations)
                if (!names.contains(name))
                    add(position, name,
                        inQuotes(name) + " is no metric, event, set or finding of this file" +
                            didYouMean(name, all));
    }

    std::vector<std::string> known() const {
        std::vector<std::string> names = spec_.events();
        names.insert(names.end(), metrics_.begin(), metrics_.end());
        names.insert(names.end(), counted_.begin(), counted_.end());
        for (const MeasurementSet& set : spec_.sets) names.push_back(set.name);
        for (const auto& each : origins_.findingNames) names.emplace_back(each.first);
        for (const RegisterBank& bank : spec_.registers.banks) names.push_back(bank.name);
        if (spec_.platform) names.push_back(spec_.platform->name);
        return names;
    }

    const Specification& spec_;
    const Origins& origins_;
    Problems& problems_;
    std::set<std::string_view> metrics_;
    std::set<std::string_view> ratios_;
    std::set<std::string_view> counted_;
    /// By term: the compositions that have it, as indices of definitions.
    std::map<std::string_view, std::vector<std::size_t>> parentsOf_;
};

}  // namespace

void check(const Specification& specification, const Origins& origins, Problems& problems) {
    Checker(specification, origins, problems).run();
}

}  // namespace holos::specs

// SPDX-License-Identifier: BSD-3-Clause
#include "metric-specs/specification.h"

#include <algorithm>
#include <iterator>

#include "base/suggest.h"
#include "base/text.h"
#include "base/wrong_request.h"
#include "metric-specs/problems.h"
#include "metric-specs/trace_metrics.h"

namespace holos::specs {
namespace {

std::string joined(const std::vector<std::string>& parts, const char* between) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
    return text;
}

std::string listOf(const std::vector<std::string>& names) {
    return joined(names, ", ");
}

std::string numbersOf(const Registers& registers, std::uint64_t which) {
    std::string text;
    for (; which != 0; which &= which - 1)
        text += (text.empty() ? "" : ", ") +
                std::to_string(registers.first + static_cast<std::size_t>(std::countr_zero(which)));
    return text;
}

std::optional<std::string> crowded(const Registers& registers, const std::vector<std::string>& events) {
    if (events.size() > registers.count)
        return counted(events.size(), "event") + " for " + counted(registers.count, "register") + ": " +
               listOf(events);
    std::vector<std::uint64_t> allowed;
    for (const std::string& event : events) {
        const auto found = registers.allowed.find(event);
        allowed.push_back(found == registers.allowed.end() ? allRegisters(registers) : found->second);
    }
    RegisterAssignment assignment(registers.count, allowed);
    if (!assignment.firstWithout()) return std::nullopt;
    const std::uint64_t contested = assignment.tried();
    std::vector<std::string> rivals;
    for (std::size_t i = 0; i < events.size(); ++i)
        if ((allowed[i] & ~contested) == 0) rivals.push_back(events[i]);
    return listOf(rivals) + " can be counted on " +
           (std::has_single_bit(contested) ? "register " : "registers ") + numbersOf(registers, contested) +
           " only";
}

}  // namespace

bool needsNoRegister(const Registers& registers, std::string_view event) {
    return registers.fixed.contains(event) || event.find(":::") != std::string_view::npos;
}

std::optional<std::string> whyNotTogether(const Registers& registers,
                                          const std::vector<std::string>& events) {
    for (const auto& exclusion : registers.exclusions) {
        std::vector<std::string> rivals;
        for (const std::string& event : events)
            if (std::ranges::find(exclusion, event) != exclusion.end()) rivals.push_back(event);
        if (rivals.size() > 1) return listOf(rivals) + " exclude each other";
    }
    std::vector<std::string> own;
    std::vector<std::vector<std::string>> inBank(registers.banks.size());
    for (const std::string& event : events) {
        if (const auto bank = registers.bankOf.find(event); bank != registers.bankOf.end())
            inBank[bank->second].push_back(event);
        else if (!needsNoRegister(registers, event))
            own.push_back(event);
    }
    for (std::size_t i = 0; i < inBank.size(); ++i)
        if (inBank[i].size() > registers.banks[i].count)
            return counted(inBank[i].size(), "event") + " for " +
                   counted(registers.banks[i].count, "register") + " of " + registers.banks[i].name + ": " +
                   listOf(inBank[i]);
    return registers.limited ? crowded(registers, own) : std::nullopt;
}

std::vector<std::string> Definition::terms() const {
    std::vector<std::string> all = formula.terms;
    for (const std::string& term : denominator.terms)
        if (std::ranges::find(all, term) == all.end()) all.push_back(term);
    return all;
}

bool Comparison::holds(double leftValue, double rightValue) const {
    switch (relation) {
        case Relation::Less:
            return leftValue < rightValue;
        case Relation::LessEqual:
            return leftValue <= rightValue;
        case Relation::Greater:
            return leftValue > rightValue;
        case Relation::GreaterEqual:
            return leftValue >= rightValue;
    }
    return false;
}

std::string Comparison::text() const {
    static constexpr const char* kSigns[] = {" < ", " <= ", " > ", " >= "};
    return formulaText(left) + kSigns[static_cast<std::size_t>(relation)] + formulaText(right);
}

const MeasurementSet& Specification::set(std::string_view name) const {
    std::vector<std::string> names;
    for (const MeasurementSet& each : sets) {
        if (each.name == name) return each;
        names.push_back(each.name);
    }
    throw WrongRequest("there is no measurement set " + inQuotes(name) + "; expected " +
                           (names.empty() ? "none: the file has no aggroup" : "one of " + listOf(names)) +
                           didYouMean(name, names),
                       {.file = file});
}

std::vector<std::string> Specification::events() const {
    std::set<std::string_view> defined;
    defined.insert(std::begin(kTraceMetrics), std::end(kTraceMetrics));
    for (const Definition& definition : definitions) defined.insert(definition.name);
    for (const Alias& alias : aliases) defined.insert(alias.name);
    std::set<std::string> seen;
    std::vector<std::string> found;
    const auto add = [&seen, &found](const std::string& name) {
        if (seen.insert(name).second) found.push_back(name);
    };
    for (const Alias& alias : aliases) add(alias.event);
    for (const MeasurementSet& each : sets)
        for (const std::string& event : each.events) add(event);
    for (const Definition& definition : definitions)
        for (const std::string& term : definition.terms())
            if (!defined.contains(term)) add(term);
    return found;
}

std::string Specification::description(std::string_view name) const {
    const auto found = descriptions.find(name);
    return found == descriptions.end() ? std::string() : joined(found->second, " ");
}

std::set<std::string> Specification::allBehind(const std::vector<std::string>& metrics) const {
    std::set<std::string> seen;
    std::vector<std::string> open = metrics;
    while (!open.empty()) {
        const std::string name = std::move(open.back());
        open.pop_back();
        if (!seen.insert(name).second) continue;
        for (const Alias& alias : aliases)
            if (alias.name == name) open.push_back(alias.event);
        for (const Definition& definition : definitions)
            if (definition.name == name)
                for (std::string& term : definition.terms()) open.push_back(std::move(term));
    }
    return seen;
}

std::string Specification::title() const {
    if (!platform) return std::filesystem::path(file).stem().string();
    const std::string described = description(platform->name);
    return described.empty() ? platform->name : described;
}

}  // namespace holos::specs

// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/plan.h"

#include <algorithm>

#include "base/error.h"

namespace holos::campaign {
namespace {

using Names = std::set<std::string>;
using specs::Definition;
using specs::Specification;

Names definedNames(const Specification& specification) {
    Names names;
    for (const auto& each : specification.aliases) names.insert(each.name);
    for (const auto& each : specification.definitions) names.insert(each.name);
    return names;
}

/// False when nothing of the definition is left.
bool keepWhatIsLeft(Definition& definition, const Names& unavailable) {
    const auto isUnavailable = [&](const std::string& term) { return unavailable.contains(term); };
    auto terms = definition.terms();
    if (std::ranges::none_of(terms, isUnavailable)) return true;
    if (definition.kind != Definition::Kind::Compose) return false;
    std::erase_if(terms, isUnavailable);
    if (terms.empty()) return false;
    definition.formula = specs::sumOf(terms);
    return true;
}

}  // namespace

Countable withoutEvents(Specification specification, const Refused& refused) {
    Names unavailable;
    for (const auto& [event, why] : refused) unavailable.insert(event);
    const Names before = definedNames(specification);
    for (std::size_t known = 0; known != unavailable.size();) {
        known = unavailable.size();
        std::erase_if(specification.aliases,
                      [&](const specs::Alias& each) { return unavailable.contains(each.event); });
        std::erase_if(specification.definitions,
                      [&](Definition& each) { return !keepWhatIsLeft(each, unavailable); });
        const Names left = definedNames(specification);
        std::ranges::set_difference(before, left, std::inserter(unavailable, unavailable.end()));
    }
    for (auto& set : specification.sets)
        std::erase_if(set.events, [&](const std::string& event) { return unavailable.contains(event); });
    return {std::move(specification), std::move(unavailable)};
}

namespace {

/// Takes those wanted metrics out that nothing can measure; false when none is left.
bool leaveOutUnavailable(Chosen<std::string>& wanted, const Countable& countable,
                         std::vector<specs::Uncovered>& uncovered) {
    if (wanted.isAll()) return true;
    std::vector<std::string> left = wanted.given();
    std::erase_if(left, [&](const std::string& name) {
        const std::string metric = name.ends_with('/') ? name.substr(0, name.size() - 1) : name;
        const bool gone = countable.unavailable.contains(metric);
        if (gone) uncovered.push_back({metric, "this machine cannot count its events"});
        return gone;
    });
    const bool any = !left.empty();
    wanted = std::move(left);
    return any;
}

Plan bySets(const Specification& specification, const Request& request) {
    Plan plan;
    for (const std::string& name : request.sets)
        if (const auto& events = specification.set(name).events; !events.empty())
            plan.measurements.push_back(events);
    plan.atLeast = plan.measurements.size();
    return plan;
}

Plan bySearch(const Countable& countable, const Request& request) {
    Plan plan;
    specs::PlanRequest search{request.wanted, request.registers, specs::PlanRequest::Split::TooLarge};
    if (!leaveOutUnavailable(search.wanted, countable, plan.uncovered)) return plan;
    specs::Plan found = specs::plan(countable.specification, search);
    plan.uncovered.insert(plan.uncovered.end(), found.uncovered.begin(), found.uncovered.end());
    plan.atLeast = found.atLeast;
    plan.measurements = std::move(found.runs);
    return plan;
}

/// The name under which the machine counts an event, or nothing with the reason put into `refused`.
std::optional<std::string> countedName(const std::string& event, const Specification& specification,
                                       const WhyNotCounted& whyNotCounted, Refused& refused) {
    const auto why = whyNotCounted({event});
    if (!why) return event;
    if (const auto others = specification.otherNames.find(event); others != specification.otherNames.end())
        for (const std::string& other : others->second)
            if (!whyNotCounted({other})) return other;
    refused.emplace(event, *why);
    return std::nullopt;
}

void splitUntilCounted(const Measurement& events, const WhyNotCounted& whyNotCounted,
                       std::vector<Measurement>& into) {
    if (events.size() < 2 || !whyNotCounted(events)) {
        into.push_back(events);
        return;
    }
    const auto middle = events.begin() + static_cast<std::ptrdiff_t>(events.size() / 2);
    splitUntilCounted({events.begin(), middle}, whyNotCounted, into);
    splitUntilCounted({middle, events.end()}, whyNotCounted, into);
}

/// The names for this machine; false when it refuses an event, so that another plan is needed.
bool translate(Plan& plan, const Specification& specification, const WhyNotCounted& whyNotCounted,
               Refused& refused) {
    const std::size_t before = refused.size();
    std::vector<Measurement> counted;
    for (const Measurement& each : plan.measurements) {
        Measurement names;
        for (const std::string& event : each)
            if (auto name = countedName(event, specification, whyNotCounted, refused))
                names.push_back(std::move(*name));
        splitUntilCounted(names, whyNotCounted, counted);
    }
    plan.measurements = std::move(counted);
    return refused.size() == before;
}

}  // namespace

Plan planMeasurements(const Specification& specification, const Request& request, Refused refused,
                      const WhyNotCounted& whyNotCounted) {
    for (;;) {
        const Countable countable = withoutEvents(specification, refused);
        Plan plan =
            request.sets.empty() ? bySearch(countable, request) : bySets(countable.specification, request);
        if (!translate(plan, specification, whyNotCounted, refused)) continue;
        plan.refused = std::move(refused);
        if (!plan.measurements.empty()) return plan;
        if (plan.refused.empty()) throw Error("there is nothing to measure");
        throw Error("this machine can count nothing of what is wanted; " + plan.refused.begin()->second);
    }
}

}  // namespace holos::campaign

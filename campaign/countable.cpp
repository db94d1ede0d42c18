// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/countable.h"

#include <algorithm>

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

}  // namespace holos::campaign

// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/patterns/list.h"

#include <array>

namespace holos::analyzer::patterns {

#define HOLOS_PATTERN(name) extern const Pattern k##name##Pattern;
#include "analyzer/patterns/list.def"
#undef HOLOS_PATTERN

std::span<const Pattern* const> allPatterns() {
    static constexpr const Pattern* kAll[] = {
#define HOLOS_PATTERN(name) &k##name##Pattern,
#include "analyzer/patterns/list.def"
#undef HOLOS_PATTERN
    };
    return kAll;
}

const CollectiveRule* ruleOf(replay::Collective operation) {
    static const auto kRules = [] {
        std::array<const CollectiveRule*, replay::kCollectives> rules{};
        for (const Pattern* pattern : allPatterns())
            for (const CollectiveRule& rule : pattern->collectives)
                for (const replay::Collective one : rule.operations)
                    rules[static_cast<std::size_t>(one)] = &rule;
        return rules;
    }();
    return kRules[static_cast<std::size_t>(operation)];
}

Kind kindOf(replay::Collective operation) {
    const CollectiveRule* const rule = ruleOf(operation);
    return rule != nullptr ? rule->kind : Kind::NToN;
}

void visitAllWaits(const JudgedTrace& run, trace::LocationId location, const VisitWait& visit) {
    for (const Dependency& wait : run.waits[location.index()].dependencies)
        if (wait.metric != nullptr)
            visit({*wait.metric, wait.waiter.node, wait.booked, wait.waiter.begin,
                   trace::LocationId(wait.causer.location)});
    for (const Pattern* pattern : allPatterns())
        if (pattern->visitWaits != nullptr) pattern->visitWaits(run, location, visit);
}

}  // namespace holos::analyzer::patterns

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

}  // namespace holos::analyzer::patterns

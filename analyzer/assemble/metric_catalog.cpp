// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/assemble/metric_catalog.h"

#include <algorithm>

#include "analyzer/assemble/catalog_builder.h"
#include "analyzer/assemble/metric_groups.h"
#include "analyzer/patterns/list.h"

namespace holos::analyzer::assemble {

using trace::TimeClass;

Present::Present(const std::vector<trace::RegionClass>& classes) {
    const auto anyOf = [&](std::initializer_list<TimeClass> wanted) {
        return std::ranges::any_of(classes, [&](const trace::RegionClass& known) {
            return std::ranges::any_of(wanted, [&](TimeClass one) { return known.has(one); });
        });
    };
    const auto anySpecial = [&](trace::Special wanted) {
        return std::ranges::any_of(classes,
                                   [&](const trace::RegionClass& known) { return known.special == wanted; });
    };
#define HOLOS_NEEDS(name, ...) has_[static_cast<std::size_t>(Needs::name)] = __VA_ARGS__;
#include "analyzer/patterns/needs.def"
#undef HOLOS_NEEDS
}

const Catalog& metricCatalog() {
    static const Catalog kCatalog = [] {
        CatalogBuilder<Metric> builder;
        for (const auto& groups : {timeGroups(), countGroups()})
            for (const Metric& group : groups) builder.append(group);
        for (const patterns::Pattern* pattern : patterns::allPatterns())
            for (const Metric* metric : pattern->metrics) builder.insert(*metric);
        return builder.take();
    }();
    return kCatalog;
}

}  // namespace holos::analyzer::assemble

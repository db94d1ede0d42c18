// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/metric_guide.h"

#include "analyzer/assemble/imbalance.h"
#include "analyzer/assemble/metric_catalog.h"

namespace holos::analyzer {

const algebra::MetricGuide& metricGuide() {
    static const algebra::MetricGuide kGuide = [] {
        std::vector<algebra::MetricHelp> all;
        const auto add = [&](const auto& metric) {
            all.push_back({metric.uniqueName, metric.meaning, metric.picture});
        };
        for (const assemble::Metric* metric : assemble::metricCatalog()) add(*metric);
        for (const assemble::CauseEntry* entry : assemble::causeCatalog()) add(*entry);
        for (const assemble::ImbalanceMetric& metric : assemble::imbalanceMetrics()) add(metric);
        return algebra::MetricGuide(all);
    }();
    return kGuide;
}

}  // namespace holos::analyzer

// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/metric_guide.h"

#include "analyzer/collate/cause_catalog.h"
#include "analyzer/collate/imbalance.h"
#include "analyzer/collate/metric_catalog.h"

namespace holos::analyzer {

const algebra::MetricGuide& metricGuide() {
    static const algebra::MetricGuide kGuide = [] {
        std::vector<algebra::MetricHelp> all;
        const auto add = [&](const auto& metric) {
            all.push_back({metric.uniqueName, metric.meaning, metric.picture});
        };
        for (const collate::Metric* metric : collate::metricCatalog()) add(*metric);
        for (const collate::CauseEntry* entry : collate::causeCatalog()) add(*entry);
        for (const collate::ImbalanceMetric& metric : collate::imbalanceMetrics()) add(metric);
        return algebra::MetricGuide(all);
    }();
    return kGuide;
}

}  // namespace holos::analyzer

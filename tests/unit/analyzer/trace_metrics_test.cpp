// SPDX-License-Identifier: BSD-3-Clause
#include "metric-specs/trace_metrics.h"

#include <gmock/gmock.h>

#include "analyzer/assemble/metric_catalog.h"

namespace holos::analyzer {
namespace {

/// What specifications take for metrics of every trace is in the catalog of the analysis.
TEST(TraceMetrics, ofSpecifications_areInTheCatalog) {
    std::vector<std::string_view> names;
    for (const assemble::Metric* metric : assemble::metricCatalog()) names.push_back(metric->uniqueName);
    for (const std::string_view name : specs::kTraceMetrics) EXPECT_THAT(names, ::testing::Contains(name));
}

}  // namespace
}  // namespace holos::analyzer

// SPDX-License-Identifier: BSD-3-Clause
#include "report/section_rows.h"

#include <algorithm>
#include <cmath>

namespace holos::report {

using namespace algebra;

bool isRatio(const Metric& metric) {
    return metric.origin == Origin::Ratio || metric.storage == Storage::PostDerived;
}

std::optional<double> percentOf(double part, double whole) {
    if (!std::isfinite(part) || !std::isfinite(whole) || whole == 0.0) return std::nullopt;
    return 100.0 * part / whole;
}

std::vector<MetricId> genericFirst(const Subjects& subjects, std::vector<MetricId> metrics) {
    const auto having = [&](MetricId metric) {
        std::size_t count = 0;
        for (std::size_t at = 0; at < subjects.size(); ++at) count += subjects.metricOf(at, metric) ? 1 : 0;
        return count;
    };
    std::ranges::stable_sort(metrics, [&](MetricId a, MetricId b) { return having(a) > having(b); });
    return metrics;
}

namespace {

std::string shownName(const Subjects& subjects, MetricId id) {
    const Metric& metric = subjects.metrics()[id];
    return metric.displayName.empty() ? metric.uniqueName : metric.displayName;
}

Row rowOf(const Subjects& subjects, MetricId id, std::size_t depth, const ValueOf& valueOf,
          const std::vector<double>& whole) {
    const Metric& metric = subjects.metrics()[id];
    Row row{shownName(subjects, id), depth, metric.unit, {}};
    for (std::size_t at = 0; at < subjects.size(); ++at) {
        Cell cell{valueOf(at, id), {}, subjects.metricOf(at, id).has_value()};
        if (!isRatio(metric)) cell.percent = percentOf(cell.value, whole[at]);
        row.cells.push_back(cell);
    }
    return row;
}

bool saysNothing(const Row& row) {
    return std::ranges::all_of(row.cells,
                               [](const Cell& cell) { return std::isnan(cell.value) || cell.value == 0.0; });
}

}  // namespace

void addTree(const Subjects& subjects, MetricId root, const ValueOf& valueOf, const ValueOf& wholeOf,
             std::vector<Row>& rows) {
    struct Open {
        MetricId id;
        std::size_t depth;
    };
    std::vector<double> whole;
    for (std::size_t at = 0; at < subjects.size(); ++at) whole.push_back(wholeOf(at, root));
    std::vector<Open> open{{root, 0}};
    while (!open.empty()) {
        const auto [id, depth] = open.back();
        open.pop_back();
        const Metric& metric = subjects.metrics()[id];
        if (metric.ghost) continue;
        if (!metric.isVoid) {
            Row row = rowOf(subjects, id, depth, valueOf, whole);
            if (saysNothing(row)) continue;
            rows.push_back(std::move(row));
        }
        const auto below = genericFirst(subjects, subjects.metrics().children(id));
        for (auto child = below.rbegin(); child != below.rend(); ++child) open.push_back({*child, depth + 1});
    }
}

}  // namespace holos::report

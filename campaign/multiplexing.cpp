// SPDX-License-Identifier: BSD-3-Clause
#include "campaign/multiplexing.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "algebra/operators/history/metric_names.h"
#include "base/csv.h"
#include "base/moments.h"
#include "campaign/variation.h"

namespace holos::campaign {
namespace {

std::optional<double> statedError(const algebra::Metric& metric) {
    constexpr double kPercent = 100.0;
    const auto text = algebra::attribute(metric.attributes, algebra::kErrorAttribute);
    double value = 0.0;
    if (!text || std::from_chars(text->data(), text->data() + text->size(), value).ec != std::errc())
        return std::nullopt;
    return value / kPercent;
}

std::vector<double> totalsOfEvent(const std::string& event, const algebra::Inputs& runs) {
    std::vector<double> totals;
    for (const algebra::Experiment& run : runs)
        for (const MeasuredTotal& each : totalsOf(run))
            if (each.name == event) totals.push_back(each.total);
    return totals;
}

}  // namespace

double MultiplexedTotal::difference() const {
    if (estimate == mean) return 0.0;
    return mean == 0.0 ? std::numeric_limits<double>::infinity() : (estimate - mean) / mean;
}

bool MultiplexedTotal::isFurtherOffThanStated() const {
    const double off = std::fabs(estimate - mean);
    return error && others.size() > 1 && off > *error * std::fabs(estimate) && off > 2 * deviation;
}

std::vector<MultiplexedTotal> compareMultiplexed(const algebra::Experiment& multiplexed,
                                                 const std::vector<std::string>& events,
                                                 const algebra::Inputs& others) {
    std::vector<MultiplexedTotal> compared;
    for (const MeasuredTotal& each : totalsOf(multiplexed)) {
        if (std::ranges::find(events, each.name) == events.end()) continue;
        const algebra::Metric& metric = multiplexed.metrics[each.metric];
        MultiplexedTotal total{each.name, metric.unit, each.total,         totalsOfEvent(each.name, others),
                               0.0,       0.0,         statedError(metric)};
        if (total.others.empty()) continue;
        const Moments moments =
            momentsOf(total.others.size(), [&](std::size_t i) { return total.others[i]; });
        total.mean = moments.mean;
        if (total.others.size() > 1) total.deviation = moments.deviation;
        compared.push_back(std::move(total));
    }
    return compared;
}

std::string tableOf(const std::vector<MultiplexedTotal>& totals) {
    std::string table =
        "event,unit,multiplexed,known within,runs of its own,mean,standard deviation,difference\n";
    for (const MultiplexedTotal& each : totals)
        table += fmt::format("{},{},{},{},{},{},{},{}\n", csvField(each.event), csvField(each.unit),
                             each.estimate, each.error ? fmt::format("{}", *each.error) : "",
                             each.others.size(), each.mean, each.deviation, each.difference());
    return table;
}

}  // namespace holos::campaign

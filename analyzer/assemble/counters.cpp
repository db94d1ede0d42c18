// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/assemble/additions.h"

#include <algorithm>
#include <limits>

#include "algebra/operators/history/metric_names.h"
#include "analyzer/assemble/growth_shares.h"

namespace holos::analyzer::assemble {

namespace {

using algebra::CallPathId;
using trace::MetricMode;
using trace::MetricType;

double valueOf(const trace::MetricMember& member, replay::CounterValue value) {
    switch (member.type) {
        case MetricType::Real:
            return value.real * member.scale;
        case MetricType::Signed:
            return static_cast<double>(value.integer) * member.scale;
        case MetricType::Unsigned:
            break;
    }
    // A counter that goes on from one reading to the next may also have gone back a little.
    if (member.mode == MetricMode::AccumulatedSinceStart)
        return static_cast<double>(value.integer) * member.scale;
    return static_cast<double>(static_cast<std::uint64_t>(value.integer)) * member.scale;
}

algebra::Metric metricOf(const trace::MetricMember& member) {
    algebra::Metric metric;
    metric.uniqueName = algebra::safeUniqueName(member.name);
    metric.displayName = member.name;
    metric.unit = member.unit;
    metric.description = member.description;
    if (member.mode == MetricMode::Absolute)
        metric.valueType = algebra::ValueType::MaxDouble;
    else if (member.type == MetricType::Unsigned && member.scale == 1)
        metric.valueType = algebra::ValueType::UInt64;
    else if (member.type == MetricType::Signed && member.scale == 1)
        metric.valueType = algebra::ValueType::Int64;
    return metric;
}

void markAttributed(algebra::Metric& metric) {
    metric.valueType = algebra::ValueType::Double;
    if (!metric.description.empty() && metric.description.back() != '.') metric.description += '.';
    if (!metric.description.empty()) metric.description += ' ';
    metric.description +=
        "Its values by call path are an attributed estimate: it was read from time to time, for a whole "
        "process or node. What it grew by between two readings is divided among the call paths of the "
        "threads there, in proportion to their time, waiting included. The sum is what the counter grew by "
        "from its first to its last reading.";
    algebra::setAttribute(metric.attributes, algebra::kAttributedAttribute, "time");
}

void markGauge(algebra::Metric& metric) {
    metric.valueType = algebra::ValueType::MaxDouble;
    if (!metric.description.empty() && metric.description.back() != '.') metric.description += '.';
    if (!metric.description.empty()) metric.description += ' ';
    metric.description +=
        "The trace says that it only grows, but it falls: it is taken for a gauge, of which each call path "
        "has the largest value that was read there.";
}

/// By member: whether it is said to grow, but falls in some location.
std::vector<char> findGauges(const replay::ReplayedCalls& calls) {
    std::vector<char> areGauges(calls.definitions.metricMembers.size(), 0);
    for (const replay::LocationCalls& location : calls.locations)
        for (const replay::CounterSeries& series : location.counters.series)
            if (series.isGauge()) areGauges[series.member.index()] = 1;
    return areGauges;
}

/// One location's values of one counter, added to a table. `isLevel`: the largest ones count, not their sum.
template <class Series>
void addSeries(const Series& series, const trace::MetricMember& member, bool isLevel,
               const paths::MergedTree& merged, std::size_t location, algebra::SeverityTable& table) {
    for (std::size_t node = 0; node < series.values.size(); ++node) {
        const auto path = merged.pathOf[location][node];
        if (series.seen[node] == 0 || !path || replay::NodeId(node) == replay::kOutside) continue;
        const double value = valueOf(member, series.values[node]);
        if (!isLevel) {
            table.add(*path, algebra::LocationId(location), value);
            continue;
        }
        const bool fresh = !table.hasRow(*path);
        const auto row = table.editRow(*path);
        if (fresh) std::ranges::fill(row, std::numeric_limits<double>::lowest());
        row[location] = std::max(row[location], value);
    }
}

}  // namespace

void addCounters(algebra::Experiment& experiment, const replay::ReplayedCalls& calls,
                 const paths::MergedTree& merged, workers::Workers& workers) {
    const std::vector<char> areGauges = findGauges(calls);
    GrowthShares::Tables tables(calls.definitions.metricMembers.size());
    for (std::size_t location = 0; location < calls.locations.size(); ++location)
        for (const replay::CounterSeries& series : calls.locations[location].counters.series) {
            auto& table = tables[series.member.index()];
            if (!table) table = experiment.newTable();
            const trace::MetricMember& member = calls.definitions.metricMembers[series.member.index()];
            if (areGauges[series.member.index()] != 0)
                addSeries(series.levels, member, true, merged, location, *table);
            else
                addSeries(series, member, member.mode == MetricMode::Absolute, merged, location, *table);
        }
    const GrowthShares shares(calls, merged, workers);
    shares.addTo(tables, areGauges);
    for (std::size_t i = 0; i < tables.size(); ++i) {
        if (!tables[i]) continue;
        algebra::Metric metric = metricOf(calls.definitions.metricMembers[i]);
        if (areGauges[i] != 0)
            markGauge(metric);
        else if (shares.has(trace::MemberId(i)))
            markAttributed(metric);
        // Two counters of one name are kept apart, and neither may hide a metric of the catalog.
        const std::string name = metric.uniqueName;
        for (int copy = 2; experiment.findMetric(metric.uniqueName); ++copy)
            metric.uniqueName = name + "_" + std::to_string(copy);
        experiment.severities.set(experiment.metrics.add(std::move(metric)), std::move(*tables[i]));
    }
}

}  // namespace holos::analyzer::assemble

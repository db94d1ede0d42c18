// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/profile/added_metrics.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "algebra/model/value_kinds.h"
#include "base/profile_counts.h"

namespace holos::analyzer::profile {

namespace {

using algebra::ValueType;
using collate::Catalog;
using patterns::Metric;

/// The metric of each count, by `ProfileCount`.
constexpr std::array<std::string_view, kProfileCounts> kCountNames{
    "comms_send", "syncs_send", "bytes_sent", "comms_recv", "syncs_recv", "bytes_rcvd", "comms_cxch",
    "comms_csrc", "comms_cdst", "syncs_coll", "bytes_cout", "bytes_cin",  "bytes_put",  "bytes_get"};

/// Of parallel regions; what a team's threads need for them each thread knows.
constexpr std::string_view kManagement = "omp_management";
constexpr std::string_view kFork = "omp_fork";

bool isSum(std::string_view name) {
    return name == kManagement || name == kFork ||
           std::find(kCountNames.begin(), kCountNames.end(), name) != kCountNames.end();
}

const Metric& metricOf(std::string_view name) {
    const Catalog& all = collate::metricCatalog();
    return **std::find_if(all.begin(), all.end(),
                          [name](const Metric* one) { return name == one->uniqueName; });
}

/// What matching finds is not there, nor sums of that alone.
Catalog makeCatalog() {
    const Catalog& all = collate::metricCatalog();
    std::vector<std::string_view> wanted;
    Catalog chosen;
    for (auto metric = all.rbegin(); metric != all.rend(); ++metric) {
        const bool isOfChildren = std::holds_alternative<patterns::FromChildren>((*metric)->source);
        const bool isFound = std::holds_alternative<patterns::FromPattern>((*metric)->source);
        const std::string_view name = (*metric)->uniqueName;
        const bool isParent = std::find(wanted.begin(), wanted.end(), name) != wanted.end();
        if ((isOfChildren && !isParent) || (isFound && !isParent && !isSum(name))) continue;
        chosen.push_back(*metric);
        if ((*metric)->parent != nullptr) wanted.emplace_back((*metric)->parent);
    }
    std::reverse(chosen.begin(), chosen.end());
    return chosen;
}

struct VisitMetric {
    const char* uniqueName;
    const char* displayName;
    const char* unit;
    const char* description;
    ValueType type;
    double (*value)(const VisitTimes&, const trace::Definitions&);
    double (*combine)(double, double);
};

double smaller(double a, double b) {
    return std::min(a, b);
}
double larger(double a, double b) {
    return std::max(a, b);
}
double sum(double a, double b) {
    return a + b;
}

const std::array kVisitMetrics{
    VisitMetric{"visit_time_min", "Shortest visit", "sec",
                "Time from the enter to the leave of the shortest visit of a call path.",
                ValueType::MinDouble,
                [](const VisitTimes& times, const trace::Definitions& definitions) {
                    return definitions.seconds(times.shortest);
                },
                smaller},
    VisitMetric{"visit_time_max", "Longest visit", "sec",
                "Time from the enter to the leave of the longest visit of a call path.", ValueType::MaxDouble,
                [](const VisitTimes& times, const trace::Definitions& definitions) {
                    return definitions.seconds(times.longest);
                },
                larger},
    VisitMetric{
        "visit_time_squares", "Squares of visits", "sec^2",
        "Sum of the squares of the times of single visits of a call path, from enter to leave. With the "
        "number of visits and their time it gives how much the visits differ.",
        ValueType::Double, [](const VisitTimes& times, const trace::Definitions&) { return times.squares; },
        sum}};

}  // namespace

const Catalog& addedMetrics() {
    static const Catalog kCatalog = makeCatalog();
    return kCatalog;
}

std::vector<patterns::LocalSeverities> severitiesOf(const std::vector<ReplayedTable>& tables) {
    std::array<const Metric*, kProfileCounts> counts{};
    for (std::size_t i = 0; i < kCountNames.size(); ++i) counts[i] = &metricOf(kCountNames[i]);
    const Metric& management = metricOf(kManagement);
    const Metric& fork = metricOf(kFork);
    std::vector<patterns::LocalSeverities> severities(tables.size());
    for (std::size_t location = 0; location < tables.size(); ++location) {
        const ReplayedTable& table = tables[location];
        patterns::LocalSeverities& local = severities[location];
        for (std::size_t node = 0; node < table.traffic.size(); ++node)
            for (std::size_t i = 0; i < table.traffic[node].size(); ++i)
                local.add(*counts[i], replay::NodeId(node),
                          static_cast<std::int64_t>(table.traffic[node][i]));
        for (const auto& [node, time] : table.forks) {
            local.add(fork, node, time);
            local.add(management, node, time);
        }
        for (const auto& [node, time] : table.joins) local.add(management, node, time);
    }
    return severities;
}

void addVisitTimes(algebra::Experiment& experiment, const trace::Definitions& definitions,
                   const std::vector<std::vector<std::optional<algebra::CallPathId>>>& pathOf,
                   const std::vector<ReplayedTable>& tables) {
    for (const VisitMetric& described : kVisitMetrics) {
        algebra::Metric metric;
        metric.uniqueName = described.uniqueName;
        metric.displayName = described.displayName;
        metric.unit = described.unit;
        metric.description = described.description;
        metric.valueType = described.type;
        algebra::SeverityTable table = experiment.newTable();
        const double none = algebra::missingValue(described.type);
        for (std::size_t location = 0; location < tables.size(); ++location)
            for (std::size_t node = 0; node < tables[location].visits.size(); ++node) {
                const VisitTimes& times = tables[location].visits[node];
                const auto path = pathOf[location][node];
                if (times.visits == 0 || !path) continue;
                const bool isNew = !table.hasRow(*path);
                const auto row = table.editRow(*path);
                if (isNew) std::fill(row.begin(), row.end(), none);
                row[location] = described.combine(row[location], described.value(times, definitions));
            }
        experiment.severities.set(experiment.metrics.add(std::move(metric)), std::move(table));
    }
}

}  // namespace holos::analyzer::profile

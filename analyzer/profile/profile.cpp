// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/profile/profile.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "algebra/model/experiment.h"
#include "algebra/model/structure.h"
#include "analyzer/assemble/additions.h"
#include "analyzer/assemble/experiment_builder.h"
#include "analyzer/assemble/metric_catalog.h"
#include "analyzer/paths/call_tree_merge.h"
#include "analyzer/patterns/message_sizes.h"
#include "analyzer/patterns/severities.h"
#include "analyzer/profile/table_replay.h"
#include "analyzer/trace/anchor.h"
#include "analyzer/trace/definitions_reader.h"
#include "analyzer/workers/workers.h"
#include "base/run_profile.h"

namespace holos::analyzer::profile {
namespace {

using algebra::ValueType;
using assemble::Catalog;
using patterns::Metric;

/// The metrics of a count, by their unique names: which have its number, and which its bytes.
struct CountMetrics {
    std::vector<std::string_view> numbers;
    std::vector<std::string_view> bytes;
};

/// By `ProfileCount`.
std::array<CountMetrics, kProfileCounts> makeCountMetrics() {
    std::array<CountMetrics, kProfileCounts> all;
    const auto of = [&all](ProfileCount count) -> CountMetrics& {
        return all[static_cast<std::size_t>(count)];
    };
    of(ProfileCount::EmptySends) = {{"syncs_send"}, {}};
    of(ProfileCount::EmptyReceives) = {{"syncs_recv"}, {}};
    for (std::size_t i = 0; i < kSizeClasses; ++i) {
        const patterns::SizeNames& names = patterns::kSizeNames[i];
        of(ofClass(ProfileCount::Sends, i)) = {{"comms_send", names.sends}, {"bytes_sent", names.bytesSent}};
        of(ofClass(ProfileCount::Receives, i)) = {{"comms_recv", names.receives},
                                                  {"bytes_rcvd", names.bytesReceived}};
    }
    of(ProfileCount::Exchanges) = {{"comms_cxch"}, {"bytes_cout"}};
    of(ProfileCount::Sources) = {{"comms_csrc"}, {"bytes_cout"}};
    of(ProfileCount::Destinations) = {{"comms_cdst"}, {}};
    of(ProfileCount::Synchronizations) = {{"syncs_coll"}, {}};
    of(ProfileCount::ReceivedTogether) = {{}, {"bytes_cin"}};
    of(ProfileCount::Puts) = {{}, {"bytes_put"}};
    of(ProfileCount::Gets) = {{}, {"bytes_get"}};
    return all;
}

const std::array<CountMetrics, kProfileCounts>& countMetrics() {
    static const auto kMetrics = makeCountMetrics();
    return kMetrics;
}

/// Of parallel regions; what a team's threads need for them each thread knows.
constexpr std::string_view kManagement = "omp_management";
constexpr std::string_view kFork = "omp_fork";

bool isSum(std::string_view name) {
    const auto has = [name](const std::vector<std::string_view>& names) {
        return std::ranges::find(names, name) != names.end();
    };
    return name == kManagement || name == kFork ||
           std::ranges::any_of(countMetrics(), [&has](const CountMetrics& count) {
               return has(count.numbers) || has(count.bytes);
           });
}

const Metric& metricOf(std::string_view name) {
    const Catalog& all = assemble::metricCatalog();
    return **std::ranges::find_if(all, [name](const Metric* one) { return name == one->uniqueName; });
}

/// What matching finds is not there, nor sums of that alone.
Catalog makeCatalog() {
    const Catalog& all = assemble::metricCatalog();
    std::vector<std::string_view> wanted;
    Catalog chosen;
    for (auto metric = all.rbegin(); metric != all.rend(); ++metric) {
        const bool isOfChildren = std::holds_alternative<patterns::FromChildren>((*metric)->source);
        const bool isFound = std::holds_alternative<patterns::FromPattern>((*metric)->source);
        const std::string_view name = (*metric)->uniqueName;
        const bool isParent = std::ranges::find(wanted, name) != wanted.end();
        if ((isOfChildren && !isParent) || (isFound && !isParent && !isSum(name))) continue;
        chosen.push_back(*metric);
        if ((*metric)->parent != nullptr) wanted.emplace_back((*metric)->parent);
    }
    std::ranges::reverse(chosen);
    return chosen;
}

/// Adds what was counted in a call path to its metrics.
class Traffic {
  public:
    Traffic() {
        for (std::size_t i = 0; i < kProfileCounts; ++i) {
            for (const std::string_view name : countMetrics()[i].numbers)
                numbers_[i].push_back(&metricOf(name));
            for (const std::string_view name : countMetrics()[i].bytes) bytes_[i].push_back(&metricOf(name));
        }
    }

    void add(const std::vector<ProfiledAmount>& counts, replay::NodeId node,
             patterns::LocalSeverities& severities) const {
        for (std::size_t i = 0; i < counts.size(); ++i) {
            for (const Metric* metric : numbers_[i])
                severities.add(*metric, node, static_cast<std::int64_t>(counts[i].number));
            for (const Metric* metric : bytes_[i])
                severities.add(*metric, node, static_cast<std::int64_t>(counts[i].bytes));
        }
    }

  private:
    std::array<std::vector<const Metric*>, kProfileCounts> numbers_;
    std::array<std::vector<const Metric*>, kProfileCounts> bytes_;
};

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
        sum},
    VisitMetric{
        "visits_repeated", "Repeated visits", "occ",
        "Visits of a call path that directly follow a visit of the same call path: in the caller, nothing "
        "else is recorded in between.",
        ValueType::Double,
        [](const VisitTimes& times, const trace::Definitions&) {
            return static_cast<double>(times.repeated);
        },
        sum}};

/// What of the analyzer's metrics is known without events.

/// The metrics that one location alone tells by sums, in the catalog's order.
const Catalog& addedMetrics() {
    static const Catalog kCatalog = makeCatalog();
    return kCatalog;
}

/// Messages and bytes, and what parallel regions cost, by location.
patterns::Severities severitiesOf(const std::vector<ReplayedTable>& tables) {
    const Traffic traffic;
    const Metric& management = metricOf(kManagement);
    const Metric& fork = metricOf(kFork);
    patterns::Severities severities(tables.size());
    for (std::size_t location = 0; location < tables.size(); ++location) {
        const ReplayedTable& table = tables[location];
        patterns::LocalSeverities& local = severities.own(location);
        for (std::size_t node = 0; node < table.traffic.size(); ++node)
            traffic.add(table.traffic[node], replay::NodeId(node), local);
        for (const auto& [node, time] : table.forks) {
            local.add(fork, node, time);
            local.add(management, node, time);
        }
        for (const auto& [node, time] : table.joins) local.add(management, node, time);
    }
    return severities;
}

/// Adds the lengths of single visits, as metrics of their own. `pathOf`: by location, where its nodes are.
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
                if (isNew) std::ranges::fill(row, none);
                row[location] = described.combine(row[location], described.value(times, definitions));
            }
        experiment.severities.set(experiment.metrics.add(std::move(metric)), std::move(table));
    }
}

}  // namespace

}  // namespace holos::analyzer::profile

namespace holos::analyzer {
namespace {

using profile::ReplayedTable;
using profile::TableReplay;
using trace::LocationId;

/// Replays tables of all locations: that of a team's master before those of its workers.
class RunReplay {
  public:
    RunReplay(const trace::Definitions& definitions, const std::vector<trace::RegionClass>& classes,
              const RunProfile& run) {
        std::map<std::uint64_t, const LocationProfile*> tables;
        for (const LocationProfile& table : run.locations) tables[table.location] = &table;
        for (std::size_t i = 0; i < definitions.locations.size(); ++i) {
            const std::uint64_t reference = definitions.locations[i].reference;
            const auto found = tables.find(reference);
            if (found == tables.end()) continue;
            numbers_[reference] = i;
            replays_[i] = std::make_unique<TableReplay>(definitions, classes, LocationId(i), *found->second);
        }
    }

    std::vector<ReplayedTable> run(std::size_t locations) {
        for (const auto& [i, replay] : replays_) place(i);
        std::vector<ReplayedTable> all(locations);
        for (const auto& [i, replay] : replays_) all[i] = replay->finish();
        return all;
    }

  private:
    /// In what is damaged, two may be each other's masters.
    void place(std::size_t i) {
        if (isPlaced_[i]) return;
        isPlaced_[i] = true;
        replays_.at(i)->place([this](std::uint64_t master, std::uint32_t path,
                                     trace::ContextId region) -> std::optional<replay::Origin> {
            const auto number = numbers_.find(master);
            if (number == numbers_.end()) return {};
            place(number->second);
            return replays_.at(number->second)->originOf(path, region);
        });
    }

    std::map<std::uint64_t, std::size_t> numbers_;  ///< by reference
    std::map<std::size_t, std::unique_ptr<TableReplay>> replays_;
    std::map<std::size_t, bool> isPlaced_;
};

}  // namespace

algebra::Experiment experimentOf(const RunProfile& run, const std::filesystem::path& archive) {
    const trace::Definitions definitions = trace::readDefinitions(trace::findAnchor(archive));
    const std::vector<trace::RegionClass> classes = trace::classifyRegions(definitions);
    const auto workers = workers::makeThreads(0);
    std::vector<ReplayedTable> tables =
        RunReplay(definitions, classes, run).run(definitions.locations.size());
    replay::ReplayedCalls calls{definitions, classes, ByLocation<replay::LocationCalls>(tables.size()),
                                ByLocation<std::vector<Diagnosis>>(tables.size())};
    for (std::size_t i = 0; i < tables.size(); ++i) calls.locations.put(i, std::move(tables[i].calls));
    paths::MergedTree merged = paths::mergeCallTrees(calls, *workers);
    const paths::MergedTree& tree = merged;
    const std::vector<std::vector<std::optional<algebra::CallPathId>>> pathOf = tree.pathOf;
    algebra::Experiment experiment = assemble::buildExperiment(
        calls, std::move(merged), profile::severitiesOf(tables), {}, *workers, profile::addedMetrics());
    profile::addVisitTimes(experiment, definitions, pathOf, tables);
    assemble::addHardware(experiment, definitions);
    assemble::addOffProcessor(experiment);
    experiment.attributes.emplace_back(algebra::kProfileAttribute, "1");
    return experiment;
}

}  // namespace holos::analyzer

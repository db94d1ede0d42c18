// SPDX-License-Identifier: BSD-3-Clause
#include "validation/as_experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "algebra/operators/derive/derive.h"
#include "metric-specs/specification.h"
#include "validation/microbenchmark.h"

namespace holos::validation {

using namespace algebra;

namespace {

constexpr const char* kSpecification = R"(platform counter-validation
describe counter-validation "Are the counts right?"

unit PREDICTED = occ
unit REPORTED = occ
unit DEVIATION = occ
unit READ_EVENTS = occ
unit READ_TIME = ns
describe PREDICTED "Events that the microbenchmark leads to."
describe REPORTED "Events that were counted, as a mean over fresh processes."
describe DEVIATION "Standard deviation of the count of one process."
describe READ_EVENTS "Events counted between two readings with nothing between them."
describe READ_TIME "What reading the counter takes."
measure PREDICTED = predicted
measure REPORTED = reported
measure DEVIATION = deviation
measure READ_EVENTS = read-events
measure READ_TIME = read-time

compute EXCESS = REPORTED - PREDICTED
unit EXCESS = occ
describe EXCESS "Events that were counted and not predicted."
ratio DIFFERENCE = 100 * EXCESS / PREDICTED
unit DIFFERENCE = %
describe DIFFERENCE "Reported count against predicted count. Zero: the counter is right."
ratio SCATTER = 100 * DEVIATION / PREDICTED
unit SCATTER = %
describe SCATTER "Standard deviation of one process in parts of the predicted count."
)";

/// Grows call paths by their names.
class Paths {
  public:
    explicit Paths(Experiment& experiment) : experiment_(experiment) {}

    CallPathId at(const std::string& event, const std::string& microbenchmark) {
        return below(below(std::nullopt, event, "counter"), microbenchmark, "microbenchmark");
    }
    CallPathId at(const std::string& event, const std::string& microbenchmark, double size) {
        return below(at(event, microbenchmark), fmt::format("{}", size), "case");
    }

  private:
    CallPathId below(std::optional<CallPathId> parent, const std::string& name, const char* role) {
        const auto& children = parent ? experiment_.callTree.children(*parent) : experiment_.callTree.roots();
        for (const CallPathId each : children)
            if (experiment_.regionOf(each).name == name) return each;
        CallPath path;
        path.region = region(name, role);
        return experiment_.callTree.add(path, parent);
    }
    RegionId region(const std::string& name, const char* role) {
        const auto [known, isNew] = regions_.emplace(name, RegionId(experiment_.regions.size()));
        if (isNew) {
            Region region;
            region.name = region.mangledName = name;
            region.paradigm = "user";
            region.role = role;
            experiment_.regions.push_back(std::move(region));
        }
        return known->second;
    }

    Experiment& experiment_;
    std::map<std::string, RegionId> regions_;
};

void addSystem(const Validation& validation, Experiment& experiment) {
    unsigned processors = 1;
    for (const Suite& suite : validation.suites) processors = std::max(processors, suite.processor + 1);
    const auto machine = experiment.system.nodes.add({"machine", "machine", "", {}});
    Process process;
    process.name = "Microbenchmark";
    process.node = machine;
    experiment.system.processes.push_back(process);
    for (unsigned processor = 0; processor < processors; ++processor) {
        Location location;
        location.name = fmt::format("Processor {}", processor);
        location.rank = processor;
        location.process = ProcessId(0);
        experiment.system.locations.push_back(location);
    }
}

struct Value {
    CallPathId path;
    unsigned processor;
    double value;
};

void addMetric(Experiment& experiment, const char* event, const char* unit,
               const std::vector<Value>& values) {
    Metric metric;
    metric.uniqueName = metric.displayName = event;
    metric.unit = unit;
    const MetricId id = experiment.metrics.add(std::move(metric));
    SeverityTable table = experiment.newTable();
    for (const Value& each : values) table.add(each.path, LocationId(each.processor), each.value);
    experiment.severities.set(id, std::move(table));
}

}  // namespace

Experiment asExperiment(const Validation& validation) {
    Experiment experiment;
    addSystem(validation, experiment);
    Paths paths(experiment);
    std::vector<Value> predicted, reported, deviation, readTime, readEvents;
    for (const Suite& suite : validation.suites)
        for (const Case& one : suite.cases) {
            const CallPathId path = paths.at(suite.event, suite.microbenchmark, one.predicted);
            predicted.push_back({path, suite.processor, one.predicted});
            reported.push_back({path, suite.processor, one.mean});
            deviation.push_back({path, suite.processor, one.deviation});
        }
    for (const ReadCost& each : validation.reads) {
        const CallPathId path = paths.at(each.event, kReading);
        readTime.push_back({path, 0, each.nanoseconds});
        readEvents.push_back({path, 0, each.events.mean});
    }
    addMetric(experiment, "predicted", "occ", predicted);
    addMetric(experiment, "reported", "occ", reported);
    addMetric(experiment, "deviation", "occ", deviation);
    if (!validation.reads.empty()) {
        addMetric(experiment, "read-events", "occ", readEvents);
        addMetric(experiment, "read-time", "ns", readTime);
    }
    for (const auto& fact : validation.machine) experiment.attributes.push_back(fact);
    return derive(std::move(experiment), specs::parse(kSpecification, "counter-validation.spec"));
}

}  // namespace holos::validation

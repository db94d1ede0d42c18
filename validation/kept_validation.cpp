// SPDX-License-Identifier: BSD-3-Clause
#include "validation/kept_validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "algebra/operators/derive/derive.h"
#include "base/error.h"
#include "base/number.h"
#include "metric-specs/specification.h"
#include "validation/microbenchmark.h"

namespace holos::validation {
namespace {

constexpr const char* kHead = "event,microbenchmark,processor,predicted,runs,mean,deviation,nanoseconds";

std::string lineOf(const std::string& event, const std::string& microbenchmark, unsigned processor,
                   const Case& one, const std::string& nanoseconds) {
    return fmt::format("{},{},{},{},{},{},{},{}\n", event, microbenchmark, processor, one.predicted, one.runs,
                       one.mean, one.deviation, nanoseconds);
}

/// The fields of one line.
class Fields {
  public:
    Fields(const std::string& line, Place place) : place_(std::move(place)) {
        std::istringstream in(line + ',');
        for (std::string field; std::getline(in, field, ',');) fields_.push_back(field);
        const auto expected =
            static_cast<std::size_t>(std::count(kHead, kHead + std::string(kHead).size(), ',')) + 1;
        if (fields_.size() != expected)
            throw Error(fmt::format("expected {} fields: {}", expected, kHead), place_);
    }

    const std::string& text(std::size_t at) const {
        if (fields_[at].empty()) throw Error(fmt::format("field {} is empty", at + 1), place_);
        return fields_[at];
    }
    double number(std::size_t at) const {
        const std::string& field = fields_[at];
        const auto value = asFiniteNumber(field);
        if (!value || *value < 0.0)
            throw Error(fmt::format("field {} is no number that is 0 or more: '{}'", at + 1, field), place_);
        return *value;
    }
    std::size_t count(std::size_t at) const {
        constexpr double kMost = 1e9;
        const double value = number(at);
        if (value > kMost || value != std::floor(value))
            throw Error(fmt::format("field {} is no count: '{}'", at + 1, fields_[at]), place_);
        return static_cast<std::size_t>(value);
    }
    bool isEmpty(std::size_t at) const { return fields_[at].empty(); }

  private:
    std::vector<std::string> fields_;
    Place place_;
};

void addFact(const std::string& line, Validation& validation) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) return;
    const std::size_t begin = line.find_first_not_of("# ");
    validation.machine.emplace_back(line.substr(begin, colon - begin), line.substr(colon + 2));
}

void addLine(const Fields& fields, Validation& validation) {
    const Case one{fields.number(3), fields.count(4), fields.number(5), fields.number(6)};
    if (fields.text(1) == kReading) {
        validation.reads.push_back({fields.text(0), fields.isEmpty(7) ? 0.0 : fields.number(7), one});
        return;
    }
    const Suite suite{fields.text(0), fields.text(1), static_cast<unsigned>(fields.count(2)), {}};
    auto same = std::ranges::find_if(validation.suites, [&](const Suite& each) {
        return each.event == suite.event && each.microbenchmark == suite.microbenchmark &&
               each.processor == suite.processor;
    });
    if (same == validation.suites.end()) same = validation.suites.insert(same, suite);
    same->cases.push_back(one);
}

}  // namespace

std::string tableOf(const Validation& validation) {
    std::string text;
    for (const auto& [name, value] : validation.machine) text += fmt::format("# {}: {}\n", name, value);
    text += std::string(kHead) + '\n';
    for (const ReadCost& each : validation.reads)
        text += lineOf(each.event, kReading, 0, each.events, fmt::format("{}", each.nanoseconds));
    for (const Suite& suite : validation.suites)
        for (const Case& one : suite.cases)
            text += lineOf(suite.event, suite.microbenchmark, suite.processor, one, "");
    return text;
}

Validation readTable(const std::string& text, const std::string& file) {
    Validation validation;
    std::istringstream in(text);
    std::uint64_t number = 0;
    bool hasHead = false;
    for (std::string line; std::getline(in, line);) {
        ++number;
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (line.empty()) continue;
        if (line.front() == '#') {
            addFact(line, validation);
        } else if (!hasHead) {
            if (line != kHead) throw Error(fmt::format("expected {}", kHead), {.file = file, .line = number});
            hasHead = true;
        } else {
            addLine(Fields(line, {.file = file, .line = number}), validation);
        }
    }
    if (validation.suites.empty() && validation.reads.empty())
        throw Error("has no case: is it a table of holos counters validate?", {.file = file});
    return validation;
}

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

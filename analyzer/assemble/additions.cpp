// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/assemble/additions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "algebra/model/processors.h"
#include "algebra/model/queries.h"

namespace holos::analyzer::assemble {
namespace {

/// In the order of the dimensions.
using HardwarePosition = std::array<std::uint64_t, 4>;
constexpr std::array kDimensionNames = {"core", "unit", "socket", "node"};
constexpr std::size_t kCoreDimension = 0;

/// How many of each the largest node has, by what the nodes say.
HardwarePosition largestNode(const algebra::SystemTree& system) {
    HardwarePosition sizes{1, 1, 1, 1};
    for (const algebra::SystemNodeId id : system.nodes.ids()) {
        const auto& attributes = system.nodes[id].attributes;
        const auto grow = [&attributes](std::uint64_t& size, std::string_view key) {
            size = std::max<std::uint64_t>(size, algebra::numberOf(attributes, key).value_or(0));
        };
        grow(sizes[kCoreDimension], algebra::kCoresAttribute);
        grow(sizes[1], algebra::kUnitsAttribute);
        grow(sizes[2], algebra::kSocketsAttribute);
    }
    return sizes;
}

std::vector<std::pair<algebra::LocationId, HardwarePosition>> placesIn(const algebra::SystemTree& system) {
    std::vector<std::pair<algebra::LocationId, HardwarePosition>> places;
    std::map<algebra::SystemNodeId, std::uint64_t> nodes;  // numbered as they come
    for (std::size_t at = 0; at < system.locations.size(); ++at) {
        const auto place = algebra::placeOf(system.locations[at]);
        if (!place) continue;
        const algebra::SystemNodeId node = system[system.locations[at].process].node;
        const auto number = nodes.try_emplace(node, nodes.size()).first->second;
        places.push_back({algebra::LocationId(at), {place->core, place->unit, place->socket, number}});
    }
    return places;
}

}  // namespace

std::optional<algebra::Topology> hardwareTopology(const algebra::SystemTree& system) {
    const auto places = placesIn(system);
    if (places.empty()) return std::nullopt;
    HardwarePosition sizes = largestNode(system);
    for (const auto& [location, position] : places)
        for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = std::max(sizes[i], position[i] + 1);
    const auto isShown = [&sizes](std::size_t dimension) {
        return dimension == kCoreDimension || sizes[dimension] > 1;
    };
    algebra::Topology topology{"Hardware", {}, {}};
    for (std::size_t i = 0; i < sizes.size(); ++i)
        if (isShown(i)) topology.dimensions.push_back({kDimensionNames[i], sizes[i], false});
    for (const auto& [location, position] : places) {
        algebra::Topology::Coordinate coordinate{location, {}};
        for (std::size_t i = 0; i < sizes.size(); ++i)
            if (isShown(i)) coordinate.position.push_back(position[i]);
        topology.coordinates.push_back(std::move(coordinate));
    }
    return topology;
}

void addHardware(algebra::Experiment& experiment, const trace::Definitions& definitions) {
    algebra::SystemTree& system = experiment.system;
    for (std::size_t at = 0; at < definitions.systemNodes.size(); ++at)
        system.nodes[algebra::SystemNodeId(at)].attributes = definitions.systemNodes[at].properties;
    for (std::size_t at = 0; at < system.locations.size(); ++at)
        system.locations[at].attributes = definitions.locations[at].properties;
    if (auto topology = hardwareTopology(system)) experiment.topologies.push_back(std::move(*topology));
}

namespace {

using algebra::CallPathId;
using algebra::Experiment;
using algebra::MetricId;
using algebra::SeverityTable;

/// What is less is the kernel's rounding.
constexpr double kLeast = 1e-6;

MetricId addMetric(Experiment& experiment, const char* name, const char* shown, const char* description,
                   std::optional<MetricId> parent) {
    algebra::Metric metric;
    metric.uniqueName = name;
    metric.displayName = shown;
    metric.unit = "sec";
    metric.description = description;
    metric.valueType = algebra::ValueType::Double;
    return experiment.metrics.add(std::move(metric), parent);
}

/// Of a metric, each thread's value in each root of the call tree.
class OfThreads {
  public:
    OfThreads(const Experiment& experiment, MetricId metric) {
        for (const CallPathId path : experiment.callTree.ids()) {
            if (experiment.callTree.parent(path)) continue;
            roots_.push_back(path);
            values_.push_back(
                algebra::perLocation(experiment, {metric}, {{path, algebra::Extent::Inclusive}}));
        }
    }

    double of(std::size_t location) const {
        double sum = 0;
        for (const auto& values : values_) sum += values[location];
        return sum;
    }
    /// Where most of it is.
    CallPathId rootOf(std::size_t location) const {
        const auto most = std::ranges::max_element(
            values_, [location](const auto& a, const auto& b) { return a[location] < b[location]; });
        return roots_[static_cast<std::size_t>(most - values_.begin())];
    }

  private:
    std::vector<CallPathId> roots_;
    std::vector<std::vector<double>> values_;
};

}  // namespace

void addOffProcessor(Experiment& experiment) {
    const auto computation = experiment.findMetric("comp");
    const auto& locations = experiment.system.locations;
    const auto isTold = [](const algebra::Location& location) {
        return algebra::processorTimeOf(location).has_value();
    };
    if (!computation || experiment.callTree.empty() || std::ranges::none_of(locations, isTold)) return;
    const OfThreads computed(experiment, *computation);
    const auto shortage = experiment.findMetric("processor_waiting");
    const auto waited =
        shortage ? std::optional<OfThreads>(std::in_place, experiment, *shortage) : std::nullopt;
    SeverityTable off(experiment.callTree.size(), locations.size());
    SeverityTable unseen(experiment.callTree.size(), locations.size());
    for (std::size_t at = 0; at < locations.size(); ++at) {
        const auto time = algebra::processorTimeOf(locations[at]);
        if (!time) continue;
        const double missing = computed.of(at) - time->on;
        if (missing < kLeast) continue;
        const CallPathId root = computed.rootOf(at);
        off.add(root, algebra::LocationId(at), missing);
        if (!time->waiting) continue;
        const double notComputing = waited ? waited->of(at) : 0;  // is no part of computation
        const double waiting = std::max(*time->waiting - notComputing, 0.0);
        unseen.add(root, algebra::LocationId(at), std::max(missing - waiting, 0.0));
    }
    const MetricId all = addMetric(
        experiment, "off_processor", "Computation off processors",
        "Computation that a thread cannot have spent on a processor: it slept in a way that was not seen, or "
        "waited for a processor. A lower bound, known for each thread as a whole and not by call path.",
        std::nullopt);
    const MetricId asleep = addMetric(
        experiment, "unseen_sleep", "Sleep that was not seen",
        "The part of it in which the thread did not wait for a processor, either: it slept. A lower bound; "
        "zero for threads for which the kernel does not say how long they waited for a processor.",
        all);
    experiment.severities.set(all, std::move(off));
    experiment.severities.set(asleep, std::move(unseen));
}

namespace {

/// Constructs of OpenMP that consist of the program's own code.
bool isOwnCode(const algebra::Region& region) {
    constexpr auto kRoles = std::to_array<std::string_view>(
        {"parallel", "loop", "sections", "section", "workshare", "single", "single sblock", "master",
         "critical sblock", "ordered sblock", "task", "task untied"});
    return std::ranges::count(kRoles, region.role) > 0;
}

/// The function that a thread was started with: it is entered as if it were a call.
bool isThreadFunction(const replay::LocalTree& tree, replay::NodeId node) {
    const replay::NodeId caller = tree[node].parent;
    return caller != replay::kOutside && tree[caller].region == trace::kThreadsRegion;
}

/// Others end where the program calls `exit`.
bool isRecordedCall(const algebra::Region& region) {
    return region.paradigm == "mpi" || region.paradigm == "pthread" || region.paradigm == "io" ||
           (region.paradigm == "openmp" && !isOwnCode(region)) ||
           (region.paradigm == "none" && region.module == "system");
}

}  // namespace

std::vector<UnfinishedCall> unfinishedCalls(const replay::ReplayedCalls& calls,
                                            const paths::MergedTree& merged) {
    std::vector<UnfinishedCall> unfinished;
    std::map<trace::ProcessId, replay::Ticks> ends;
    for (std::size_t at = 0; at < calls.locations.size(); ++at)
        if (const auto end = calls.locations[at].programEnd)
            ends[calls.definitions.locations[at].process] = *end;
    for (std::size_t at = 0; at < calls.locations.size(); ++at) {
        const replay::CallUntilEnd& call = calls.locations[at].untilEnd;
        if (call.node == replay::kOutside || isThreadFunction(calls.locations[at].tree, call.node)) continue;
        // A thread that leaves a call and ends before its process came back from it.
        const auto end = ends.find(calls.definitions.locations[at].process);
        if (call.mayHaveReturned && (end == ends.end() || end->second != call.leave)) continue;
        const auto path = merged.pathOf[at][call.node.index()];
        if (!path || !isRecordedCall(merged.regions[merged.tree[*path].region.index()])) continue;
        unfinished.push_back(
            {*path, algebra::LocationId(at), calls.definitions.seconds(call.leave - call.enter)});
    }
    return unfinished;
}

void addUnfinishedCalls(Experiment& experiment, const std::vector<UnfinishedCall>& unfinished) {
    if (unfinished.empty()) return;
    SeverityTable times(experiment.callTree.size(), experiment.system.locations.size());
    for (const UnfinishedCall& call : unfinished) times.add(call.path, call.thread, call.seconds);
    const MetricId metric = addMetric(
        experiment, "unfinished_calls", "Calls that never returned",
        "Time in calls in which threads were when their process ended, as one that was killed, from the enter "
        "of the call until the end of the process.",
        std::nullopt);
    experiment.severities.set(metric, std::move(times));
}

namespace {

constexpr const char* kEstimated[] = {"time",          "execution",         "comp", "delay", "imbalance",
                                      "critical_path", "performance_impact"};
constexpr const char* kParts =
    " Where functions were sampled, samples of the call stack divide it among them: these parts are "
    "estimates, their sums are exact.";
constexpr const char* kVisits =
    " For functions that are known only from samples of the call stack, this is a lower bound.";

}  // namespace

void markSampledTime(algebra::Experiment& experiment, const replay::ReplayedCalls& calls) {
    replay::Ticks shared = 0;
    for (const replay::LocationCalls& location : calls.locations)
        for (const replay::SharedTime& part : location.shared) shared += part.ticks;
    if (shared == 0) return;
    experiment.attributes.emplace_back(
        kSampledTimeAttribute, fmt::format("{:.6g} s of the time were given to functions by samples of the "
                                           "call stack: an estimate",
                                           calls.definitions.seconds(shared)));
    for (const char* name : kEstimated)
        if (const auto metric = experiment.findMetric(name))
            experiment.metrics[*metric].description += kParts;
    if (const auto visits = experiment.findMetric("visits"))
        experiment.metrics[*visits].description += kVisits;
}

}  // namespace holos::analyzer::assemble

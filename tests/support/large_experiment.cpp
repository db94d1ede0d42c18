// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/large_experiment.h"

#include <cmath>
#include <string>

namespace holos::testing {

using namespace algebra;

namespace {

constexpr unsigned kRanksPerNode = 64;
constexpr double kLargestValue = 1000.0;

/// SplitMix64: a well mixed number for each different one.
std::uint64_t mixed(std::uint64_t number) {
    number += 0x9e3779b97f4a7c15;
    number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
    number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
    return number ^ (number >> 31);
}

/// Below 1.
double fraction(std::uint64_t number) {
    return static_cast<double>(number >> 11) * 0x1p-53;
}

class GeneratedRows final : public Rows {
  public:
    GeneratedRows(const LargeExperimentShape& shape, std::uint64_t metric)
        : Rows(shape.callPaths, shape.locations(), 0.0), shape_(shape), seed_(mixed(shape.seed) + metric) {}

    bool hasRow(CallPathId path) const override {
        return path.index() < callPaths() && fraction(mixed(~rowSeed(path))) < shape_.density;
    }

    std::span<const double> row(CallPathId path, std::span<double> scratch) const override {
        if (!hasRow(path)) return {};
        std::uint64_t number = rowSeed(path);
        for (double& value : scratch.first(locations())) {
            value = kLargestValue * fraction(mixed(++number));
            if (shape_.whole) value = std::floor(value);
        }
        return scratch.first(locations());
    }

  private:
    std::uint64_t rowSeed(CallPathId path) const { return mixed(mixed(seed_) + path.index()); }

    LargeExperimentShape shape_;
    std::uint64_t seed_;
};

SystemTree systemTree(const LargeExperimentShape& shape) {
    SystemTree system;
    const auto machine = system.nodes.add({"cluster", "machine", "", {}});
    SystemNodeId node;
    for (unsigned rank = 0; rank < shape.ranks; ++rank) {
        if (rank % kRanksPerNode == 0)
            node =
                system.nodes.add({"node " + std::to_string(rank / kRanksPerNode), "node", "", {}}, machine);
        Process& process = system.processes.emplace_back();
        process.name = "MPI Rank " + std::to_string(rank);
        process.rank = rank;
        process.node = node;
        for (unsigned thread = 0; thread < shape.threads; ++thread) {
            Location& location = system.locations.emplace_back();
            location.name = "thread " + std::to_string(thread);
            location.rank = thread;
            location.process = ProcessId(rank);
        }
    }
    return system;
}

}  // namespace

Experiment largeExperiment(const LargeExperimentShape& shape) {
    Experiment experiment;
    experiment.system = systemTree(shape);
    for (unsigned at = 0; at < shape.callPaths; ++at) {
        Region& region = experiment.regions.emplace_back();
        region.name = region.mangledName = "function " + std::to_string(at);
        CallPath path;  // below the one without the last binary digit: numbers are depth first, as in files
        path.region = RegionId(at);
        experiment.callTree.add(path, at == 0 ? std::nullopt : std::optional(CallPathId(at & (at - 1))));
    }
    for (unsigned at = 0; at < shape.metrics; ++at) {
        Metric metric;
        metric.uniqueName = metric.displayName = "metric" + std::to_string(at);
        metric.unit = shape.whole ? "occ" : "sec";
        metric.valueType = shape.whole ? ValueType::UInt64 : ValueType::Double;
        metric.storage = shape.inclusive ? Storage::Inclusive : Storage::Exclusive;
        const MetricId id = experiment.metrics.add(metric);
        experiment.severities.setRows(id, [shape, at] { return std::make_shared<GeneratedRows>(shape, at); });
    }
    return experiment;
}

}  // namespace holos::testing

// SPDX-License-Identifier: BSD-3-Clause
// Prints the metrics of an experiment with their totals, then the call paths that have most of one of them.
//
//   show_metric FILE METRIC
#include <holos/experiment.h>

#include <algorithm>
#include <cstdio>

using namespace holos::algebra;

/// Names from the root to the call path.
std::string pathName(const Experiment& experiment, CallPathId path) {
    const std::string& name = experiment.regionOf(path).name;
    const auto caller = experiment.callTree.parent(path);
    return caller ? pathName(experiment, *caller) + "/" + name : name;
}

int main(int argc, char** argv) try {
    if (argc != 3) return std::fprintf(stderr, "usage: show_metric FILE METRIC\n"), 2;
    const Experiment experiment = readExperiment(argv[1]);
    for (const MetricId id : experiment.metrics.ids()) {
        const Metric& metric = experiment.metrics[id];
        std::printf("%s %g %s\n", metric.uniqueName.c_str(), aggregate(experiment, {id}),
                    metric.unit.c_str());
    }

    const auto metric = experiment.findMetric(argv[2]);
    if (!metric) return std::fprintf(stderr, "there is no metric %s\n", argv[2]), 1;
    const std::vector<double> values = perCallPath(experiment, {*metric}, Extent::Exclusive);
    std::vector<CallPathId> paths(experiment.callTree.ids().begin(), experiment.callTree.ids().end());
    std::stable_sort(paths.begin(), paths.end(),
                     [&](CallPathId a, CallPathId b) { return values[a.index()] > values[b.index()]; });
    paths.resize(std::min<std::size_t>(paths.size(), 5));
    for (const CallPathId path : paths)
        std::printf("%12g  %s\n", values[path.index()], pathName(experiment, path).c_str());
    return 0;
} catch (const holos::Error& error) {
    return std::fprintf(stderr, "%s\n", error.what()), 1;
}

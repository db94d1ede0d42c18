// SPDX-License-Identifier: BSD-3-Clause
#include "tests/laws/random_experiment.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "algebra/operators/derive/derive.h"
#include "metric-specs/specification.h"
#include "tests/support/lawful.h"
#include "tests/support/small_experiment.h"

namespace holos::testing {

const char* const kRandomSpecification = R"(
compose ALL = LEFT + RIGHT
compose LEFT = e0 + e1
compose RIGHT = e2 + INNER
compose INNER = e3 + e4
compute DIFFERENCE = e0 - 2 * e3
ratio SHARE = LEFT / ALL
)";

namespace {

/// Calls each region below a call path from a second line, too, with values of its own. Which lines an
/// experiment has depends on the seed.
void addLines(algebra::Experiment& experiment, std::mt19937& random) {
    using namespace algebra;
    const std::size_t before = experiment.callTree.size();
    std::vector<CallPathId> copies;
    for (std::size_t at = 1; at < before; ++at) {
        CallPath& original = experiment.callTree[CallPathId(at)];
        original.line = 10 + static_cast<std::int64_t>(random() % 2);
        CallPath copy = original;
        copy.line = 20 + static_cast<std::int64_t>(random() % 3);
        copies.push_back(experiment.callTree.add(copy, experiment.callTree.parent(CallPathId(at))));
    }
    for (const MetricId metric : experiment.metrics.ids()) {
        SeverityTable table = experiment.newTable();
        const SeverityTable& old = experiment.severities.table(metric);
        for (std::size_t at = 0; at < before; ++at)
            for (std::size_t column = 0; column < experiment.system.locations.size(); ++column)
                table.add(CallPathId(at), LocationId(column), old.at(CallPathId(at), LocationId(column)));
        const double least = experiment.metrics[metric].uniqueName == "time" ? 1000 : 0;  // of MPI's is less
        for (const CallPathId copy : copies)
            for (double& value : table.editRow(copy)) value = least + random() % 1000;
        experiment.severities.set(metric, std::move(table));
    }
}

/// What is there of the parts, and more.
SmallExperiment::Rows wholeOf(const SmallExperiment::Rows& parts, SmallExperiment::Rows rest) {
    for (const SmallExperiment::Row& part : parts) {
        const auto own = std::ranges::find(rest, part.path, &SmallExperiment::Row::path);
        if (own == rest.end())
            rest.push_back(part);
        else
            std::ranges::transform(own->values, part.values, own->values.begin(), std::plus());
    }
    return rest;
}

}  // namespace

algebra::Experiment randomExperiment(unsigned seed, const RandomOptions& options) {
    std::mt19937 random(seed);
    const std::vector<std::string> paths{"main",     "main/f", "main/f/g", "main/g",
                                         "main/g/f", "idle",   "idle/f"};
    const auto rows = [&random, &paths, &options] {
        SmallExperiment::Rows made;
        for (const std::string& path : paths) {
            if (random() % 3 == 0) continue;
            std::vector<double> values;
            for (int i = 0; i < options.ranks * options.threads; ++i)
                values.push_back(options.fractions ? std::ldexp(static_cast<double>(random()), -35)
                                                   : random() % 1000);
            made.push_back({path, values});
        }
        return made;
    };
    SmallExperiment builder(options.ranks, options.threads);
    algebra::Metric time;
    time.uniqueName = "time";
    time.displayName = "Time";
    time.unit = "sec";
    algebra::Metric mpi = time;
    mpi.uniqueName = "mpi";
    mpi.displayName = "MPI";
    const SmallExperiment::Rows inMpi = rows();
    builder.metric(time, "", wholeOf(inMpi, rows())).metric(mpi, "time", inMpi);
    for (const std::string& event : options.events) builder.counter(event, rows());
    algebra::Experiment made = builder.take();
    if (options.lines) addLines(made, random);
    algebra::Experiment derived =
        algebra::derive(std::move(made), specs::parse(kRandomSpecification, "random.spec"));
    requireLaws(derived);
    return derived;
}

}  // namespace holos::testing

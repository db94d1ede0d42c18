// SPDX-License-Identifier: BSD-3-Clause
#include "tests/laws/random_experiment.h"

#include <random>

#include "algebra/operators/derive.h"
#include "tests/support/small_experiment.h"

namespace holos::test {

const char* const kRandomSpecification = R"(
compose ALL = LEFT + RIGHT
compose LEFT = e0 + e1
compose RIGHT = e2 + INNER
compose INNER = e3 + e4
compute DIFFERENCE = e0 - 2 * e3
)";

algebra::Experiment randomExperiment(unsigned seed, const RandomOptions& options) {
    std::mt19937 random(seed);
    const std::vector<std::string> paths{"main",     "main/f", "main/f/g", "main/g",
                                         "main/g/f", "idle",   "idle/f"};
    const auto rows = [&random, &paths, &options] {
        SmallExperiment::Rows made;
        for (const std::string& path : paths) {
            if (random() % 3 == 0) continue;
            std::vector<double> values;
            for (int i = 0; i < options.ranks * options.threads; ++i) values.push_back(random() % 1000);
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
    builder.metric(time, "", rows()).metric(mpi, "time", rows());
    for (const std::string& event : options.events) builder.counter(event, rows());
    return algebra::derive(builder.take(), specs::parse(kRandomSpecification, "random.spec"));
}

}  // namespace holos::test

// SPDX-License-Identifier: BSD-3-Clause
// Writes what repeated runs of one version took more, on average, than one run of another version.
//
//   compare_runs OTHER RUN... RESULT
#include <holos/algebra.h>

#include <cstdio>

using namespace holos::algebra;

int main(int argc, char** argv) try {
    if (argc < 4) return std::fprintf(stderr, "usage: compare_runs OTHER RUN... RESULT\n"), 2;
    const Experiment other = readExperiment(argv[1]);
    const std::vector<Experiment> runs = readExperiments({argv + 2, argv + argc - 1});

    const Experiment average = mean({runs.begin(), runs.end()});
    const Experiment change = diff(average, other);
    writeExperiment(change, argv[argc - 1]);

    if (const auto time = change.findMetric("time")) std::printf("time: %+g s\n", aggregate(change, {*time}));
    return 0;
} catch (const holos::Error& error) {
    return std::fprintf(stderr, "%s\n", error.what()), 1;
}

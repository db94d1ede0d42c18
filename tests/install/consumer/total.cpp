// SPDX-License-Identifier: BSD-3-Clause
// Prints how often each region of an experiment was entered.
#include <holos/experiment.h>

#include <cstdio>

using namespace holos::algebra;

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    const Experiment experiment = readExperiment(argv[1]);
    const auto visits = experiment.findMetric("visits");
    if (!visits) return 1;
    const auto perPath = perCallPath(experiment, {*visits}, Extent::Exclusive);
    for (const CallPathId path : experiment.callTree.ids())
        std::printf("%s %.0f\n", experiment.regionOf(path).name.c_str(), perPath[path.index()]);
}

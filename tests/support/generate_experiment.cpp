// SPDX-License-Identifier: BSD-3-Clause
// Writes an experiment of any size, to try what Holos or another program makes of it.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "algebra/files/cubex.h"
#include "base/error.h"
#include "tests/support/hollow_experiment.h"
#include "tests/support/large_experiment.h"

int main(int argc, char** argv) {
    holos::testing::LargeExperimentShape shape;
    std::string output;
    CLI::App app(
        "Write a generated experiment\n"
        "Example: holos_generate_experiment --ranks 1000 --threads 8 --density 0.3 -o large.cubex");
    app.add_option("-o,--output", output, "Where it goes (.cubex)")->required();
    app.add_option("--metrics", shape.metrics, "Number of metrics")->capture_default_str();
    app.add_option("--call-paths", shape.callPaths, "Number of call paths")->capture_default_str();
    app.add_option("--ranks", shape.ranks, "Number of processes")->capture_default_str();
    app.add_option("--threads", shape.threads, "Locations per process")->capture_default_str();
    app.add_option("--density", shape.density, "Share of call paths that have values, per metric")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    app.add_flag("--whole", shape.whole, "Whole numbers instead of fractions");
    app.add_flag("--inclusive", shape.inclusive, "Stored inclusive along the call tree");
    bool hollow = false;
    bool plain = false;
    app.add_flag("--hollow", hollow, "Values are zero and holes in the file: any size in a moment");
    app.add_flag("--no-sums", plain, "With --hollow: without sums, as other programs write")
        ->needs("--hollow");
    app.add_option("--seed", shape.seed, "Another number gives other values")->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    try {
        if (hollow) {
            using holos::testing::HollowSums;
            if (writeHollowExperiment(shape, output, plain ? HollowSums::None : HollowSums::Stored)) return 0;
            std::fprintf(stderr, "%s: no files with holes of this size here\n", output.c_str());
            return 1;
        }
        holos::algebra::writeCubex(holos::testing::largeExperiment(shape), output);
    } catch (const holos::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}

// SPDX-License-Identifier: BSD-3-Clause
// Analyzes a trace, writes the experiment, and says how much of the time was spent waiting in MPI.
//
//   analyze_trace TRACE RESULT
#include <holos/analyze.h>

#include <cstdio>

int main(int argc, char** argv) try {
    if (argc != 3) return std::fprintf(stderr, "usage: analyze_trace TRACE RESULT\n"), 2;
    holos::AnalyzeOptions options;
    options.threads = 2;
    const holos::Analysis analysis = holos::analyze(argv[1], options);
    for (const std::string& problem : analysis.problems) std::fprintf(stderr, "%s\n", problem.c_str());

    const holos::algebra::Experiment& experiment = analysis.experiment;
    holos::algebra::writeExperiment(experiment, argv[2]);
    for (const char* name : {"mpi_latesender", "mpi_latereceiver", "mpi_wait_nxn"})
        if (const auto metric = experiment.findMetric(name))
            std::printf("%s %g s\n", name, holos::algebra::aggregate(experiment, {*metric}));
    return 0;
} catch (const holos::Error& error) {
    return std::fprintf(stderr, "%s\n", error.what()), 1;
}

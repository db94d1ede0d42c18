// SPDX-License-Identifier: BSD-3-Clause
// Writes a trace of any size, to try what Holos or another program makes of it.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "tests/support/large_trace.h"

int main(int argc, char** argv) {
    holos::testing::LargeTraceShape shape;
    std::string output;
    CLI::App app(
        "Write a generated trace: rounds of calls, of parallel regions, and of one message from each process "
        "to the next\n"
        "Example: holos_generate_trace --processes 65536 --rounds 4 --calls 20 -o many-locations");
    app.add_option("-o,--output", output, "Directory of the archive")->required();
    app.add_option("--processes", shape.processes, "Number of processes")->capture_default_str();
    app.add_option("--rounds", shape.rounds, "Messages that each of them sends")->capture_default_str();
    app.add_option("--calls", shape.callsPerRound, "Calls of functions between two messages")
        ->capture_default_str();
    app.add_option("--regions", shape.regions, "Number of functions")->capture_default_str();
    app.add_option("--call-paths", shape.callPaths, "Number of call paths")->capture_default_str();
    app.add_option("--depth", shape.depth, "Of the deepest call path")->capture_default_str();
    app.add_option("--threads", shape.threads, "Of each process")->capture_default_str();
    app.add_option("--parallels", shape.parallelsPerRound, "Parallel regions between two messages")
        ->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    try {
        std::printf("%s\n", holos::testing::writeLargeTrace(output, shape).c_str());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}

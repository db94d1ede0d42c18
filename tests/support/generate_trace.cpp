// SPDX-License-Identifier: BSD-3-Clause
// Writes a trace of any size, to try what Holos or another program makes of it.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "tests/support/known_trace.h"
#include "tests/support/large_trace.h"

namespace {

using namespace holos::testing;

/// The trace, and beside it `known.csv` with what an analysis has to find.
std::filesystem::path writeKnown(const std::filesystem::path& directory, const KnownTraceShape& shape) {
    const KnownTrace known = writeKnownTrace(directory, shape);
    std::ofstream file(known.anchor.parent_path() / "known.csv");
    known.values.writeCsv(file);
    if (!file.flush()) throw std::runtime_error("known.csv cannot be written");
    return known.anchor;
}

}  // namespace

int main(int argc, char** argv) {
    LargeTraceShape shape;
    KnownTraceShape known;
    bool isKnown = false;
    std::string output;
    CLI::App app(
        "Write a generated trace: rounds of calls, of parallel regions, and of one message from each process "
        "to the next; or, with --known, rounds of every way to wait, and beside them known.csv: what an "
        "analysis has to find\n"
        "Examples:\n"
        "  holos_generate_trace --processes 65536 --rounds 4 --calls 20 -o many-locations\n"
        "  holos_generate_trace --known --processes 64 --threads 4 --rounds 100 -o waits");
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
    app.add_option("--nodes", shape.nodes, "Number of nodes; not more than processes")->capture_default_str();
    app.add_option("--node-counters", shape.nodeCounters, "Counters that are read for each node")
        ->check(CLI::Range(0, 255))
        ->capture_default_str();
    app.add_option("--readings", shape.readings, "How often they are read")->capture_default_str();
    CLI::Option* const waits = app.add_flag("--known", isKnown, "Every way to wait, with known severities");
    for (const char* other : {"--calls", "--regions", "--call-paths", "--depth", "--parallels", "--nodes",
                              "--node-counters", "--readings"})
        waits->excludes(other);
    app.add_option("--clock-drift", known.clockDrift,
                   "Each process's clock is so many millionths faster than the one's before, and the trace "
                   "says so")
        ->needs(waits);
    app.add_flag("--faults", known.faults, "Messages that nobody receives, and functions that never end")
        ->needs(waits);
    CLI11_PARSE(app, argc, argv);
    known.processes = shape.processes;
    known.threads = shape.threads;
    known.rounds = shape.rounds;
    try {
        const auto anchor = isKnown ? writeKnown(output, known) : writeLargeTrace(output, shape);
        std::printf("%s\n", anchor.c_str());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}

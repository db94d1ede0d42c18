// SPDX-License-Identifier: BSD-3-Clause
// Operators on two experiments of 6 metrics × 3,000 call paths × 256 threads, dense, with random values (37
// MB each), against copying the bytes of both inputs and of the result: in memory, and from file to file. The
// figure that counts is the ratio of the two times in one run; `ratio` is printed with each operator.
#include <benchmark/benchmark.h>

#include <chrono>
#include <filesystem>
#include <random>

#include "algebra/files/cubex.h"
#include "algebra/operators/diff.h"
#include "algebra/operators/mean.h"
#include "algebra/operators/merge.h"

namespace {

using namespace holos::algebra;
namespace fs = std::filesystem;

constexpr std::size_t kMetrics = 6;
constexpr std::size_t kCallPaths = 3000;
constexpr std::size_t kRanks = 64;
constexpr std::size_t kThreads = 4;

SystemTree systemTree() {
    SystemTree system;
    const auto machine = system.nodes.add({"cluster", "machine", "", {}});
    const auto node = system.nodes.add({"node 1", "node", "", {}}, machine);
    for (std::size_t rank = 0; rank < kRanks; ++rank) {
        Process process;
        process.rank = static_cast<std::int64_t>(rank);
        process.node = node;
        system.processes.push_back(process);
        for (std::size_t thread = 0; thread < kThreads; ++thread) {
            Location location;
            location.rank = static_cast<std::int64_t>(thread);
            location.process = ProcessId(rank);
            system.locations.push_back(location);
        }
    }
    return system;
}

Experiment randomExperiment(unsigned seed) {
    std::mt19937 random(seed);
    Experiment experiment;
    experiment.system = systemTree();
    for (std::size_t i = 0; i < kCallPaths; ++i) {
        Region region;
        region.name = region.mangledName = "function " + std::to_string(i);
        experiment.regions.push_back(region);
        CallPath path;
        path.region = RegionId(i);
        experiment.callTree.add(path, i == 0 ? std::nullopt : std::optional(CallPathId((i - 1) / 4)));
    }
    for (std::size_t i = 0; i < kMetrics; ++i) {
        Metric metric;
        metric.uniqueName = metric.displayName = "metric" + std::to_string(i);
        const MetricId id = experiment.metrics.add(metric);
        SeverityTable table = experiment.newTable();
        for (const CallPathId path : experiment.callTree.ids())
            for (double& value : table.editRow(path)) value = static_cast<double>(random());
        experiment.severities.set(id, std::move(table));
    }
    return experiment;
}

struct Inputs2 {
    Experiment a = randomExperiment(1);
    Experiment b = randomExperiment(2);
};

const Inputs2& inputs() {
    static const Inputs2 made;
    return made;
}

template <class Work>
double secondsOf(const Work& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Copies the values of both inputs and of a result of their size.
void copyTables() {
    for (const Experiment* experiment : {&inputs().a, &inputs().b, &inputs().a})
        for (const MetricId metric : experiment->metrics.ids()) {
            SeverityTable copy = experiment->severities.table(metric);
            benchmark::DoNotOptimize(copy);
        }
}

template <class Work, class Copy>
void runAgainst(benchmark::State& state, const Work& work, const Copy& copy) {
    double working = 0.0;
    double copying = 0.0;
    for (auto _ : state) {
        const double seconds = secondsOf(work);
        state.PauseTiming();
        copying += secondsOf(copy);
        state.ResumeTiming();
        working += seconds;
    }
    state.counters["ratio"] = working / copying;
}

void mergeInMemory(benchmark::State& state) {
    inputs();
    runAgainst(
        state,
        [] {
            benchmark::DoNotOptimize(merge({inputs().a, inputs().b}));
        },
        copyTables);
}
void meanInMemory(benchmark::State& state) {
    inputs();
    runAgainst(
        state,
        [] {
            benchmark::DoNotOptimize(mean({inputs().a, inputs().b}));
        },
        copyTables);
}
void diffInMemory(benchmark::State& state) {
    inputs();
    runAgainst(
        state, [] { benchmark::DoNotOptimize(diff(inputs().a, inputs().b)); }, copyTables);
}

/// From file to file, as `holos merge` does it.
void mergeFiles(benchmark::State& state) {
    const fs::path folder = fs::temp_directory_path() / "holos-merge-benchmark";
    fs::create_directories(folder);
    writeCubex(inputs().a, folder / "a.cubex");
    writeCubex(inputs().b, folder / "b.cubex");
    const auto work = [&folder] {
        const Experiment a = readCubex(folder / "a.cubex");
        const Experiment b = readCubex(folder / "b.cubex");
        writeCubex(merge({a, b}), folder / "c.cubex");
    };
    const auto copy = [&folder] {
        for (const char* name : {"a.cubex", "b.cubex", "c.cubex"})
            fs::copy_file(folder / name, folder / "copy", fs::copy_options::overwrite_existing);
    };
    runAgainst(state, work, copy);
    fs::remove_all(folder);
}

BENCHMARK(mergeInMemory)->Unit(benchmark::kMillisecond);
BENCHMARK(meanInMemory)->Unit(benchmark::kMillisecond);
BENCHMARK(diffInMemory)->Unit(benchmark::kMillisecond);
BENCHMARK(mergeFiles)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();

// SPDX-License-Identifier: BSD-3-Clause
// Experiments from file to file: opening, aggregating, the operators, writing. The figure that counts is
// `ratio`: the shortest time of the operation by the shortest one of copying its input and output files, read
// and written through the page cache in the same run. The arguments are locations and call paths; all
// experiments have 6 metrics of random values.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "algebra/files/cubex.h"
#include "algebra/files/experiment_file.h"
#include "algebra/files/stored_values.h"
#include "algebra/insight/summary/result_laws.h"
#include "algebra/model/queries.h"
#include "algebra/model/row_sums.h"
#include "algebra/model/rows.h"
#include "algebra/operators/aggregates.h"
#include "algebra/operators/collapse.h"
#include "algebra/operators/cut.h"
#include "algebra/operators/diff.h"
#include "algebra/operators/flatten.h"
#include "algebra/operators/merge.h"
#include "tests/support/large_experiment.h"

namespace {

using namespace holos::algebra;
namespace fs = std::filesystem;

/// Two experiments of one shape in a folder of their own; removed with the object.
class Inputs2 {
  public:
    explicit Inputs2(const benchmark::State& state)
        : folder_(fs::temp_directory_path() / ("holos-benchmark-" + std::to_string(::getpid()))) {
        fs::create_directories(folder_);
        holos::testing::LargeExperimentShape shape;
        shape.threads = 4;
        shape.ranks = static_cast<unsigned>(state.range(0)) / shape.threads;
        shape.callPaths = static_cast<unsigned>(state.range(1));
        writeCubex(holos::testing::largeExperiment(shape), a());
        shape.seed = 2;
        writeCubex(holos::testing::largeExperiment(shape), b());
    }
    Inputs2(const Inputs2&) = delete;
    Inputs2& operator=(const Inputs2&) = delete;
    ~Inputs2() { fs::remove_all(folder_); }

    fs::path a() const { return folder_ / "a.cubex"; }
    fs::path b() const { return folder_ / "b.cubex"; }
    fs::path result() const { return folder_ / "c.cubex"; }
    fs::path copy() const { return folder_ / "copy"; }

  private:
    fs::path folder_;
};

/// Reads and writes, as `cat` does.
void copyFile(const fs::path& from, const fs::path& to) {
    static std::vector<char> buffer(1 << 20);
    const int in = ::open(from.c_str(), O_RDONLY);
    const int out = ::open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ssize_t count = 0;
    while ((count = ::read(in, buffer.data(), buffer.size())) > 0)
        if (::write(out, buffer.data(), static_cast<std::size_t>(count)) != count) break;
    ::close(in);
    ::close(out);
    fs::remove(to);
    if (count != 0) throw std::runtime_error("cannot copy " + from.string());
}

double secondsOf(const std::function<void()>& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Measures `work`, and in turn with it copying these files.
void measure(benchmark::State& state, const Inputs2& files, const std::function<void()>& work,
             const std::vector<fs::path>& copied) {
    work();  // the result is there for copying, the inputs are in the page cache
    double working = std::numeric_limits<double>::max();
    double copying = working;
    std::uintmax_t bytes = 0;
    for (const fs::path& file : copied) bytes += fs::file_size(file);
    for (auto _ : state) {
        fs::remove(files.result());  // a file system may want to secure a file before another takes its place
        const double seconds = secondsOf(work);
        state.SetIterationTime(seconds);
        working = std::min(working, seconds);
        copying = std::min(copying, secondsOf([&] {
                               for (const fs::path& file : copied) copyFile(file, files.copy());
                           }));
    }
    state.counters["ratio"] = working / copying;
    state.counters["MB"] = static_cast<double>(bytes) / 1e6;
}

void open(benchmark::State& state) {
    const Inputs2 files(state);
    measure(state, files, [&] { benchmark::DoNotOptimize(readCubex(files.a())); }, {files.a()});
}

/// Inclusive totals of every metric and call path.
void aggregate(benchmark::State& state) {
    const Inputs2 files(state);
    const auto work = [&] {
        const Experiment experiment = readCubex(files.a());
        for (const MetricId metric : experiment.metrics.ids())
            benchmark::DoNotOptimize(perCallPath(experiment, {metric}, Extent::Inclusive));
    };
    measure(state, files, work, {files.a()});
}

/// An experiment that is in memory.
void write(benchmark::State& state) {
    const Inputs2 files(state);
    const Experiment experiment = readCubex(files.a());
    for (const MetricId metric : experiment.metrics.ids()) experiment.severities.table(metric);
    measure(state, files, [&] { writeCubex(experiment, files.result()); }, {files.result()});
}

template <class Combine>
void combine(benchmark::State& state, Combine operation) {
    const Inputs2 files(state);
    const auto work = [&] {
        const std::vector<Experiment> inputs = readExperiments({files.a(), files.b()});
        writeCubex(operation(inputs[0], inputs[1]), files.result());
    };
    measure(state, files, work, {files.a(), files.b(), files.result()});
}
void mergeTwo(benchmark::State& state) {
    combine(state, [](const Experiment& a, const Experiment& b) { return merge({a, b}); });
}
void meanOfTwo(benchmark::State& state) {
    combine(state, [](const Experiment& a, const Experiment& b) { return mean({a, b}); });
}
void diffOfTwo(benchmark::State& state) {
    combine(state, [](const Experiment& a, const Experiment& b) { return diff(a, b); });
}

double processorSeconds() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Adds up the floating-point values of a metric as `writeCubex` does: block by block, each just written and
/// still in the cache. Returns the time of adding up alone: that of a block is too short to be interrupted
/// often, and for the processor's clock, which needs a system call.
double secondsOfSums(const Rows& rows, RowSums& sums) {
    SumsOfRows added(ValueType::Double, rows.locations());
    const std::size_t together = std::max(kRowsTogether, rowsPerBlock(rows.locations()));
    std::vector<double> block;
    double seconds = 0;
    const auto add = [&] {
        const std::string_view bytes(reinterpret_cast<const char*>(block.data()),
                                     block.size() * sizeof(double));
        seconds += secondsOf([&] { added.add({&bytes, 1}); });
        block.clear();
    };
    std::vector<double> memory(rows.locations());
    for (std::size_t path = 0; path < rows.callPaths(); ++path) {
        const auto values = rows.row(CallPathId(path), memory);
        block.insert(block.end(), values.begin(), values.end());
        if (block.size() == together * rows.locations()) add();
    }
    add();
    sums = {added.found().rows, added.found().locations, added.found().leasts};
    return seconds;
}

/// What laws of results cost, in percent of the processor time of an operator from files to a file: the time
/// of what is done for them, measured by itself, as the time of an operator differs from run to run by much
/// more. The least time of each.
template <class Combine>
void testLaws(benchmark::State& state, Combine operation) {
    const Inputs2 files(state);
    double operating = std::numeric_limits<double>::max(), testing = operating;
    for (auto _ : state) {
        fs::remove(files.result());
        const double begin = processorSeconds();
        const std::vector<Experiment> inputs = readExperiments({files.a(), files.b()});
        const Experiment result = operation(inputs[0], inputs[1]);
        writeCubex(result, files.result());
        const double seconds = processorSeconds() - begin;
        operating = std::min(operating, seconds);
        state.SetIterationTime(seconds);

        const double choosing = processorSeconds();
        WantedSums sums = sumsForLaws(result);
        double laws = processorSeconds() - choosing;
        const Experiment written = readCubex(files.result());
        for (const MetricId metric : result.metrics.ids())
            if (std::optional<RowSums>& wanted = sums[metric.index()])
                laws += secondsOfSums(*written.severities.rows(metric), *wanted);
        const double judging = processorSeconds();
        benchmark::DoNotOptimize(brokenResultLaws(result, std::move(sums)));
        testing = std::min(testing, laws + processorSeconds() - judging);
    }
    state.counters["percent"] = 100 * testing / operating;
}
void lawsOfMerge(benchmark::State& state) {
    testLaws(state, [](const Experiment& a, const Experiment& b) { return merge({a, b}); });
}
void lawsOfMean(benchmark::State& state) {
    testLaws(state, [](const Experiment& a, const Experiment& b) { return mean({a, b}); });
}

template <class Transform>
void transform(benchmark::State& state, Transform operation) {
    const Inputs2 files(state);
    measure(state, files, [&] { writeCubex(operation(readCubex(files.a())), files.result()); },
            {files.a(), files.result()});
}
void cutAtDepth(benchmark::State& state) {
    transform(state, [](Experiment a) {
        Cut how;
        how.depth = 10;
        return cut(std::move(a), how);
    });
}
void collapseToProcesses(benchmark::State& state) {
    transform(state, [](Experiment a) { return collapse(std::move(a), CollapseTo::Processes); });
}
void flattenAll(benchmark::State& state) {
    transform(state, [](Experiment a) { return flatten(std::move(a)); });
}

/// 37 MB each, with few locations and with many.
void sizes(benchmark::internal::Benchmark* each) {
    each->Args({256, 3000})->Args({1000, 768})->Args({10'000, 77})->Args({100'000, 8});
    each->Unit(benchmark::kMillisecond)->UseManualTime();
}

BENCHMARK(open)->Apply(sizes);
BENCHMARK(aggregate)->Apply(sizes);
BENCHMARK(write)->Apply(sizes);
BENCHMARK(mergeTwo)->Apply(sizes);
BENCHMARK(meanOfTwo)->Apply(sizes);
BENCHMARK(diffOfTwo)->Apply(sizes);
BENCHMARK(lawsOfMerge)->Apply(sizes);
BENCHMARK(lawsOfMean)->Apply(sizes);
BENCHMARK(cutAtDepth)->Apply(sizes);
BENCHMARK(collapseToProcesses)->Apply(sizes);
BENCHMARK(flattenAll)->Apply(sizes);

}  // namespace

BENCHMARK_MAIN();

// SPDX-License-Identifier: BSD-3-Clause
// How many rows a second questions about a generated trace of 4 million events go through.
#include <benchmark/benchmark.h>

#include "report/query/database.h"
#include "tests/support/large_trace.h"
#include "tests/support/temporary_directory.h"

namespace {

using namespace holos;

constexpr testing::LargeTraceShape kShape{.processes = 4, .rounds = 1000, .callsPerRound = 500};

const std::filesystem::path& archive() {
    static const testing::TemporaryDirectory directory;
    static const auto path = testing::writeLargeTrace(directory.path(), kShape);
    return path;
}

class Counted final : public query::Answer {
  public:
    void begin(const std::vector<query::AnswerColumn>&) override {}
    void row(const std::vector<query::Cell>& cells) override { benchmark::DoNotOptimize(cells.data()); }
    void end() override {}
};

/// Each time with a run that knows nothing yet, as a command does.
void ask(benchmark::State& state, const char* statement) {
    archive();
    for ([[maybe_unused]] auto each : state) {
        query::Run run(archive(), {.threads = 1});
        query::Database database(run);
        Counted answer;
        database.ask(statement, {}, answer);
    }
    state.counters["calls/s"] = benchmark::Counter(static_cast<double>(kShape.events() / 2),
                                                   benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK_CAPTURE(ask, allCalls, "SELECT count(*), sum(own) FROM calls")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(ask, callsOfAThread, "SELECT count(*), sum(own) FROM calls WHERE location = 2")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(ask, longestSends,
                  "SELECT * FROM calls WHERE region = 'MPI_Send' ORDER BY duration DESC LIMIT 20")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(ask, callsByPath, "SELECT call_path, count(*) FROM calls GROUP BY 1")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(ask, statistics, "SELECT sum(calls), sum(deviation) FROM statistics")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(ask, messages, "SELECT sum(bytes), sum(late_sender) FROM messages")
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace

BENCHMARK_MAIN();

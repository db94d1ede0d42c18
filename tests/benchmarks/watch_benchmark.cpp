// SPDX-License-Identifier: BSD-3-Clause
// What looking at a running recording costs (`holos::watch`): the argument is the number of processes, of
// which each has recorded some events since the look before. Processor time of this process.
#include <benchmark/benchmark.h>

#include "tests/support/temporary_directory.h"
#include "tests/unit/tracing/generated_run.h"
#include "tracing/recordings/watch/followed_run.h"
#include "tracing/recordings/watch/picture.h"
#include "tracing/recordings/watch/waits.h"

namespace {

using namespace holos::testing;
namespace watch = holos::watch;

constexpr std::uint32_t kNew = 50;  ///< events of each process that come between two looks

/// What a refresh of the screen does: read what is new, make rows of it, find out who waits for whom.
void refresh(benchmark::State& state, bool areWaiting, bool isProfile = false) {
    const TemporaryDirectory directory;
    GeneratedRun run(directory.path(),
                     {.processes = static_cast<std::uint32_t>(state.range(0)), .isProfile = isProfile});
    watch::FollowedRun followed(run.path());
    watch::History history;
    followed.look();
    for (auto _ : state) {
        state.PauseTiming();
        if (!areWaiting && !run.isFull(kNew)) run.goOn(kNew);
        state.ResumeTiming();
        const watch::Picture& picture = followed.look();
        auto rows = watch::rowsOf(picture, watch::Level::Processes);
        history.add(rows);
        watch::sort(rows, watch::Order::Metric, watch::kMetricLost);
        benchmark::DoNotOptimize(rows.data());
        const auto findings = watch::searchWaits(watch::findWaits(followed).graph());
        benchmark::DoNotOptimize(findings.culprits.data());
    }
}

void refreshWhileAllCompute(benchmark::State& state) {
    refresh(state, false);
}
void refreshWhileAllWait(benchmark::State& state) {
    refresh(state, true);
}
void refreshOfProfiles(benchmark::State& state) {
    refresh(state, false, true);
}
void args(benchmark::internal::Benchmark* one) {
    one->Arg(16)->Arg(1024)->Arg(4096)->Unit(benchmark::kMillisecond)->Iterations(20);
}
BENCHMARK(refreshWhileAllCompute)->Apply(args);
BENCHMARK(refreshWhileAllWait)->Apply(args);
BENCHMARK(refreshOfProfiles)->Apply(args);

}  // namespace

BENCHMARK_MAIN();

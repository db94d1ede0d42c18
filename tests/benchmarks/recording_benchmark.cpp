// SPDX-License-Identifier: BSD-3-Clause
// What recording costs the program. To be run by the recorder:
//     holos record -o DIR -- holos_recording_benchmark
// Without it, the second line is the cost of regions in a program that is not recorded.
#include <benchmark/benchmark.h>
#include <holos/holos.h>
#include <sched.h>
#include <x86intrin.h>

namespace {

/// The part of an event's cost that no recorder can avoid.
void readClockTwice(benchmark::State& state) {
    for (auto _ : state) {
        benchmark::DoNotOptimize(__rdtsc());
        benchmark::DoNotOptimize(__rdtsc());
    }
}
BENCHMARK(readClockTwice);

/// What it costs to see where a thread runs, at the ends of parallel regions and of threads.
void readProcessor(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(::sched_getcpu());
}
BENCHMARK(readProcessor);

void enterAndLeaveUserRegion(benchmark::State& state) {
    for (auto _ : state) {
        HOLOS_REGION_BEGIN(region, "region");
        HOLOS_REGION_END(region);
    }
}
BENCHMARK(enterAndLeaveUserRegion)->Iterations(5'000'000)->Repetitions(5)->ReportAggregatesOnly();

}  // namespace

BENCHMARK_MAIN();

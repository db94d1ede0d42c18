// SPDX-License-Identifier: BSD-3-Clause
// What recording costs the program. To be run by the recorder:
//     holos record -o DIR -- holos_recording_benchmark
// Without it, the second line is the cost of regions in a program that is not recorded.
#include <benchmark/benchmark.h>
#include <holos/holos.h>
#include <sched.h>
#include <x86intrin.h>

#include <array>

#include "tracing/counters/perf_page.h"
#include "tracing/counters/selection.h"

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

/// In place of `rdpmc`, which few virtual machines have: the clock, which is read as a register is.
struct ClockAsRegisters {
    std::uint64_t counter(std::uint32_t) const noexcept { return __rdtsc(); }
    std::uint64_t clock() const noexcept { return __rdtsc(); }
};

/// Five counters from the pages that the kernel keeps of them; with the times, as where counters take turns.
void readFiveRegisters(benchmark::State& state) {
    constexpr std::size_t kCounters = 5;
    std::array<perf_event_mmap_page, kCounters> pages{};
    for (auto& page : pages) {
        page.index = 1;
        page.cap_user_rdpmc = page.cap_user_time = 1;
        page.pmc_width = 48;
        page.time_mult = 1;
    }
    const auto withTimes =
        state.range(0) != 0 ? holos::counters::WithTimes::Yes : holos::counters::WithTimes::No;
    holos::counters::PageReading reading;
    for (auto _ : state)
        for (const auto& page : pages) {
            benchmark::DoNotOptimize(holos::counters::readPage(page, ClockAsRegisters(), withTimes, reading));
            benchmark::DoNotOptimize(reading.value);
        }
}
BENCHMARK(readFiveRegisters)->ArgName("times")->Arg(0)->Arg(1);

/// Five events of the kernel, which have no registers: one system call.
void readFiveEventsOfTheKernel(benchmark::State& state) {
    std::array<std::uint64_t, 5> values{};
    try {
        const auto reader = holos::counters::Selection({"page-faults", "minor-faults", "major-faults",
                                                        "context-switches", "cpu-migrations"})
                                .open();
        for (auto _ : state) benchmark::DoNotOptimize(reader->read(values.data()));
    } catch (const std::exception& error) {
        state.SkipWithError(error.what());
    }
}
BENCHMARK(readFiveEventsOfTheKernel);

void enterAndLeaveUserRegion(benchmark::State& state) {
    for (auto _ : state) {
        HOLOS_REGION_BEGIN(region, "region");
        HOLOS_REGION_END(region);
    }
}
BENCHMARK(enterAndLeaveUserRegion)->Iterations(5'000'000)->Repetitions(5)->ReportAggregatesOnly();

}  // namespace

BENCHMARK_MAIN();

// SPDX-License-Identifier: BSD-3-Clause
// Making a trace of what many processes left (`holos::archive`): the arguments are ranks and regions of each.
// Every rank also has two communicators, of which one is its own half's, and enters and leaves each region
// once; or it has added up three visits of each and their messages, and a profile is made. Time of all
// processors together and the peak of memory.
#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "algebra/files/experiment_file.h"
#include "analyzer/profile/profile.h"
#include "tests/support/temporary_directory.h"
#include "tests/unit/tracing/raw_recording.h"
#include "tests/unit/tracing/raw_table.h"
#include "tracing/recordings/archive/conversion.h"

namespace {

using namespace holos::testing;
using holos::tracing::DefinitionKind;
using holos::tracing::RecordKind;
namespace fs = std::filesystem;

struct Shape {
    std::uint32_t ranks;
    std::uint32_t regions;
    bool areAdded = false;  ///< their events, up
};

/// What the regions of a rank have added up.
void addUp(holos::tracing::profile::Table& table, const Shape& shape) {
    std::uint64_t ticks = 1'000;
    for (int round = 0; round < 3; ++round)
        for (std::uint32_t region = 1; region <= shape.regions; ++region, ticks += 20) {
            table.enterRegion(region, 0, ticks);
            table.count(holos::ProfileCount::Sends, 1, 8 * region);
            table.leave(region, ticks + 10);
        }
}

void writeComm(RawDefinitions& log, std::uint32_t ref, std::uint32_t root, std::uint32_t number,
               std::uint32_t size, std::uint32_t place) {
    log.begin(DefinitionKind::Comm).add(ref).add(root).add(number).text("");
    log.add(size).add(0U).add(place);
    const std::uint32_t known = place == 0 ? size : 0;
    log.add(known);
    for (std::uint32_t i = 0; i < known; ++i) log.add(root + i);
}

void writeRank(const fs::path& recording, std::uint32_t rank, const Shape& shape) {
    RawDefinitions log;
    log.process("/opt/codes/solver/bin/solver").sync(1'000, 1'000);
    log.begin(DefinitionKind::Location).add(0U).add(holos::tracing::LocationKind::Main);
    log.add(holos::tracing::kNoLocation).add(0U).add(0U).text("Master thread");
    log.world(rank, shape.ranks);
    const std::uint32_t half = shape.ranks / 2;
    writeComm(log, 1, 0, 0, shape.ranks, rank);
    writeComm(log, 2, rank < half ? 0 : half, 2, half, rank % half);
    RawEvents events;
    for (std::uint32_t region = 1; region <= shape.regions; ++region) {
        log.region(region, "solver::Domain::step" + std::to_string(region));
        events.add(RecordKind::Enter, 1'000 + 20 * region, {region});
        events.add(RecordKind::Leave, 1'010 + 20 * region, {region});
    }
    log.sync(1'000'000, 1'000'000);
    const fs::path folder = writeProcess(recording, "host." + std::to_string(rank) + ".0", log);
    if (!shape.areAdded) return events.write(folder);
    RawTable sums;
    addUp(sums.table(), shape);
    sums.write(folder);
}

/// In a process of its own, for its peak of memory.
rusage finishIn(const fs::path& directory) {
    const pid_t child = ::fork();
    if (child == 0) {
        try {
            holos::archive::finish(directory, holos::archive::Check::Nobody,
                                   [](const fs::path& folder, const holos::archive::Result& result) {
                                       holos::algebra::writeExperiment(
                                           holos::analyzer::experimentOf(*result.profile, folder),
                                           folder / holos::archive::kProfileFile);
                                   });
            ::_exit(0);
        } catch (const std::exception& error) {
            std::fprintf(stderr, "%s\n", error.what());
            ::_exit(1);
        }
    }
    int status = 0;
    rusage used{};
    ::wait4(child, &status, 0, &used);
    if (status != 0) std::exit(1);
    return used;
}

double seconds(const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

void finish(benchmark::State& state, bool areAdded) {
    const Shape shape{static_cast<std::uint32_t>(state.range(0)), static_cast<std::uint32_t>(state.range(1)),
                      areAdded};
    double processorTime = 0;
    double memory = 0;
    for (auto _ : state) {
        state.PauseTiming();
        const TemporaryDirectory directory;
        for (std::uint32_t rank = 0; rank < shape.ranks; ++rank)
            writeRank(holos::archive::recordingOf(directory.path()), rank, shape);
        state.ResumeTiming();
        const rusage used = finishIn(directory.path());
        processorTime = seconds(used.ru_utime) + seconds(used.ru_stime);
        memory = 1024.0 * static_cast<double>(used.ru_maxrss);
    }
    state.counters["cpu_s"] = processorTime;
    state.counters["MB"] = memory * 1e-6;
    state.counters["us_per_rank"] = 1e6 * processorTime / shape.ranks;
}
BENCHMARK_CAPTURE(finish, trace, false)
    ->ArgsProduct({{64, 512, 4096, 16384}, {10, 100}})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1)
    ->UseRealTime();
BENCHMARK_CAPTURE(finish, profile, true)
    ->ArgsProduct({{16, 4096}, {100}})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1)
    ->UseRealTime();

}  // namespace

BENCHMARK_MAIN();

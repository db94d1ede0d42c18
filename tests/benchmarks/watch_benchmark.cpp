// SPDX-License-Identifier: BSD-3-Clause
// What looking at a running recording costs (`holos::watch`): the argument is the number of processes, of
// which each has recorded some events since the look before. Processor time of this process.
#include <benchmark/benchmark.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/temporary_directory.h"
#include "tests/unit/tracing/raw_recording.h"
#include "tracing/archive/host_facts.h"
#include "tracing/core/clock.h"
#include "tracing/core/process_identity.h"
#include "tracing/core/waiting_notes.h"
#include "tracing/watch/followed_run.h"
#include "tracing/watch/table.h"
#include "tracing/watch/waits.h"

namespace {

using namespace holos::testing;
using holos::tracing::DefinitionKind;
using holos::tracing::RecordKind;
namespace fs = std::filesystem;
namespace tracing = holos::tracing;
namespace watch = holos::watch;

constexpr std::uint32_t kRegions = 100;
constexpr std::uint32_t kCall = 1;
constexpr std::uint32_t kNew = 50;  ///< and come between two looks

/// Processes that live: this one proves it.
class Run {
  public:
    explicit Run(std::uint32_t processes) : processes_(processes) {
        tracing::chooseClock();
        start_ = tracing::synchronizeClocks();
        for (std::uint32_t rank = 0; rank < processes; ++rank) write(rank);
    }
    fs::path path() const { return directory_.path(); }

    /// Each enters and leaves regions, and then a call of MPI that all but the last one wait in.
    void goOn() {
        std::vector<std::uint64_t> words;
        for (std::uint32_t i = 0; i < kNew; ++i) put(words, i);
        for (std::uint32_t rank = 0; rank < processes_; ++rank) {
            std::fstream file(folder(rank) / "events", std::ios::binary | std::ios::in | std::ios::out);
            file.seekp(static_cast<std::streamoff>((1 + written_) * sizeof(std::uint64_t)));
            file.write(reinterpret_cast<const char*>(words.data()),
                       static_cast<std::streamsize>(words.size() * sizeof(std::uint64_t)));
        }
        written_ += words.size();
    }
    bool isFull() const {
        return (written_ + 1) * sizeof(std::uint64_t) + 4 * kNew * 8 > tracing::kChunkBytes;
    }

  private:
    fs::path folder(std::uint32_t rank) const {
        return directory_.path() / "recording" / ("host." + std::to_string(rank + 1) + ".0");
    }
    void put(std::vector<std::uint64_t>& words, std::uint32_t number) {
        const std::uint32_t region = 2 + number / 2 % (kRegions - 2);
        const bool isEnter = number % 2 == 0;
        words.push_back(
            tracing::header(isEnter ? RecordKind::Enter : RecordKind::Leave, start_.ticks + ++ticks_));
        words.push_back(region);
    }
    void write(std::uint32_t rank) {
        RawDefinitions log;
        log.process("/opt/codes/solver", holos::archive::bootId(), tracing::clockName());
        log.begin(DefinitionKind::ClockSync).add(start_.ticks).add(start_.monotonic).add(start_.realtime);
        log.begin(DefinitionKind::Location).add(0U).add(tracing::LocationKind::Main);
        log.add(tracing::kNoLocation).add(0U).add(0U).text("Master thread").world(rank, processes_);
        log.begin(DefinitionKind::Comm)
            .add(1U)
            .add(0U)
            .add(0U)
            .text("MPI_COMM_WORLD")
            .add(processes_)
            .add(0U);
        log.add(rank).add(0U);
        log.begin(DefinitionKind::Region).add(kCall).add(tracing::Paradigm::Mpi).add(tracing::Role::Barrier);
        log.add(0U).add(0U).text("MPI_Barrier").text("MPI");
        for (std::uint32_t region = 2; region <= kRegions; ++region)
            log.region(region, "step" + std::to_string(region));
        const fs::path folder = writeProcess(directory_.path() / "recording",
                                             "host." + std::to_string(rank + 1) + ".0", log, false);
        char text[512];
        const std::size_t bytes = tracing::describeThisProcess(text, sizeof text, "", -1, false);
        std::ofstream(folder / "alive").write(text, static_cast<std::streamsize>(bytes));
        RawEvents events;
        events.add(RecordKind::Enter, start_.ticks, {kCall}).nextChunk().write(folder);
        if (rank + 1 != processes_) writeNote(folder);
        written_ = 2;
    }
    void writeNote(const fs::path& folder) const {
        struct {
            tracing::Status status{};
            unsigned char padding[tracing::kFirstNote - sizeof(tracing::Status)]{};
            tracing::WaitingNote note{};
        } page;
        page.status.waitingNotes = 1;
        page.note.since = start_.ticks;
        page.note.thread = tracing::pair(1, 1);
        page.note.count = tracing::pair(1, 0);
        page.note.things[0] = {tracing::pair(tracing::kNoRoot, 1),
                               tracing::pair(0, tracing::awaitedCode(tracing::AwaitedKind::Collective))};
        std::ofstream(folder / "status", std::ios::binary)
            .write(reinterpret_cast<const char*>(&page), sizeof page);
    }

    TemporaryDirectory directory_;
    std::uint32_t processes_;
    tracing::ClockSync start_{};
    std::uint64_t ticks_ = 0;
    std::uint64_t written_ = 0;
};

/// What a refresh of the screen does: read what is new, make rows of it, find out who waits for whom.
void refresh(benchmark::State& state, bool areWaiting) {
    Run run(static_cast<std::uint32_t>(state.range(0)));
    watch::FollowedRun followed(run.path());
    watch::History history;
    followed.look();
    for (auto _ : state) {
        state.PauseTiming();
        if (!areWaiting && !run.isFull()) run.goOn();
        state.ResumeTiming();
        const watch::Picture& picture = followed.look();
        auto rows = watch::rowsOf(picture, watch::Level::Processes);
        history.add(rows);
        watch::sort(rows, watch::Order::Metric, watch::kMetricLost);
        benchmark::DoNotOptimize(rows.data());
        const auto findings = watch::search(watch::findWaits(followed).graph());
        benchmark::DoNotOptimize(findings.culprits.data());
    }
}

void refreshWhileAllCompute(benchmark::State& state) {
    refresh(state, false);
}
void refreshWhileAllWait(benchmark::State& state) {
    refresh(state, true);
}
BENCHMARK(refreshWhileAllCompute)
    ->Arg(16)
    ->Arg(1024)
    ->Arg(4096)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(20);
BENCHMARK(refreshWhileAllWait)->Arg(16)->Arg(1024)->Arg(4096)->Unit(benchmark::kMillisecond)->Iterations(20);

}  // namespace

BENCHMARK_MAIN();

// SPDX-License-Identifier: BSD-3-Clause
#include "tests/benchmarks/generated_run.h"

#include <fstream>
#include <string>
#include <utility>

#include "tracing/archive/host_facts.h"
#include "tracing/core/events.h"
#include "tracing/core/process_identity.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;
using tracing::DefinitionKind;
using tracing::RecordKind;

constexpr std::uint32_t kRegions = 100;
constexpr std::uint32_t kCall = 1;
constexpr std::uint32_t kWork = 2;
constexpr std::uint32_t kWorld = 1;
constexpr std::uint32_t kTag = 7;

}  // namespace

GeneratedRun::GeneratedRun(fs::path folder, std::uint32_t processes, RunScene scene)
    : path_(std::move(folder)), processes_(processes), scene_(scene) {
    tracing::chooseClock();
    start_ = tracing::synchronizeClocks();
    for (std::uint32_t rank = 0; rank < processes; ++rank) write(rank);
}

void GeneratedRun::goOn(std::uint32_t events) {
    std::vector<std::uint64_t> words;
    for (std::uint32_t i = 0; i < events; ++i) put(words, i);
    for (std::uint32_t rank = 0; rank < processes_; ++rank) {
        std::fstream file(folder(rank) / "events", std::ios::binary | std::ios::in | std::ios::out);
        file.seekp(static_cast<std::streamoff>((1 + written_) * sizeof(std::uint64_t)));
        file.write(reinterpret_cast<const char*>(words.data()),
                   static_cast<std::streamsize>(words.size() * sizeof(std::uint64_t)));
    }
    written_ += words.size();
}

bool GeneratedRun::isFull(std::uint32_t events) const {
    return (written_ + 1) * sizeof(std::uint64_t) + std::size_t{4} * events * 8 > tracing::kChunkBytes;
}

fs::path GeneratedRun::folder(std::uint32_t rank) const {
    return path_ / "recording" / ("host." + std::to_string(rank + 1) + ".0");
}

void GeneratedRun::put(std::vector<std::uint64_t>& words, std::uint32_t number) {
    const std::uint32_t region = kWork + number / 2 % (kRegions - kWork);
    const bool isEnter = number % 2 == 0;
    words.push_back(
        tracing::header(isEnter ? RecordKind::Enter : RecordKind::Leave, start_.ticks + ++ticks_));
    words.push_back(region);
}

bool GeneratedRun::isWaiting(std::uint32_t rank) const {
    switch (scene_) {
        case RunScene::Barrier:
            return rank + 1 != processes_;
        case RunScene::Scattered:
            return rank % 2 == 0;
        case RunScene::Computing:
            return false;
        default:
            return true;
    }
}

tracing::WaitingNote::Thing GeneratedRun::awaitedBy(std::uint32_t rank) const {
    using tracing::AwaitedKind;
    using tracing::pair;
    if (scene_ == RunScene::Ring || scene_ == RunScene::Pairs) {
        const std::uint32_t peer = scene_ == RunScene::Ring ? (rank + 1) % processes_ : rank ^ 1U;
        return {pair(peer, kWorld), pair(kTag, tracing::awaitedCode(AwaitedKind::Receive))};
    }
    return {pair(tracing::kNoRoot, kWorld), pair(0, tracing::awaitedCode(AwaitedKind::Collective))};
}

void GeneratedRun::write(std::uint32_t rank) {
    RawDefinitions log;
    log.process("/opt/codes/solver", archive::bootId(), tracing::clockName());
    log.begin(DefinitionKind::ClockSync).add(start_.ticks).add(start_.monotonic).add(start_.realtime);
    log.begin(DefinitionKind::Location).add(0U).add(tracing::LocationKind::Main);
    log.add(tracing::kNoLocation).add(0U).add(0U).text("Master thread").world(rank, processes_);
    log.begin(DefinitionKind::Comm)
        .add(kWorld)
        .add(0U)
        .add(0U)
        .text("MPI_COMM_WORLD")
        .add(processes_)
        .add(0U);
    log.add(rank).add(0U);
    const bool isMessage = scene_ == RunScene::Ring || scene_ == RunScene::Pairs;
    log.begin(DefinitionKind::Region)
        .add(kCall)
        .add(tracing::Paradigm::Mpi)
        .add(isMessage ? tracing::Role::PointToPoint : tracing::Role::Barrier);
    log.add(0U).add(0U).text(isMessage ? "MPI_Recv" : "MPI_Barrier").text("MPI");
    for (std::uint32_t region = kWork; region <= kRegions; ++region)
        log.region(region, "step" + std::to_string(region));
    const fs::path folder =
        writeProcess(path_ / "recording", "host." + std::to_string(rank + 1) + ".0", log, false);
    char text[512];
    const std::size_t bytes = tracing::describeThisProcess(text, sizeof text, "", -1, false);
    std::ofstream(folder / "alive").write(text, static_cast<std::streamsize>(bytes));
    RawEvents events;
    const std::uint32_t region = isWaiting(rank) || scene_ == RunScene::Barrier ? kCall : kWork;
    events.add(RecordKind::Enter, start_.ticks, {region}).nextChunk().write(folder);
    if (isWaiting(rank)) writeNote(rank);
    written_ = 2;
}

void GeneratedRun::writeNote(std::uint32_t rank) const {
    struct {
        tracing::Status status{};
        unsigned char padding[tracing::kFirstNote - sizeof(tracing::Status)]{};
        tracing::WaitingNote note{};
    } page;
    page.status.waitingNotes = 1;
    page.note.since = start_.ticks;
    page.note.thread = tracing::pair(1, 1);
    page.note.count = tracing::pair(1, 0);
    page.note.things[0] = awaitedBy(rank);
    std::ofstream(folder(rank) / "status", std::ios::binary)
        .write(reinterpret_cast<const char*>(&page), sizeof page);
}

}  // namespace holos::testing

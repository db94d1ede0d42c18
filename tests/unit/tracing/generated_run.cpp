// SPDX-License-Identifier: BSD-3-Clause
#include "tests/unit/tracing/generated_run.h"

#include <fstream>
#include <string>
#include <utility>

#include "tests/unit/tracing/raw_recording.h"
#include "tracing/counters/source.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recordings/archive/facts/host_facts.h"
#include "tracing/recordings/format/process_identity.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;
using tracing::DefinitionKind;
using tracing::RecordKind;

constexpr std::uint32_t kCall = 1;
constexpr std::uint32_t kWork = 2;
constexpr std::uint32_t kWorldRef = 1;
constexpr std::uint32_t kTag = 7;

}  // namespace

GeneratedRun::GeneratedRun(fs::path folder, const RunShape& shape)
    : path_(std::move(folder)), shape_(shape), inMpi_{kCall, nullptr, {}}, computing_{kWork, nullptr, {}} {
    tracing::chooseClock();
    start_ = tracing::synchronizeClocks();
    for (Alike* const processes : {&inMpi_, &computing_}) {
        if (shape.isProfile) processes->sums = std::make_unique<RawTable>(shape.counters);
        if (shape.isProfile) processes->sums->table().enterRegion(processes->call, 0, start_.ticks);
    }
    for (std::uint32_t rank = 0; rank < shape_.processes; ++rank) write(rank);
    if (shape.isProfile)
        std::ofstream(path_ / "recording" / "command.json") << R"({"settings": {"profile": true}})";
}

void GeneratedRun::goOn(std::uint32_t events) {
    for (std::uint32_t i = 0; i < events + 2; ++i) {
        const bool isOfCall = i == 0 || i == events + 1;
        const bool isEnter = isOfCall ? i != 0 : turn_ % 2 == 0;
        const std::uint64_t region = kWork + turn_ / 2 % shape_.regions;
        ++events_;
        if (!isOfCall) ++turn_;
        for (Alike* const processes : {&inMpi_, &computing_})
            record(*processes, isEnter, isOfCall ? processes->call : static_cast<std::uint32_t>(region));
    }
    for (std::uint32_t rank = 0; rank < shape_.processes; ++rank) writeEvents(rank);
    written_ += inMpi_.words.size();
    inMpi_.words.clear();
    computing_.words.clear();
}

void GeneratedRun::end() const {
    tracing::Status status{};
    status.ended = 1;
    for (std::uint32_t rank = 0; rank < shape_.processes; ++rank)
        std::ofstream(folder(rank) / "status", std::ios::binary)
            .write(reinterpret_cast<const char*>(&status), sizeof status);
}

bool GeneratedRun::isFull(std::uint32_t events) const {
    const std::size_t more = (std::size_t{events} + 2) * (3 + shape_.counters);
    return !shape_.isProfile && (written_ + 1 + more) * sizeof(std::uint64_t) > tracing::kChunkBytes;
}

fs::path GeneratedRun::folder(std::uint32_t rank) const {
    return path_ / "recording" / ("host." + std::to_string(rank + 1) + ".0");
}

GeneratedRun::Alike& GeneratedRun::alike(std::uint32_t rank) {
    return isWaiting(rank) || shape_.scene == RunScene::Barrier ? inMpi_ : computing_;
}

void GeneratedRun::record(Alike& processes, bool isEnter, std::uint32_t region) const {
    const std::uint64_t ticks = start_.ticks + events_;
    std::vector<std::uint64_t> values;
    for (std::uint64_t i = 1; i <= shape_.counters; ++i) values.push_back(i * events_);
    if (!shape_.isProfile) {
        auto& words = processes.words;
        if (!values.empty()) words.push_back(tracing::header(RecordKind::Counters, ticks));
        words.insert(words.end(), values.begin(), values.end());
        words.push_back(tracing::header(isEnter ? RecordKind::Enter : RecordKind::Leave, ticks));
        words.push_back(region);
        return;
    }
    auto& table = processes.sums->table();
    if (!values.empty()) table.read(values.data());
    if (isEnter)
        table.enterRegion(region, 0, ticks);
    else
        table.leave(region, ticks);
}

void GeneratedRun::writeEvents(std::uint32_t rank) {
    const Alike& processes = alike(rank);
    if (shape_.isProfile) {
        processes.sums->write(folder(rank));
    } else {
        std::fstream file(folder(rank) / "events", std::ios::binary | std::ios::in | std::ios::out);
        file.seekp(static_cast<std::streamoff>((1 + written_) * sizeof(std::uint64_t)));
        file.write(reinterpret_cast<const char*>(processes.words.data()),
                   static_cast<std::streamsize>(processes.words.size() * sizeof(std::uint64_t)));
    }
    if (isWaiting(rank)) writeNote(rank);
}

bool GeneratedRun::isWaiting(std::uint32_t rank) const {
    switch (shape_.scene) {
        case RunScene::Barrier:
            return rank + 1 != shape_.processes;
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
    if (shape_.scene == RunScene::Ring || shape_.scene == RunScene::Pairs) {
        const std::uint32_t peer = shape_.scene == RunScene::Ring ? (rank + 1) % shape_.processes : rank ^ 1U;
        return {pair(peer, kWorldRef), pair(kTag, tracing::awaitedCode(AwaitedKind::Receive))};
    }
    return {pair(tracing::kNoRoot, kWorldRef), pair(0, tracing::awaitedCode(AwaitedKind::Collective))};
}

void GeneratedRun::write(std::uint32_t rank) {
    RawDefinitions log;
    log.process("/opt/codes/solver", archive::bootId(), tracing::clockName());
    log.begin(DefinitionKind::ClockSync).add(start_.ticks).add(start_.monotonic).add(start_.realtime);
    log.begin(DefinitionKind::Location).add(0U).add(tracing::LocationKind::Main);
    log.add(tracing::kNoLocation).add(0U).add(0U).text("Master thread").world(rank, shape_.processes);
    log.begin(DefinitionKind::Comm)
        .add(kWorldRef)
        .add(0U)
        .add(0U)
        .text("MPI_COMM_WORLD")
        .add(shape_.processes)
        .add(0U);
    log.add(rank).add(0U);
    const bool isMessage = shape_.scene == RunScene::Ring || shape_.scene == RunScene::Pairs;
    log.begin(DefinitionKind::Region)
        .add(kCall)
        .add(tracing::Paradigm::Mpi)
        .add(isMessage ? tracing::Role::PointToPoint : tracing::Role::Barrier);
    log.add(0U).add(0U).text(isMessage ? "MPI_Recv" : "MPI_Barrier").text("MPI");
    for (std::uint32_t i = 0; i < shape_.regions; ++i)
        log.region(kWork + i, "step" + std::to_string(kWork + i));
    for (std::uint32_t i = 0; i < shape_.counters; ++i) {
        log.begin(DefinitionKind::Counter)
            .add(i)
            .add(counters::Mode::Accumulated)
            .add(counters::Values::Unsigned);
        log.text("counter" + std::to_string(i + 1)).text("#").text("");
    }
    const fs::path folder =
        writeProcess(path_ / "recording", "host." + std::to_string(rank + 1) + ".0", log, false);
    char text[512];
    const std::size_t bytes = tracing::describeThisProcess(text, sizeof text, "", -1, false);
    std::ofstream(folder / "alive").write(text, static_cast<std::streamsize>(bytes));
    if (shape_.isProfile) {
        alike(rank).sums->write(folder);
    } else {
        RawEvents events;
        events.add(RecordKind::Enter, start_.ticks, {alike(rank).call}).nextChunk().write(folder);
        written_ = 2;
    }
    if (isWaiting(rank)) writeNote(rank);
}

void GeneratedRun::writeNote(std::uint32_t rank) const {
    struct {
        tracing::Status status{};
        unsigned char padding[tracing::kFirstNote - sizeof(tracing::Status)]{};
        tracing::WaitingNote note{};
    } page;
    page.status.waitingNotes = 1;
    page.note.since = start_.ticks + events_;
    page.note.thread = tracing::pair(1, 1);
    page.note.count = tracing::pair(1, 0);
    page.note.things[0] = awaitedBy(rank);
    std::ofstream(folder(rank) / "status", std::ios::binary)
        .write(reinterpret_cast<const char*>(&page), sizeof page);
}

}  // namespace holos::testing

// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/profiling.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "tracing/recorder/core/chunks.h"
#include "tracing/recorder/core/confining.h"
#include "tracing/recorder/core/copying.h"
#include "tracing/recorder/core/counting.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/location.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recorder/core/process_facts.h"
#include "tracing/recorder/core/recorded_part.h"
#include "tracing/recorder/core/storage.h"
#include "tracing/recorder/core/thread.h"
#include "tracing/recorder/memory/heap.h"
#include "tracing/recorder/profile/table.h"
#include "tracing/recordings/format/clock.h"
#include "tracing/recordings/format/settings.h"

namespace holos::tracing::core {

constinit Sinks sinks;

/// An explicit task that waits.
struct WaitingTask {
    std::uint64_t team;
    std::uint64_t number;
    profile::Table::Place place;
    WaitingTask* next;
};

/// A location's table, and which of its work it does.
struct LocationTable {
    static constexpr unsigned kMostNested = 32;
    /// What the location does in the innermost of its teams.
    struct Work {
        bool isTask;
        std::uint64_t team;
        std::uint64_t number;
        profile::Table::Place own;  ///< where it goes on after its tasks
    };

    explicit LocationTable(Location& owner) noexcept
        : location(&owner), table({&more, this}, countersOfProcess(), countersThatAreStates()) {}

    static std::uint64_t* more(void* owner, std::size_t least, std::size_t& words) noexcept;
    Work& work() noexcept { return works[std::min(teams, kMostNested - 1)]; }

    Location* location;
    profile::Table table;
    std::size_t chunkBytes = kUnitBytes;
    WaitingTask* waiting = nullptr;
    WaitingTask* unused = nullptr;
    unsigned teams = 0;         ///< that it is in
    std::uint32_t forking = 0;  ///< the team that it forks next
    struct Fork {
        std::uint32_t team;
        std::uint64_t ticks;
    };
    unsigned forks = 0;  ///< that were not joined yet
    Fork forked[kMostNested] = {};
    Work works[kMostNested] = {};
};

namespace {

std::atomic<TableChunk*> newest{nullptr};
std::atomic<bool> mayWrite{true};
std::uint64_t addedSince = 0;  ///< ticks; 0: from the start on

void keep(const ChunkPlace& place, void* memory) noexcept {
    void* const block = heap::allocate(sizeof(TableChunk));
    if (block == nullptr) return;
    auto* const chunk =
        new (block) TableChunk{static_cast<std::uint64_t*>(memory), place.bytes, place.offset, newest.load()};
    while (!newest.compare_exchange_weak(chunk->older, chunk, std::memory_order_release)) continue;
}

/// The task that waits, or none; it waits no longer.
profile::Table::Place takeWaiting(LocationTable& self, const LocationTable::Work& task) noexcept {
    for (WaitingTask** at = &self.waiting; *at != nullptr; at = &(*at)->next) {
        WaitingTask* const found = *at;
        if (found->team != task.team || found->number != task.number) continue;
        *at = found->next;
        found->next = std::exchange(self.unused, found);
        return found->place;
    }
    return {};
}

void wait(LocationTable& self, const LocationTable::Work& task, const profile::Table::Place& place) noexcept {
    WaitingTask* one = self.unused;
    if (one != nullptr)
        self.unused = one->next;
    else if (mayAskKernel())
        one = static_cast<WaitingTask*>(heap::allocate(sizeof(WaitingTask)));
    if (one == nullptr) return;
    self.waiting = new (one) WaitingTask{task.team, task.number, place, self.waiting};
}

/// Back to the location's own work, where it works on a task.
void leaveTask(LocationTable& self, std::uint64_t ticks, bool goesOn) noexcept {
    LocationTable::Work& work = self.work();
    if (!std::exchange(work.isTask, false)) return;
    const auto place = self.table.goBack(work.own, ticks);
    if (goesOn) wait(self, work, place);
}

void addTask(LocationTable& self, RecordKind kind, std::uint64_t ticks, const std::uint64_t* words) noexcept {
    LocationTable::Work& work = self.work();
    if (kind == RecordKind::TaskComplete) {
        const bool isThis = work.isTask && work.team == words[0] && work.number == words[1];
        if (isThis) return leaveTask(self, ticks, false);
        takeWaiting(self, {true, words[0], words[1], {}});
        return self.table.stay(ticks);
    }
    if (kind != RecordKind::TaskSwitch) return self.table.stay(ticks);
    leaveTask(self, ticks, true);
    if (highHalf(words[1]) == 0) return;
    work.isTask = true;
    work.team = words[0];
    work.number = words[1];
    work.own = self.table.workOn(takeWaiting(self, work), ticks);
}

void addFork(LocationTable& self, std::uint64_t ticks) noexcept {
    self.table.fork(ticks);
    if (ForkPlace* const place = forkPlaceOf(self.forking); place != nullptr) place->ticks = ticks;
    if (self.forks < LocationTable::kMostNested) self.forked[self.forks] = {self.forking, ticks};
    ++self.forks;
}

/// The workers' shares have ended, and nobody uses their tables before the next fork.
void addJoin(LocationTable& self, std::uint64_t ticks) noexcept {
    self.table.join(ticks);
    if (self.forks == 0 || --self.forks >= LocationTable::kMostNested) return;
    const LocationTable::Fork& fork = self.forked[self.forks];
    for (std::uint32_t number = 1; number < teamSize(fork.team); ++number)
        if (const Location* const worker = locationIn(fork.team, number);
            worker != nullptr && worker->sums != nullptr)
            worker->sums->joinShare(fork.ticks, ticks);
}

void addTeam(LocationTable& self, RecordKind kind, std::uint64_t ticks, std::uint32_t team) noexcept {
    const ForkPlace* const place = forkPlaceOf(team);
    if (place == nullptr) return;
    const bool isMaster = place->master == self.location->ref;
    if (kind == RecordKind::ThreadTeamBegin) {
        ++self.teams;
        self.work() = {};
        if (!isMaster)
            self.table.enterShare({profile::NodeKind::Share, place->master, place->path, place->node},
                                  place->ticks, ticks);
        return;
    }
    leaveTask(self, ticks, false);
    if (self.teams != 0) --self.teams;
    if (isMaster)
        self.table.join(ticks);
    else
        self.table.leaveShare(ticks);
}

void addThread(LocationTable& self, RecordKind kind, std::uint64_t ticks,
               const std::uint64_t* words) noexcept {
    switch (kind) {
        case RecordKind::ThreadFork:
            return addFork(self, ticks);
        case RecordKind::ThreadJoin:
            return addJoin(self, ticks);
        case RecordKind::ThreadTeamBegin:
        case RecordKind::ThreadTeamEnd:
            return addTeam(self, kind, ticks, lowHalf(words[0]));
        case RecordKind::ThreadEnd:
            return self.table.leaveAll(ticks);
        default:
            return self.table.stay(ticks);
    }
}

void addOther(LocationTable& self, RecordKind kind, std::uint64_t ticks,
              const std::uint64_t* words) noexcept {
    switch (groupOf(kind)) {
        case RecordGroup::Mpi:
        case RecordGroup::Rma:
        case RecordGroup::File:
        case RecordGroup::MpiFailure:
            return addTraffic(self.table, kind, words);
        case RecordGroup::Team:
        case RecordGroup::Lock:
        case RecordGroup::Life:
            return addThread(self, kind, ticks, words);
        case RecordGroup::Task:
            return addTask(self, kind, ticks, words);
        default:
            if (kind == RecordKind::MeasurementOff) self.table.enter({profile::NodeKind::Off}, ticks);
            if (kind == RecordKind::MeasurementOn) self.table.leaveOff(ticks);
            if (kind == RecordKind::BufferFlush) self.table.flush(ticks, words[0]);
    }
}

}  // namespace

/// Chunks grow with what there is to keep.
std::uint64_t* LocationTable::more(void* owner, std::size_t least, std::size_t& words) noexcept {
    constexpr std::size_t kStep = 4;
    auto& self = *static_cast<LocationTable*>(owner);
    if (!recordingIsOpen.load(std::memory_order_relaxed)) return nullptr;
    ChunkPlace place;
    void* memory = nullptr;
    while (self.chunkBytes < (least + 1) * sizeof(std::uint64_t)) self.chunkBytes *= kStep;
    if (!mayAskKernel()) return nullptr;
    if (const int error = newChunk(self.chunkBytes, place, &memory); error != 0) {
        fail(error);
        return nullptr;
    }
    self.chunkBytes = std::min(self.chunkBytes * kStep, kChunkBytes);
    auto* const chunk = static_cast<std::uint64_t*>(memory);
    *chunk = chunkHead(self.location->ref | kTableBit, place.bytes);
    if (storageIsCopied()) {
        keep(place, memory);
        startCopying();
    }
    words = place.bytes / sizeof(std::uint64_t) - 1;
    return chunk + 1;
}

void chooseSinks() noexcept {
    sinks.areAdded.store(settings().addsUp);
    writeEvents(settings().writesEvents);
}

void writeEvents(bool areWanted) noexcept {
    areWanted = areWanted && mayWrite.load();
    const bool areAdded = sinks.areAdded.load();
    const bool isShort = clockIsTsc && areWanted != areAdded;
    sinks.shortWay.store(!isShort ? ShortWay::None : areWanted ? ShortWay::Write : ShortWay::Add);
    sinks.areWritten.store(areWanted);
}

void chooseWay() noexcept {
    writeEvents(eventsAreWritten());
}

void stopWriting() noexcept {
    mayWrite.store(false);
    writeEvents(false);
    writeSwitch(ticksNow(), false);
}

/// Whoever finds that events are added finds since when, too.
void addInstead() noexcept {
    addedSince = ticksNow();
    sinks.areAdded.store(true);
    stopWriting();
    noteTurn();
}

bool makeTable(Location& location) noexcept {
    if (!mayAskKernel()) return false;
    void* const block = heap::allocate(sizeof(LocationTable));
    if (block == nullptr) return false;
    auto* const made = new (block) LocationTable(location);
    location.table = made;
    location.sums = &made->table;
    return made->table.start(addedSince);
}

void addEvent(Location& location, RecordKind kind, std::uint64_t ticks, const std::uint64_t* words) noexcept {
    if (location.table == nullptr && (location.kind == LocationKind::Samples || !makeTable(location))) return;
    ticks = std::max(ticks, location.sums->flushedUntil());  // as in the trace
    if (kind == RecordKind::Enter)
        addEnter(*location.sums, words[0], ticks);
    else if (kind == RecordKind::Leave)
        location.sums->leave(lowHalf(words[0]), ticks);
    else
        addOther(*location.table, kind, ticks, words);
}

void addCounters(Location& location, const std::uint64_t* values) noexcept {
    if (location.table != nullptr) location.table->table.read(values);
}

ForkPlace beginFork(Location& master, std::uint32_t team, std::uint32_t path) noexcept {
    if (master.table == nullptr) return {master.ref, 0, path, 0};
    master.table->forking = team;
    return {master.ref, master.table->table.node(), path, 0};
}

const TableChunk* newestTableChunk() noexcept {
    return newest.load(std::memory_order_acquire);
}

}  // namespace holos::tracing::core

// SPDX-License-Identifier: BSD-3-Clause
// Teams of threads and the places in them, as `events.h` declares them.
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <mutex>

#include "tracing/recorder/core/call_paths.h"
#include "tracing/recorder/core/counting.h"
#include "tracing/recorder/core/definition_log.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/held_signals.h"
#include "tracing/recorder/core/thread.h"

namespace holos::tracing {

namespace core {

/// A place in a team.
struct Place {
    std::atomic<Location*> location{nullptr};
    /// A share whose end the master is to write: the location, with the regions to be left.
    std::atomic<Location*> ended{nullptr};
    std::atomic<const Thread*> worker{nullptr};  ///< whose share that was
    RegionRef region = 0;
    RegionRef barrier = 0;
};

/// The threads that `master` forks at one level, when there are `size` of them.
struct Team {
    Team* next;  ///< of the same master
    std::uint32_t ref;
    std::uint32_t level;
    std::uint32_t size;
    ForkPlace forked;  ///< the last time
    Location* master;
    Place* places;  ///< by number; place 0 is not used: the master stays where it is
};

}  // namespace core

namespace {

using core::Busy;
using core::Definition;
using core::Location;
using core::Place;
using core::recordingIsOn;
using core::Team;
using core::thisThread;
using core::Thread;

constexpr std::uint32_t kMostTeams = 1u << 16;
std::atomic<Team*> teamsByRef[kMostTeams];
std::uint32_t teamCount = 0;  // under the mutex

std::mutex& teamsMutex() {
    static auto* mutex = new std::mutex;
    return *mutex;
}

Team* findTeam(const Location& master, std::uint32_t level, std::uint32_t size) noexcept {
    Team* team = master.teams.load(std::memory_order_acquire);
    while (team != nullptr && (team->level != level || team->size != size)) team = team->next;
    return team;
}

Team* makeTeam(Location& master, std::uint32_t level, std::uint32_t size) {
    const core::HeldSignals held;
    const std::lock_guard lock(teamsMutex());
    if (teamCount + 1 >= kMostTeams) return nullptr;
    void* memory = core::allocate(sizeof(Team) + size * sizeof(Place));
    if (memory == nullptr) return nullptr;
    auto* places = reinterpret_cast<Place*>(static_cast<Team*>(memory) + 1);
    auto* team = new (memory) Team{master.teams.load(), ++teamCount, level, size, {}, &master, places};
    for (std::uint32_t i = 0; i < size; ++i) new (places + i) Place;
    Definition(DefinitionKind::Team).add(team->ref).add(master.ref).add(level).add(size).write();
    teamsByRef[team->ref].store(team, std::memory_order_release);
    master.teams.store(team, std::memory_order_release);
    return team;
}

/// Place `number` of the master's teams at this level, whatever their size.
Location* makePlace(Team& team, std::uint32_t number) noexcept {
    const core::HeldSignals held;
    const std::lock_guard lock(teamsMutex());
    Location* place = team.places[number].location.load();
    for (Team* other = team.master->teams.load(); place == nullptr && other != nullptr; other = other->next)
        if (other->level == team.level && number < other->size) place = other->places[number].location.load();
    if (place == nullptr) {
        char name[48];
        const char* format = team.level > 1 ? "OMP thread %u of level %u" : "OMP thread %u";
        std::snprintf(name, sizeof name, format, number, team.level);
        place = core::makeLocation(LocationKind::Place, team.master->ref, team.level, number, name);
    }
    team.places[number].location.store(place, std::memory_order_release);
    return place;
}

Location* placeOf(Team& team, std::uint32_t number) noexcept {
    if (number >= team.size) return nullptr;
    Location* place = team.places[number].location.load(std::memory_order_acquire);
    return place != nullptr ? place : makePlace(team, number);
}

Team* teamOf(TeamRef ref) noexcept {
    return ref < kMostTeams ? teamsByRef[ref].load(std::memory_order_acquire) : nullptr;
}

/// Makes the place the thread's location. A place belongs to one thread at a time; one that comes too early
/// (its predecessor has not left yet) records nothing until it leaves.
void moveTo(Thread& thread, Location* place) noexcept {
    if (place != nullptr && place->occupied.exchange(true, std::memory_order_acquire)) place = nullptr;
    if (place == nullptr) {
        core::countLost();
        thread.state = thread.state + Thread::kOnePause;
    }
    if (place != nullptr) {
        thread.hadPlace = true;
        core::noteBinding(thread, *place);
        moveCounters(thread, thread.location, place);
        stacks::startThread(thread);
    }
    thread.location = place;
}

/// Brings back what the thread was before it joined; `vacate` when nobody writes to the place any more.
void moveBack(Thread& thread, bool vacate) noexcept {
    Location* place = thread.location;
    Location* outer = thread.outer[thread.nesting];
    thread.location = outer;
    if (place != nullptr) {
        moveCounters(thread, place, outer);
        if (vacate) place->occupied.store(false, std::memory_order_release);
    } else {
        thread.state = thread.state - Thread::kOnePause;
    }
    if (thread.isRuntimes && thread.nesting == 0) thread.state = thread.state + Thread::kOnePause;
}

/// The location of a thread that is no team's: nobody is its master.
Location* makeHelper() noexcept {
    static std::atomic<std::uint32_t> made{0};
    constexpr std::uint32_t kLevel = 2;  // the numbers of the first level are those of its teams' places
    const std::uint32_t number = made.fetch_add(1, std::memory_order_relaxed) + 1;
    char name[32];
    std::snprintf(name, sizeof name, "OMP helper thread %u", number);
    return core::makeLocation(LocationKind::Place, kNoLocation, kLevel, number, name);
}

/// Where such a thread records outside of teams; null until it does.
thread_local Location* helper __attribute__((tls_model("initial-exec"))) = nullptr;

/// A runtime system's own thread records only what it does as part of a team.
bool isWaitingForTeam(const Thread& thread) noexcept {
    return thread.isRuntimes && thread.nesting == 0 && thread.state == Thread::kOnePause;
}

bool isIn(const Thread& thread, TeamRef team) noexcept {
    return thread.nesting != 0 && thread.joined[thread.nesting - 1].team == team;
}

}  // namespace

std::uint32_t levelOfNextTeam() noexcept {
    const Team* const around = teamOf(ownTask().team);
    return around != nullptr ? around->level + 1 : 1;
}

TeamRef defineTeam(std::uint32_t level, std::uint32_t size, PathRef path) noexcept {
    Thread& thread = thisThread;
    if (thread.state != 0 || !recordingIsOn.load(std::memory_order_relaxed)) return 0;
    const Busy busy(thread);
    Location* master = core::locate(thread);
    if (master == nullptr) return 0;
    try {
        Team* team = findTeam(*master, level, size);
        if (team == nullptr) team = makeTeam(*master, level, size);
        if (team == nullptr) return 0;
        if (core::eventsAreAdded()) team->forked = beginFork(*master, team->ref, path);
        return team->ref;
    } catch (...) {
        core::fail(ENOMEM);
        return 0;
    }
}

void joinTeam(TeamRef ref, std::uint32_t number) noexcept {
    Thread& thread = thisThread;
    const bool isWaiting = isWaitingForTeam(thread);
    if ((thread.state != 0 && !isWaiting) || !recordingIsOn.load(std::memory_order_relaxed))
        return core::missed(thread);
    Team* team = teamOf(ref);
    if (team == nullptr || thread.nesting == Thread::kMaxNesting || (isWaiting && number == 0)) return;
    if (isWaiting) thread.state = 0;
    if (number != 0) {
        const Busy busy(thread);
        thread.outer[thread.nesting] = thread.location;
        moveTo(thread, placeOf(*team, number));
    } else {
        thread.outer[thread.nesting] = nullptr;
    }
    thread.joined[thread.nesting++] = {ref, number};
    core::record<RecordKind::ThreadTeamBegin>(ref);
    core::noteProcessor();
}

void leaveTeam(TeamRef ref) noexcept {
    Thread& thread = thisThread;
    if (!isIn(thread, ref)) return;
    core::record<RecordKind::ThreadTeamEnd, core::When::Last>(ref);
    core::noteProcessor();
    const Busy busy(thread);
    --thread.nesting;
    if (thread.joined[thread.nesting].number != 0) moveBack(thread, true);
}

void endShare(TeamRef ref, RegionRef region, RegionRef barrier) noexcept {
    Thread& thread = thisThread;
    if (!isIn(thread, ref)) return;
    enterDirectly(barrier);
    core::noteProcessor();
    const Busy busy(thread);
    --thread.nesting;
    Team& team = *teamOf(ref);
    const std::uint32_t number = thread.joined[thread.nesting].number;
    if (number == 0) return;
    Location* location = thread.location;
    moveBack(thread, false);
    Place& place = team.places[number];
    place.region = region;
    place.barrier = barrier;
    place.worker.store(&thread, std::memory_order_relaxed);
    place.ended.store(location, std::memory_order_release);
}

core::ForkPlace* core::forkPlaceOf(std::uint32_t ref) noexcept {
    Team* const team = teamOf(ref);
    return team != nullptr ? &team->forked : nullptr;
}

std::uint32_t core::teamSize(std::uint32_t ref) noexcept {
    const Team* const team = teamOf(ref);
    return team != nullptr ? team->size : 0;
}

Location* core::locationIn(std::uint32_t ref, std::uint32_t number) noexcept {
    const Team* const team = teamOf(ref);
    return team != nullptr && number < team->size ? team->places[number].location.load() : nullptr;
}

TaskId ownTask() noexcept {
    const Thread& thread = thisThread;
    if (thread.nesting == 0) return {};
    const auto& joined = thread.joined[thread.nesting - 1];
    return {joined.team, joined.number, 0};
}

bool resumeShare(TeamRef ref) noexcept {
    Thread& thread = thisThread;
    const bool isWaiting = isWaitingForTeam(thread);
    if (isIn(thread, ref) || (thread.state != 0 && !isWaiting)) return false;
    Team* team = teamOf(ref);
    if (team == nullptr || thread.nesting == Thread::kMaxNesting) return false;
    const auto& left = thread.joined[thread.nesting];  // the share that ended last
    if (left.team != ref || left.number >= team->size) return false;
    const std::uint32_t number = left.number;
    const Place& place = team->places[number];
    Location* location = place.ended.load(std::memory_order_acquire);
    if (location == nullptr || place.worker.load(std::memory_order_relaxed) != &thread) return false;
    thread.state = 0;
    const Busy busy(thread);
    thread.outer[thread.nesting] = thread.location;
    moveCounters(thread, thread.location, location);
    thread.location = location;
    thread.joined[thread.nesting++] = {ref, number};
    return true;
}

void suspendShare(TeamRef ref) noexcept {
    Thread& thread = thisThread;
    if (!isIn(thread, ref)) return;
    const Busy busy(thread);
    --thread.nesting;
    moveBack(thread, false);
}

bool beginHelp() noexcept {
    Thread& thread = thisThread;
    if (!isWaitingForTeam(thread) || !recordingIsOn.load(std::memory_order_relaxed)) return false;
    thread.state = 0;
    const Busy busy(thread);
    if (helper == nullptr) helper = makeHelper();
    if (helper == nullptr) {
        core::countLost();
        thread.state = thread.state + Thread::kOnePause;
        return false;
    }
    if (thread.location != helper) {
        core::noteBinding(thread, *helper);
        moveCounters(thread, thread.location, helper);
        stacks::startThread(thread);
    }
    thread.location = helper;
    return true;
}

void endHelp() noexcept {
    thisThread.state = thisThread.state + Thread::kOnePause;
}

void closeShares(TeamRef ref) noexcept {
    Thread& thread = thisThread;
    Team* team = teamOf(ref);
    if (team == nullptr || (thread.state & Thread::kBusy) != 0) return;
    const Busy busy(thread);
    const std::uint64_t ticks = thread.lastTime;
    for (std::uint32_t number = 1; number < team->size; ++number) {
        Place& place = team->places[number];
        Location* location = place.ended.exchange(nullptr, std::memory_order_acquire);
        if (location == nullptr) continue;
        if (recordingIsOn.load(std::memory_order_relaxed)) {
            if (place.barrier != 0) core::emit<RecordKind::Leave>(*location, ticks, place.barrier);
            if (place.region != 0) core::emit<RecordKind::Leave>(*location, ticks, place.region);
            core::emit<RecordKind::ThreadTeamEnd>(*location, ticks, ref);
        }
        location->occupied.store(false, std::memory_order_release);
    }
}

}  // namespace holos::tracing

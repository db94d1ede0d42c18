// SPDX-License-Identifier: BSD-3-Clause
// Regions and communicators of the process: equal ones get one reference.
#include "tracing/recorder/core/definition_log.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "tracing/code/loaded/runtimes.h"
#include "tracing/recorder/core/confining.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/filtering.h"
#include "tracing/recorder/core/held_signals.h"
#include "tracing/recorder/core/keep_errno.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recorder/core/process_facts.h"
#include "tracing/recorder/core/recorded_part.h"
#include "tracing/recorder/core/storage.h"
#include "tracing/recorder/core/thread.h"

namespace holos::tracing::core {
namespace {

constexpr std::size_t kFirst = 64 * 1024;

/// The log in memory. When it grows it is mapped once more; who still writes at the old place writes to the
/// same pages, so that place stays.
std::atomic<unsigned char*> base{nullptr};
std::atomic<std::size_t> room{0};
std::atomic<std::size_t> logEnd{0};  ///< no entry that has not begun is before it
std::atomic<bool> isGrowing{false};

std::uint32_t* lengthAt(std::size_t at) noexcept {
    return reinterpret_cast<std::uint32_t*>(base.load(std::memory_order_acquire) + at);
}

std::size_t behind(std::size_t at, std::uint32_t length) noexcept {
    return at + entryBytes(length & ~kUnfinished);
}

int grow(std::size_t bytes) noexcept {
    while (isGrowing.exchange(true, std::memory_order_acquire)) ::sched_yield();
    int error = 0;
    if (room.load(std::memory_order_relaxed) < bytes) {
        const std::size_t larger = std::max(2 * room.load(), (bytes / kFirst + 1) * kFirst);
        void* memory = nullptr;
        error = storage.definitions.map(0, larger, &memory);
        if (error == 0) {
            base.store(static_cast<unsigned char*>(memory), std::memory_order_release);
            room.store(larger, std::memory_order_release);
        }
    }
    isGrowing.store(false, std::memory_order_release);
    return error;
}

void moveEnd(std::size_t to) noexcept {
    std::size_t known = logEnd.load(std::memory_order_relaxed);
    while (known < to && !logEnd.compare_exchange_weak(known, to, std::memory_order_release)) continue;
}

/// Takes the place behind the last entry by writing the length of a new one there, in one step: so a killed
/// program leaves no gap. Null on an error.
unsigned char* takePlace(std::uint32_t length) noexcept {
    for (std::size_t at = logEnd.load(std::memory_order_acquire);;) {
        const std::size_t needed = behind(at, length);
        const bool isFull = room.load(std::memory_order_acquire) < needed;
        if (isFull && !mayAskKernel()) return nullptr;
        if (const int error = isFull ? grow(needed) : 0; error != 0) {
            fail(error);
            return nullptr;
        }
        std::uint32_t other = 0;
        const bool isOurs = __atomic_compare_exchange_n(lengthAt(at), &other, length | kUnfinished, false,
                                                        __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
        const std::size_t next = isOurs ? needed : behind(at, other);
        moveEnd(next);
        if (isOurs) return base.load(std::memory_order_acquire) + at;
        at = next;
    }
}

}  // namespace

void writeEntry(unsigned char* entry, std::size_t bytes) noexcept {
    if (directory()[0] == '\0') return;
    writeClockSyncInTime();
    const HeldSignals held;  // an entry that is never finished would hide those behind it
    Thread& thread = thisThread;
    const std::uint32_t state = thread.state;
    if ((state & Thread::kBusy) == 0) thread.recorder = stackPointer();
    thread.state = state | Thread::kBusy;
    const auto length = static_cast<std::uint32_t>(bytes - sizeof(std::uint32_t));
    if (unsigned char* const place = takePlace(length); place != nullptr) {
        std::memcpy(place + sizeof length, entry + sizeof length, length);
        __atomic_store_n(reinterpret_cast<std::uint32_t*>(place), length, __ATOMIC_RELEASE);
    }
    thread.state = state;
}

void makeRoomForDefinitions() noexcept {
    const std::size_t wanted = logEnd.load(std::memory_order_acquire) + kFirst;
    if (room.load(std::memory_order_acquire) >= wanted) return;
    if (const int error = grow(wanted); error != 0) fail(error);
}

WrittenLog writtenDefinitions() noexcept {
    const std::size_t bytes = logEnd.load(std::memory_order_acquire);
    return {base.load(std::memory_order_acquire), bytes};
}

}  // namespace holos::tracing::core

namespace holos::tracing {
namespace {

using core::Busy;
using core::Definition;
using core::recordingIsOpen;
using core::thisThread;
using core::Thread;

/// Never destroyed: threads may still define regions while the program ends.
template <class Key>
class References {
  public:
    /// The reference of `key`, and whether it is new.
    std::pair<std::uint32_t, bool> of(Key key) {
        const auto [at, isNew] =
            known_.try_emplace(std::move(key), static_cast<std::uint32_t>(known_.size() + 1));
        return {at->second, isNew};
    }

  private:
    std::map<Key, std::uint32_t> known_;
};

std::mutex& definitionsMutex() {
    static auto* mutex = new std::mutex;
    return *mutex;
}

std::string_view textOf(const char* text) {
    return text != nullptr ? text : "";
}

std::string keyOf(const RegionDefinition& region, const std::string& object, std::uint64_t offset) {
    std::string key(textOf(region.name));
    key.append(1, '\0').append(textOf(region.file)).append(1, '\0').append(object);
    for (const std::uint64_t number :
         {std::uint64_t{region.beginLine}, std::uint64_t{region.endLine},
          static_cast<std::uint64_t>(region.paradigm), static_cast<std::uint64_t>(region.role), offset})
        key.append(1, '\0').append(std::to_string(number));
    return key;
}

RegionRef define(const RegionDefinition& region, const std::string& object, std::uint64_t offset) {
    static auto* regions = new References<std::string>;
    const std::lock_guard lock(definitionsMutex());
    const auto [ref, isNew] = regions->of(keyOf(region, object, offset));
    if (!isNew) return ref;
    Definition entry(object.empty() ? DefinitionKind::Region : DefinitionKind::RegionAt);
    entry.add(ref).add(region.paradigm).add(region.role).add(region.beginLine).add(region.endLine);
    entry.addText(textOf(region.name)).addText(textOf(region.file));
    if (!object.empty()) entry.addText(object).add(offset);
    entry.write();
    return ref;
}

/// False before the start and after the end, and in children. After an error things get their numbers as
/// before it: what happens to them counts as lost.
bool defines() noexcept {
    if (recordingIsOpen.load(std::memory_order_acquire)) return true;
    return !core::noteUnrecordedChild() && core::status().failure != 0;
}

/// Runs `make` unless the recorder is off or was interrupted by what calls it now; 0 then, and on any error.
template <class Make>
std::uint32_t guarded(Make make) noexcept {
    core::begin();
    Thread& thread = thisThread;
    if ((thread.state & Thread::kBusy) != 0) return 0;
    if (!defines()) return 0;
    if (!core::mayAskKernel()) return 0;
    const core::HeldSignals held;
    const Busy busy(thread);
    const core::KeepErrno keep;
    try {
        return make();
    } catch (...) {
        core::fail(ENOMEM);
        return 0;
    }
}

/// What follows the definition of a region that cannot be defined.
RegionRef loseRegion() noexcept {
    constexpr std::uint64_t kEnterAndLeave = 2;
    const bool isSilent =
        thisThread.isSilent && !thisThread.isOff && core::recordingIsOn.load(std::memory_order_relaxed);
    if (recording() || isSilent) core::countLost(kEnterAndLeave);
    return 0;
}

}  // namespace

RegionRef defineRegion(const RegionDefinition& region) noexcept {
    if (!core::mayAskKernel()) return loseRegion();
    return guarded([&] { return core::isFilteredOut(region) ? 0 : define(region, {}, 0); });
}

RegionRef defineRegionAt(const void* address, const RegionDefinition& fallback) noexcept {
    if (!core::mayAskKernel()) return loseRegion();
    return guarded([&] {
        const code::Library library = code::libraryOf(address);
        if (library.map == nullptr) return define(fallback, {}, 0);
        // As call paths name it; the program itself has no name there.
        const char* path = library.map->l_name;
        char absolute[PATH_MAX];
        if (path[0] != '/') path = ::realpath(path[0] != '\0' ? path : "/proc/self/exe", absolute);
        if (path == nullptr) return define(fallback, {}, 0);
        const auto offset = static_cast<std::uint64_t>(static_cast<const char*>(address) -
                                                       static_cast<const char*>(library.begin));
        if (fallback.paradigm == Paradigm::Compiler && core::isFilteredOut(path, offset)) return RegionRef{0};
        return define(fallback, path, offset);
    });
}

MetricRef defineMetric(const MetricDefinition& metric) noexcept {
    static auto* metrics = new References<std::string>;
    return guarded([&] {
        const std::lock_guard lock(definitionsMutex());
        const auto [ref, isNew] = metrics->of(std::string(textOf(metric.name)));
        if (isNew)
            Definition(DefinitionKind::Metric)
                .add(ref)
                .add(metric.type)
                .add(static_cast<std::uint8_t>(metric.isTotal))
                .addText(textOf(metric.name))
                .addText(textOf(metric.unit))
                .write();
        return ref;
    });
}

ParameterRef defineParameter(const char* name) noexcept {
    static auto* parameters = new References<std::string>;
    return guarded([&] {
        const std::lock_guard lock(definitionsMutex());
        const auto [ref, isNew] = parameters->of(std::string(textOf(name)));
        if (isNew) Definition(DefinitionKind::Parameter).add(ref).addText(textOf(name)).write();
        return ref;
    });
}

void throttled(RegionRef region, std::uint32_t calls, double meanNanoseconds) noexcept {
    guarded([&] {
        Definition(DefinitionKind::Throttled).add(region).add(calls).add(meanNanoseconds).write();
        return 0u;
    });
}

namespace {

void defineText(DefinitionKind kind, const char* text) noexcept {
    if (!core::mayAskKernel()) return;
    const core::KeepErrno keep;
    try {
        Definition(kind).addText(text).write();
    } catch (...) {
        core::fail(ENOMEM);
    }
}

}  // namespace

void trouble(const char* text) noexcept {
    defineText(DefinitionKind::Trouble, text);
}

void heardInterface(const char* name) noexcept {
    defineText(DefinitionKind::HeardInterface, name);
}

void nameThread(const char* name) noexcept {
    if (!recording()) return;
    guarded([&] {
        const core::Location* const location = core::locate(thisThread);
        const bool isThread = location != nullptr && location->kind == LocationKind::Thread;
        if (isThread)
            Definition(DefinitionKind::LocationName).add(location->ref).addText(textOf(name)).write();
        return 0u;
    });
}

void mpiLibrary(const char* version) noexcept {
    defineText(DefinitionKind::MpiLibrary, version);
}

namespace {

/// By the rank of a communicator's rank 0 and the number that it gave.
References<std::pair<std::uint32_t, std::uint32_t>>& commReferences() {
    static auto* comms = new References<std::pair<std::uint32_t, std::uint32_t>>;
    return *comms;
}

/// In the place of a rank: no process has that many.
constexpr std::uint32_t kDerivedFrom = 0x80000000U;

void addRanks(Definition& entry, const std::uint32_t* ranks, std::uint32_t count) {
    const std::uint32_t known = ranks != nullptr ? count : 0;
    entry.add(known);
    for (std::uint32_t i = 0; i < known; ++i) entry.add(ranks[i]);
}

}  // namespace

CommRef defineMeeting(const MeetingDefinition& meeting) noexcept {
    return guarded([&] {
        const std::lock_guard lock(definitionsMutex());
        const auto [ref, isNew] = commReferences().of({meeting.rootWorldRank, meeting.number});
        if (!isNew) return ref;
        Definition entry(DefinitionKind::Meeting);
        entry.add(ref).add(meeting.rootWorldRank).add(meeting.number).add(meeting.side).add(clockTicks());
        entry.addText(textOf(meeting.key)).add(meeting.size).add(meeting.remoteSize).add(meeting.place);
        addRanks(entry, meeting.worldRanks, meeting.size);
        entry.write();
        return ref;
    });
}

CommRef defineDerivedComm(const DerivedCommDefinition& comm) noexcept {
    return guarded([&] {
        const std::lock_guard lock(definitionsMutex());
        const auto [ref, isNew] = commReferences().of({kDerivedFrom | comm.parent, comm.count});
        if (!isNew) return ref;
        Definition entry(DefinitionKind::DerivedComm);
        entry.add(ref).add(comm.parent).add(comm.count).add(comm.root);
        entry.add(comm.size).add(comm.remoteSize).add(comm.place);
        addRanks(entry, comm.places, comm.size + comm.remoteSize);
        entry.write();
        return ref;
    });
}

CommRef defineComm(const CommDefinition& comm) noexcept {
    return guarded([&] {
        const std::lock_guard lock(definitionsMutex());
        const auto [ref, isNew] = commReferences().of({comm.rootWorldRank, comm.number});
        if (!isNew) return ref;
        Definition entry(DefinitionKind::Comm);
        entry.add(ref).add(comm.rootWorldRank).add(comm.number).addText(textOf(comm.name));
        entry.add(comm.size).add(comm.remoteSize).add(comm.place);
        addRanks(entry, comm.worldRanks, comm.size + comm.remoteSize);
        entry.write();
        return ref;
    });
}

void defineGrid(CommRef comm, const GridDimension* dimensions, std::uint32_t count) noexcept {
    if (comm == 0) return;
    guarded([&] {
        Definition entry(DefinitionKind::Grid);
        entry.add(comm).add(count);
        for (std::uint32_t i = 0; i < count; ++i)
            entry.add(dimensions[i].size).add(static_cast<std::uint8_t>(dimensions[i].isPeriodic));
        entry.write();
        return 0u;
    });
}

WinRef defineWindow(const WindowDefinition& window) noexcept {
    static auto* windows = new References<std::pair<std::uint32_t, std::uint32_t>>;
    return guarded([&] {
        const std::lock_guard lock(definitionsMutex());
        const auto [ref, isNew] = windows->of({window.rootWorldRank, window.number});
        if (isNew)
            Definition(DefinitionKind::Window)
                .add(ref)
                .add(window.rootWorldRank)
                .add(window.number)
                .add(window.comm)
                .write();
        return ref;
    });
}

GroupRef defineGroup(const std::uint32_t* worldRanks, std::uint32_t size) noexcept {
    static auto* groups = new References<std::vector<std::uint32_t>>;
    return guarded([&] {
        const std::lock_guard lock(definitionsMutex());
        const auto [ref, isNew] = groups->of({worldRanks, worldRanks + size});
        if (!isNew) return ref;
        Definition entry(DefinitionKind::Group);
        entry.add(ref).add(size);
        for (std::uint32_t i = 0; i < size; ++i) entry.add(worldRanks[i]);
        entry.write();
        return ref;
    });
}

FileRef defineFile(const char* name) noexcept {
    static auto* files = new References<std::string>;
    return guarded([&] {
        const std::lock_guard lock(definitionsMutex());
        const auto [ref, isNew] = files->of(std::string(textOf(name)));
        if (isNew) Definition(DefinitionKind::File).add(ref).addText(textOf(name)).write();
        return ref;
    });
}

HandleRef defineHandle(const HandleDefinition& handle) noexcept {
    static auto* handles = new References<std::pair<std::uint32_t, std::uint32_t>>;
    return guarded([&] {
        const std::lock_guard lock(definitionsMutex());
        const auto [ref, isNew] = handles->of({handle.comm, handle.opening});
        if (isNew)
            Definition(DefinitionKind::Handle)
                .add(ref)
                .add(handle.file)
                .add(handle.comm)
                .add(handle.opening)
                .write();
        return ref;
    });
}

void mpiWorld(const WorldDefinition& world) noexcept {
    guarded([&] {
        Definition(DefinitionKind::World).add(world.rank).add(world.size).add(world.id).write();
        return 0u;
    });
    core::rankIsKnown(world.rank);
}

void clockOffset(std::uint64_t ticks, std::int64_t offset, double standardDeviation) noexcept {
    guarded([&] {
        Definition(DefinitionKind::ClockOffset).add(ticks).add(offset).add(standardDeviation).write();
        return 0u;
    });
}

}  // namespace holos::tracing

// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/locks.h"

#include <array>

#include "tracing/recorder/core/process.h"
#include "tracing/recorder/core/recorded_part.h"
#include "tracing/recorder/core/thinning.h"
#include "tracing/recorder/core/thread.h"
#include "tracing/recordings/format/settings.h"

namespace holos::tracing {
namespace {

/// Chains that only ever grow at their head, so that they are read without a lock.
constexpr std::size_t kChains = 1U << 12;
std::array<std::atomic<Lock*>, kChains> chains;
std::atomic<std::uint32_t> made{0};

Lock* findIn(Lock* chain, const Lock* end, const void* address) {
    for (Lock* lock = chain; lock != end; lock = lock->next)
        if (lock->address == address) return lock;
    return nullptr;
}

std::atomic<Lock*>& chainOf(const void* address) noexcept {
    static_assert(kChains == std::size_t{1} << (64 - 52));
    return chains[(reinterpret_cast<std::uint64_t>(address) * 0x9E3779B97F4A7C15U) >> 52];
}

/// Of memory of their own, never freed: the program's allocator may be what uses the lock. A signal handler
/// that comes meanwhile records nothing, and needs no lock.
Lock* newLock() noexcept {
    const core::Busy busy(core::thisThread);
    constexpr std::uint32_t kBlock = 64;
    thread_local Lock* block __attribute__((tls_model("initial-exec"))) = nullptr;
    thread_local std::uint32_t left __attribute__((tls_model("initial-exec"))) = 0;
    if (left == 0) {
        block = static_cast<Lock*>(core::allocate(kBlock * sizeof(Lock)));
        if (block == nullptr) return nullptr;
        left = kBlock;
    }
    return block + --left;
}

bool isAwaited(const Lock& lock) noexcept {
    return lock.isOfCondition || lock.waiters.load(std::memory_order_relaxed) != 0 ||
           lock.isTested.load(std::memory_order_relaxed);
}

}  // namespace

Lock* lockAt(const void* address) noexcept {
    auto& chain = chainOf(address);
    Lock* head = chain.load(std::memory_order_acquire);
    if (Lock* const known = findIn(head, nullptr, address)) return known;
    Lock* const lock = newLock();
    if (lock == nullptr) return nullptr;
    new (lock) Lock{address, head};
    lock->id = made.fetch_add(1, std::memory_order_relaxed);
    while (!chain.compare_exchange_weak(head, lock, std::memory_order_acq_rel, std::memory_order_acquire)) {
        // Somebody else was quicker, perhaps with the same lock.
        if (Lock* const known = findIn(head, lock->next, address)) {
            return known;  // one piece of memory is left over
        }
        lock->next = head;
    }
    return lock;
}

Lock* knownLockAt(const void* address) noexcept {
    return findIn(chainOf(address).load(std::memory_order_acquire), nullptr, address);
}

void noteAcquired(Lock& lock, bool isNestable) noexcept {
    if (!isNestable) lock.nesting = 0;  // a release may have been missed while nothing was recorded
    if (lock.nesting++ != 0) return;
    ++lock.order;
    lock.isRecorded = false;
    lock.holder.store(static_cast<std::uint32_t>(core::thisThread.kernelId), std::memory_order_relaxed);
}

bool needsRelease(Lock& lock, Paradigm paradigm) noexcept {
    if (lock.nesting == 0) return false;
    if (lock.isRecorded) return true;
    if (!isAwaited(lock) || lock.nesting != 1) return false;
    acquireLock(paradigm, lock.id, lock.order);
    lock.isRecorded = true;
    return true;
}

/// Many threads may do so all the time: it is written once.
void noteTestedInVain(Lock* lock) noexcept {
    if (lock != nullptr && !lock->isTested.load(std::memory_order_relaxed))
        lock->isTested.store(true, std::memory_order_relaxed);
}

void noteReleased(Lock& lock) noexcept {
    if (lock.nesting != 0 && --lock.nesting == 0) lock.holder.store(0, std::memory_order_relaxed);
}

bool locksAreThinned() noexcept {
    static const bool kMayBe = core::settings().locks == core::Thinning::Thin && !core::settings().addsUp;
    return kMayBe && core::thisThread.counters == nullptr;
}

Awaited awaitedLock(const Lock& lock) noexcept {
    return awaitedLock(lock, lock.holder.load(std::memory_order_relaxed));
}

Awaited awaitedLock(const Lock& lock, std::uint32_t holder) noexcept {
    return {holder, core::locationOfThread(holder), lock.id, awaitedCode(AwaitedKind::Lock)};
}

void recordAcquired(Lock* lock, bool isNestable, Paradigm paradigm) noexcept {
    if (lock == nullptr) return;
    noteAcquired(*lock, isNestable);
    lock->isRecorded = true;
    acquireLock(paradigm, lock->id, lock->order);
}

void recordReleased(Lock* lock, Paradigm paradigm) noexcept {
    if (lock == nullptr || lock->nesting == 0) return;
    noteReleased(*lock);
    if (lock->isTested.load(std::memory_order_relaxed))
        lock->isTested.store(false, std::memory_order_relaxed);
    releaseLock(paradigm, lock->id, lock->order);
}

namespace {

using core::add;
using core::BusyOnce;
using core::Location;
using core::LockPairs;
using core::Thread;

/// The pairs of a location, where nothing was recorded behind them.
LockPairs* pairsAtEnd(Location& location) noexcept {
    LockPairs& pairs = location.lockPairs;
    const bool isEnd =
        pairs.behind != nullptr && pairs.behind == location.next && pairs.turns == core::timesTurned();
    return isEnd ? &pairs : nullptr;
}

/// The first one of those that are added to the pair before them.
bool beginRecords(Location& location, LockPairs& pairs, std::uint64_t begin, std::uint64_t now) noexcept {
    if (!location.hasRoom(2 * kPollsWords)) return false;
    std::uint64_t* const place = location.next;
    core::put<RecordKind::Polls>(location, place, begin, pairs.set, 1, now - begin, now, 0);
    core::put<RecordKind::Polls>(location, place + kPollsWords, now, pairs.unset, 0, 0, now, 0);
    pairs.records = place;
    pairs.behind = location.next;
    __atomic_store_n(&location.polls, place, __ATOMIC_RELEASE);  // for who copies them
    return true;
}

std::uint64_t* recordOfSet(const LockPairs& pairs) noexcept {
    return pairs.records;
}
std::uint64_t* recordOfUnset(const LockPairs& pairs) noexcept {
    return pairs.records + kPollsWords;
}

}  // namespace

/// The time since the last pair comes before all of them.
bool addSet(RegionRef region, PathRef path) noexcept {
    Thread& thread = core::thisThread;
    Location* const location = core::thinnedLocation(thread);
    if (location == nullptr) return false;
    const BusyOnce busy(thread);
    LockPairs* const pairs = pairsAtEnd(*location);
    if (pairs == nullptr || pairs->isHeld || pairs->set != pair(region, path)) return false;
    const std::uint64_t begin = thread.lastTime;
    const std::uint64_t now = ticksNow();
    if (pairs->records == nullptr) {
        if (!beginRecords(*location, *pairs, begin, now)) return false;
    } else {
        std::uint64_t* const set = recordOfSet(*pairs);
        add(set, kPollsNumber, 1);
        add(set, kPollsInside, now - begin);
        add(set, kPollsEnd, now - recordOfUnset(*pairs)[kPollsEnd]);
        core::set(recordOfUnset(*pairs), kPollsEnd, now);
    }
    thread.lastTime = now;
    pairs->isHeld = true;
    return true;
}

void noteSet(RegionRef region, PathRef path) noexcept {
    Location* const location = core::thisThread.location;
    if (location == nullptr) return;
    LockPairs& pairs = location->lockPairs;
    pairs = {};
    pairs.set = pair(region, path);
    pairs.behindSet = location->next;
    pairs.turns = core::timesTurned();
}

bool isNextUnset(RegionRef region, PathRef path) noexcept {
    Location* const location = core::thinnedLocation(core::thisThread);
    if (location == nullptr) return false;
    const LockPairs* const pairs = pairsAtEnd(*location);
    return pairs != nullptr && pairs->isHeld && pairs->unset == pair(region, path);
}

bool addUnset() noexcept {
    Thread& thread = core::thisThread;
    Location* const location = core::thinnedLocation(thread);
    if (location == nullptr) return false;
    const BusyOnce busy(thread);
    LockPairs* const pairs = pairsAtEnd(*location);
    if (pairs == nullptr || !pairs->isHeld) return false;
    const std::uint64_t now = ticksNow();
    std::uint64_t* const unset = recordOfUnset(*pairs);
    add(unset, kPollsNumber, 1);
    add(unset, kPollsInside, now - thread.lastTime);
    core::set(unset, kPollsEnd, now);
    thread.lastTime = now;
    pairs->isHeld = false;
    return true;
}

RecordedUnset::RecordedUnset(RegionRef region, PathRef path) noexcept : place_(pair(region, path)) {
    const Location* const location = core::thisThread.location;
    if (location == nullptr) return;
    const LockPairs& pairs = location->lockPairs;
    if (pairs.behindSet == location->next && pairs.turns == core::timesTurned()) behindSet_ = pairs.behindSet;
}

/// What a signal handler recorded meanwhile lies between the two.
RecordedUnset::~RecordedUnset() {
    Location* const location = core::thisThread.location;
    if (behindSet_ == nullptr || location == nullptr) return;
    constexpr std::size_t kWords = recordWords(RecordKind::Enter, 0) + recordWords(RecordKind::Leave, 0);
    constexpr std::size_t kWithRelease = kWords + recordWords(RecordKind::ReleaseLock, 0);
    LockPairs& pairs = location->lockPairs;
    if (location->next != behindSet_ + kWords && location->next != behindSet_ + kWithRelease) return;
    pairs.unset = place_;
    pairs.behind = location->next;
}

namespace {

using core::Sections;
using core::set;

std::uint64_t placeOf(const Section& section) noexcept {
    return pair(section.region, section.path);
}
std::uint64_t blockOf(const Section& section) noexcept {
    return section.block != 0 ? pair(section.block, section.path) : 0;
}

/// The sections of a location, where nothing was recorded behind them.
Sections* sectionsAtEnd(Location& location) noexcept {
    Sections& sections = location.sections;
    const bool isEnd = sections.behind != nullptr && sections.behind == location.next &&
                       sections.turns == core::timesTurned();
    return isEnd ? &sections : nullptr;
}

/// The first one of those that are added to the section before them.
bool beginRecord(Location& location, Sections& sections, std::uint64_t begin, std::uint64_t now) noexcept {
    if (!location.hasRoom(kSectionsWords)) return false;
    std::uint64_t* const place = location.next;
    core::put<RecordKind::Sections>(location, place, begin, sections.region, sections.block, 0, 0, 0, 0,
                                    begin, begin, now);
    sections.record = place;
    sections.behind = location.next;
    __atomic_store_n(&location.polls, place, __ATOMIC_RELEASE);  // for who copies it
    return true;
}

/// The record of the section that the thread is in; null where it is in none that was opened.
std::uint64_t* openRecord(Location& location) noexcept {
    const Sections* const sections = sectionsAtEnd(location);
    if (sections == nullptr || sections->record == nullptr) return nullptr;
    return sections->record[kSectionsOpen] != 0 ? sections->record : nullptr;
}

}  // namespace

bool openSection(const Section& section) noexcept {
    Thread& thread = core::thisThread;
    Location* const location = core::thinnedLocation(thread);
    if (location == nullptr) return false;
    const BusyOnce busy(thread);
    Sections* const sections = sectionsAtEnd(*location);
    if (sections == nullptr || sections->region != placeOf(section) || sections->block != blockOf(section))
        return false;
    if (openRecord(*location) != nullptr) return false;  // its end was not recorded
    const std::uint64_t begin = thread.lastTime;
    const std::uint64_t now = ticksNow();
    if (sections->record == nullptr) {
        if (!beginRecord(*location, *sections, begin, now)) return false;
    } else {
        set(sections->record, kSectionsOpenBlock, now);
        set(sections->record, kSectionsOpen, begin);
    }
    thread.lastTime = now;
    return true;
}

bool isSectionOpen() noexcept {
    Location* const location = core::thinnedLocation(core::thisThread);
    return location != nullptr && openRecord(*location) != nullptr;
}

bool closeSection() noexcept {
    Thread& thread = core::thisThread;
    Location* const location = core::thinnedLocation(thread);
    if (location == nullptr) return false;
    const BusyOnce busy(thread);
    std::uint64_t* const record = openRecord(*location);
    if (record == nullptr) return false;
    const std::uint64_t begin = record[kSectionsOpen];
    const std::uint64_t blockBegin = record[kSectionsOpenBlock];
    const std::uint64_t now = ticksNow();
    set(record, kSectionsOpen, 0);
    add(record, kSectionsNumber, 1);
    add(record, kSectionsEntering, blockBegin - begin);
    add(record, kSectionsInside, thread.lastTime - blockBegin);
    add(record, kSectionsLeaving, now - thread.lastTime);
    set(record, kSectionsEnd, now);
    thread.lastTime = now;
    return true;
}

/// What a signal handler recorded meanwhile lies between sections.
void leaveSection(const Section& section) noexcept {
    const Thread& thread = core::thisThread;
    const Location* const before = thread.location;
    const std::uint64_t* const place = before != nullptr ? before->next : nullptr;
    leave(section.region);
    Location* const location = core::thinnedLocation(thread);
    if (!locksAreThinned() || location == nullptr || location != before) return;
    if (location->next != place + recordWords(RecordKind::Leave, 0)) return;
    location->sections = {nullptr, location->next, placeOf(section), blockOf(section), core::timesTurned()};
}

namespace {

/// Whatever else is or was at an address: user space ends far below.
const void* keyOf(const void* address, WaitPlace kind) noexcept {
    constexpr unsigned kFirstFree = 60;
    const auto bits = reinterpret_cast<std::uint64_t>(address) | static_cast<std::uint64_t>(kind)
                                                                     << kFirstFree;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a key, at which nothing is read
    return reinterpret_cast<const void*>(bits);
}

}  // namespace

Lock* waitPlaceAt(const void* address, WaitPlace kind) noexcept {
    return lockAt(keyOf(address, kind));
}

Lock* knownWaitPlaceAt(const void* address, WaitPlace kind) noexcept {
    return knownLockAt(keyOf(address, kind));
}

Lock* awaitedPlaceAt(const void* address, WaitPlace kind) noexcept {
    Lock* const place = knownWaitPlaceAt(address, kind);
    return place != nullptr && place->waiters.load(std::memory_order_relaxed) != 0 ? place : nullptr;
}

void recordWake(Lock& place) noexcept {
    releaseLock(Paradigm::System, place.id, place.steps.fetch_add(1, std::memory_order_relaxed) + 1);
}

std::uint32_t wokenOrder(const Lock& place) noexcept {
    return place.steps.load(std::memory_order_relaxed) + 1;
}

void recordWoken(const Lock& place) noexcept {
    acquireLock(Paradigm::System, place.id, wokenOrder(place));
}

Turn recordTurn(Lock& place) noexcept {
    const Turn turn{place.id, place.steps.fetch_add(1, std::memory_order_relaxed) + 1};
    acquireLock(Paradigm::System, turn.place, turn.number);
    return turn;
}

void recordEnd(Turn turn) noexcept {
    if (turn.number != 0) releaseLock(Paradigm::System, turn.place, turn.number);
}

void beginBarrier(Lock& barrier, std::uint32_t members) noexcept {
    barrier.firstStep.store(barrier.steps.load(std::memory_order_relaxed), std::memory_order_relaxed);
    barrier.members.store(members, std::memory_order_relaxed);
}

Arrival::Arrival(Lock* barrier) noexcept : barrier_(barrier) {
    const std::uint32_t members = barrier != nullptr ? barrier->members.load(std::memory_order_relaxed) : 0;
    if (members == 0) {
        barrier_ = nullptr;
        return;
    }
    own_ = barrier->steps.fetch_add(1, std::memory_order_relaxed) + 1;
    const std::uint32_t before = own_ - 1 - barrier->firstStep.load(std::memory_order_relaxed);
    last_ = own_ - before % members + members - 1;
}

void Arrival::record() const noexcept {
    if (barrier_ != nullptr) releaseLock(Paradigm::System, barrier_->id, own_);
}

void Arrival::recordEnd() const noexcept {
    if (barrier_ != nullptr) acquireLock(Paradigm::System, barrier_->id, last_ + 1);
}

}  // namespace holos::tracing

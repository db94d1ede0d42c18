// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/lock_pairs.h"

#include "tracing/recorder/core/recorded_part.h"
#include "tracing/recorder/core/thinning.h"

namespace holos::tracing {
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

}  // namespace holos::tracing

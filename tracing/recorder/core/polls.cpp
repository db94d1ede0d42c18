// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/polls.h"

#include "tracing/recorder/core/call_paths.h"
#include "tracing/recorder/core/recorded_part.h"
#include "tracing/recorder/core/thinning.h"
#include "tracing/recordings/format/settings.h"

namespace holos::tracing {
namespace {

using core::BusyOnce;
using core::Location;
using core::mayRecord;
using core::set;
using core::Thread;

/// One more that is over.
void addClosed(std::uint64_t* record, std::uint64_t begin, std::uint64_t now) noexcept {
    set(record, kPollsNumber, record[kPollsNumber] + 1);
    set(record, kPollsInside, record[kPollsInside] + (now - begin));
    set(record, kPollsEnd, now);
}

/// The location of the thread, where polls of that place may follow each other. Not a signal handler's, which
/// may come before this is used: the caller is busy.
Location* locationOfPolls(const Thread& thread, Poll poll) noexcept {
    Location* const location = thread.location;
    if (location == nullptr || thread.counters != nullptr || location->behindPoll == nullptr) return nullptr;
    const bool isNext = location->behindPoll == location->next && location->pollsPlace == poll &&
                        location->pollsTurns == core::timesTurned();
    return isNext ? location : nullptr;
}

/// Where polls of one place follow each other directly: calls `goOn(record, now)` with the record of those
/// before, or `begin(location, place, now)` to make one behind the first poll. False where no poll of this
/// place was directly before.
template <class GoOn, class Begin>
bool behindOthers(Thread& thread, Poll poll, const GoOn& goOn, const Begin& begin) noexcept {
    if (!mayRecord(thread)) return false;
    const BusyOnce busy(thread);
    Location* const location = locationOfPolls(thread, poll);
    if (location == nullptr) return false;
    if (location->polls == nullptr && !location->hasRoom(kPollsWords)) return false;
    const std::uint64_t now = ticksNow();
    thread.lastTime = now;
    if (location->polls != nullptr) {
        goOn(location->polls, now);
        return true;
    }
    std::uint64_t* const place = location->next;
    begin(*location, place, now);
    location->behindPoll = location->next;
    __atomic_store_n(&location->polls, place, __ATOMIC_RELEASE);
    return true;
}

/// Enters the poll in the record of those before, or in a new one behind the first. False where none was
/// directly before.
bool enterBehindOthers(Thread& thread, Poll poll) noexcept {
    return behindOthers(
        thread, poll, [](std::uint64_t* record, std::uint64_t now) { set(record, kPollsOpen, now); },
        [&](Location& location, std::uint64_t* place, std::uint64_t now) {
            core::put<RecordKind::Polls>(location, place, now, poll, 0, 0, now, now);
        });
}

/// Adds a poll since `begin` to the record of those before, or to a new one behind the first. False where
/// none was directly before.
bool addBehindOthers(Thread& thread, Poll poll, std::uint64_t begin) noexcept {
    return behindOthers(
        thread, poll, [&](std::uint64_t* record, std::uint64_t now) { addClosed(record, begin, now); },
        [&](Location& location, std::uint64_t* place, std::uint64_t now) {
            core::put<RecordKind::Polls>(location, place, begin, poll, 1, now - begin, now, 0);
        });
}

Poll enterOne(RegionRef region, PathRef path) noexcept {
    if (region == 0) return 0;
    const Poll poll = pair(region, path);
    return enterBehindOthers(core::thisThread, poll) || core::record<RecordKind::Enter>(poll) ? poll : 0;
}

/// For good. What is added up is added up each time.
bool areThinned() noexcept {
    static const bool kThinned = core::settings().polls == core::Thinning::Thin && !core::eventsAreAdded();
    return kThinned;
}

}  // namespace

Poll enterPollFrom(RegionRef region, const void* frame) noexcept {
    return enterOne(region, stacks::callPathFrom(frame));
}

bool addPoll(Poll poll) noexcept {
    Thread& thread = core::thisThread;
    if (!mayRecord(thread)) return false;
    const BusyOnce busy(thread);
    const Location* const location = locationOfPolls(thread, poll);
    if (location == nullptr || location->polls == nullptr) return false;
    std::uint64_t* const record = location->polls;
    const std::uint64_t begin = record[kPollsOpen];
    if (begin == 0) return false;
    const std::uint64_t now = ticksNow();
    thread.lastTime = now;
    set(record, kPollsOpen, 0);
    addClosed(record, begin, now);
    return true;
}

/// What a signal handler recorded between the two lies between polls.
void leaveInVain(Poll poll) noexcept {
    Thread& thread = core::thisThread;
    const Location* const before = thread.location;
    const std::uint64_t* const place = before != nullptr ? before->next : nullptr;
    leaveAtMark(lowHalf(poll));
    Location* const location = thread.location;
    if (!areThinned() || location == nullptr || location != before || !mayRecord(thread)) return;
    const BusyOnce busy(thread);
    if (location->next != place + recordWords(RecordKind::Leave, 0)) return;
    location->pollsPlace = poll;
    location->pollsTurns = core::timesTurned();
    location->behindPoll = location->next;
    __atomic_store_n(&location->polls, nullptr, __ATOMIC_RELEASE);
}

bool passedInVain(RegionRef region, PathRef path) noexcept {
    if (region == 0) return false;
    const Poll poll = pair(region, path);
    if (addBehindOthers(core::thisThread, poll, core::thisThread.lastTime)) return true;
    enterAtMark(region, path);
    markTime();
    leaveInVain(poll);
    return false;
}

}  // namespace holos::tracing

// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/watch/followed_process.h"
#include "tracing/recordings/archive/process/recorded_process.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "base/input_file.h"
#include "tracing/recordings/archive/folder/living.h"
#include "tracing/recordings/archive/run/host_clocks.h"
#include "tracing/recordings/watch/kernel_threads.h"

namespace holos::watch {

using tracing::RecordKind;

namespace {

constexpr std::uint64_t kTicksInHeader = (std::uint64_t{1} << 56) - 1;

/// Empty where the file cannot be read, shorter at its end.
std::vector<unsigned char> readBytes(const std::filesystem::path& path, std::uint64_t offset,
                                     std::size_t most) {
    std::vector<unsigned char> bytes(most);
    const Descriptor file = openRegular(path);
    bytes.resize(file ? readAt(file, bytes.data(), bytes.size(), offset) : 0);
    return bytes;
}

struct CompleteEntries {
    std::size_t bytes = 0;  ///< up to the next one, which may begin behind the end
    bool areAll = false;    ///< no other one is behind them, or it is still being written
};

/// The entries that are complete, from the first one on. `takesAll`: those behind one that is not, too.
CompleteEntries completeEntries(const std::vector<unsigned char>& bytes, bool takesAll) {
    std::size_t at = 0;
    for (std::uint32_t length = 0; at + sizeof length <= bytes.size();) {
        std::memcpy(&length, bytes.data() + at, sizeof length);
        if (length == 0 || ((length & tracing::kUnfinished) != 0 && !takesAll)) return {at, true};
        length &= ~tracing::kUnfinished;
        if (length > bytes.size() - at - sizeof length) break;
        at += tracing::entryBytes(length);
    }
    return {at, false};
}

/// Ticks of what a thread did last with its regions.
std::uint64_t beginOf(const ThreadActivity& activity) {
    const auto& open = activity.open();
    const auto& left = activity.left();
    if (activity.polling()) return activity.polling()->ticks;
    if (!activity.openInSections().empty()) return activity.openInSections().back().ticks;
    const std::uint64_t entered = open.empty() ? 0 : open.back().ticks;
    if (left && left->ticks >= entered) return left->ticks;
    return open.empty() ? activity.last().value_or(0) : entered;
}

/// With the time that a note of it has; of polls, what the first one did.
std::optional<OpenRegion> awaitingCall(const ThreadActivity& activity) {
    if (activity.polling())
        return activity.left() && activity.left()->region == activity.polling()->region ? activity.left()
                                                                                        : std::nullopt;
    return activity.open().empty() ? std::nullopt : std::optional(activity.open().back());
}

template <class Numbers>
void add(Numbers& sum, const Numbers& more) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += more[i];
}

Shares sharesOf(const ThreadActivity::Ticks& times) {
    Shares shares{};
    double all = 0;
    for (const std::uint64_t one : times) all += static_cast<double>(one);
    for (std::size_t i = 0; i < kActivities && all > 0; ++i) shares[i] = static_cast<double>(times[i]) / all;
    return shares;
}

/// What was told later, of a time that had been counted as another activity, never makes a time negative.
ThreadActivity::Ticks since(const ThreadActivity::Ticks& now, const ThreadActivity::Ticks& before) {
    ThreadActivity::Ticks difference{};
    for (std::size_t i = 0; i < kActivities; ++i) difference[i] = now[i] > before[i] ? now[i] - before[i] : 0;
    return difference;
}

/// Computation that was sleep.
ThreadActivity::Ticks timesWithSleep(ThreadActivity::Ticks times, std::uint64_t slept) {
    auto& computation = times[static_cast<std::size_t>(Activity::Computation)];
    const std::uint64_t part = std::min(computation, slept);
    computation -= part;
    times[static_cast<std::size_t>(Activity::Waiting)] += part;
    return times;
}

}  // namespace

FollowedProcess::FollowedProcess(std::filesystem::path folder, std::size_t number, bool overwrites)
    : folder_(std::move(folder)), events_(folder_ / "events", overwrites) {
    definitions_.directory = folder_;
    definitions_.events = folder_ / "events";
    seen_.number = number;
    seen_.overwrites = overwrites;
}

const ThreadActivity* FollowedProcess::activity(std::uint32_t location) const {
    const auto found = locations_.find(location);
    return found != locations_.end() ? &found->second.activity : nullptr;
}

std::optional<std::uint32_t> FollowedProcess::locationOf(std::uint32_t kernelThread) const {
    for (const auto& note : notes_)
        if (tracing::highHalf(note.thread) == kernelThread && tracing::lowHalf(note.thread) != 0)
            return tracing::lowHalf(note.thread) - 1;
    if (kernelThread != definitions_.pid) return std::nullopt;
    for (const auto& [number, location] : definitions_.locations)
        if (location.kind == tracing::LocationKind::Main) return number;
    return std::nullopt;
}

/// The status first: it says last that there is no more.
void FollowedProcess::look(const Look& now) {
    if (isDone_) return see(now);
    meanwhile_ = now.meanwhile;
    judgeLife();
    readStatus();
    readDefinitions();
    const std::uint64_t end =
        status_.eventBytes != 0 ? status_.eventBytes : std::numeric_limits<std::uint64_t>::max();
    if (!definitions_.syncs.empty()) events_.read(end, definitions_.syncs.front().ticks, *this);
    readTables();
    listen(now);
    isDone_ = seen_.life == Life::Ended || seen_.life == Life::Crashed;
    if (isDone_) readDefinitions();
    see(now);
}

/// What they refer to was defined before; it is read after them.
void FollowedProcess::readTables() {
    if (events_.tables().empty()) return;
    std::map<std::uint32_t, archive::ProfileCells> cells;
    for (const auto& [location, chunks] : events_.tables())
        cells[location] =
            archive::readProfileCells(definitions_.events, chunks, definitions_.counters.size());
    readDefinitions();
    areSumsDamaged_ = false;
    for (const auto& [location, ofOne] : cells) {
        areSumsDamaged_ |= ofOne.isDamaged;
        const auto known = definitions_.locations.find(location);
        const bool isPlace =
            known != definitions_.locations.end() && known->second.kind == tracing::LocationKind::Place;
        const auto sums = addedUp(ofOne, definitions_, regions_, isPlace);
        if (!sums) continue;
        followed(location).activity.show(*sums);
        if (sums->last > newest_) ++records_;
        newest_ = std::max(newest_, sums->last);
    }
}

void FollowedProcess::readStatus() {
    constexpr std::size_t kFew = tracing::kFirstNote + 3 * sizeof(tracing::WaitingNote);
    auto bytes = readBytes(folder_ / "status", 0, kFew);
    if (bytes.size() < sizeof status_) return;
    std::memcpy(&status_, bytes.data(), sizeof status_);
    if (status_.waitingNotes * sizeof(tracing::WaitingNote) + tracing::kFirstNote > bytes.size())
        bytes = readBytes(folder_ / "status", 0, tracing::kStatusBytes);
    const std::size_t there = bytes.size() > tracing::kFirstNote
                                  ? (bytes.size() - tracing::kFirstNote) / sizeof(tracing::WaitingNote)
                                  : 0;
    notes_.resize(std::min<std::size_t>({status_.waitingNotes, there, tracing::kMostNotes}));
    if (!notes_.empty())
        std::memcpy(notes_.data(), bytes.data() + tracing::kFirstNote,
                    notes_.size() * sizeof(tracing::WaitingNote));
}

void FollowedProcess::readDefinitions() {
    constexpr std::size_t kFirst = 512;
    constexpr std::size_t kMost = std::size_t{1} << 26;  // no entry is larger
    for (std::size_t wanted = kFirst; wanted <= kMost; wanted *= 8) {
        auto bytes = readBytes(folder_ / "definitions", definitionBytes_, wanted);
        const bool isFilesEnd = bytes.size() < wanted;
        const CompleteEntries complete = completeEntries(bytes, isDone_);
        bytes.resize(std::min(bytes.size(), complete.bytes));
        if (!bytes.empty()) archive::parseDefinitions(bytes, definitions_);
        definitionBytes_ += complete.bytes;
        if (complete.areAll || isFilesEnd) break;
        if (!bytes.empty()) wanted = kFirst;
    }
    regions_.update(definitions_);
}

std::size_t FollowedProcess::countersOf(std::uint32_t location) {
    auto known = definitions_.locations.find(location);
    if (known == definitions_.locations.end()) {
        readDefinitions();
        known = definitions_.locations.find(location);
    }
    const bool isSamples =
        known != definitions_.locations.end() && known->second.kind == tracing::LocationKind::Samples;
    return isSamples ? definitions_.sampled.size() : definitions_.counters.size();
}

FollowedProcess::Followed& FollowedProcess::followed(std::uint32_t location) {
    if (const auto found = locations_.find(location); found != locations_.end()) return found->second;
    const auto known = definitions_.locations.find(location);
    const bool isKnown = known != definitions_.locations.end();
    const bool isPlace = isKnown && known->second.kind == tracing::LocationKind::Place;
    Followed& made = locations_.emplace(location, Followed{ThreadActivity(regions_, isPlace)}).first->second;
    const bool isMain = isKnown && known->second.kind == tracing::LocationKind::Main;
    if (isMain && !definitions_.syncs.empty()) made.activity.begin(definitions_.syncs.front().ticks);
    return made;
}

/// Definitions were written before what refers to them, but perhaps after they were read.
void FollowedProcess::know(const archive::Record& record) {
    const bool hasBlock = record.kind == RecordKind::Sections && record.words[1] != 0;
    const bool hasRegion = record.kind == RecordKind::Enter || tracing::mayChange(record.kind);
    if ((hasRegion && !regions_.knows(tracing::lowHalf(record.words[0]))) ||
        (hasBlock && !regions_.knows(tracing::lowHalf(record.words[1]))))
        readDefinitions();
}

void FollowedProcess::take(std::uint32_t location, const archive::Record& record) {
    know(record);
    followed(location).activity.take(record);
    newest_ = std::max(newest_, record.ticks);
    ++records_;
}

void FollowedProcess::takeUnfinished(std::uint32_t location, const Unfinished& records) {
    know(records.first);
    if (records.second) know(*records.second);
    ThreadActivity& activity = followed(location).activity;
    activity.takeUnfinished(records);
    newest_ = std::max(newest_, activity.newest());
}

void FollowedProcess::missed(std::uint32_t location) {
    followed(location).activity.forget();
    seen_.isLate = true;
}

bool FollowedProcess::isHere(const Look& now) const {
    return !now.boot.empty() && definitions_.boot == now.boot && definitions_.clock == now.clock;
}

/// Of another machine only its newest event is known; of a process that ended, its end.
std::uint64_t FollowedProcess::ticksAt(const Look& now) const {
    if (seen_.life == Life::Ended && status_.ended != 0 && !definitions_.syncs.empty())
        return std::max(newest_, definitions_.syncs.back().ticks);
    const bool goesOn = seen_.life == Life::Living || seen_.life == Life::Unknown;
    return goesOn && isHere(now) ? std::max(newest_, now.here.ticks) : newest_;
}

void FollowedProcess::judgeLife() {
    const archive::Life life = archive::lifeOfRecorded(folder_);
    seen_.silentFor.reset();
    if (life == archive::Life::Living) {
        seen_.life = Life::Living;
    } else if (life == archive::Life::Ended) {
        const auto bytes = readBytes(folder_ / "status", 0, sizeof status_);
        if (bytes.size() == sizeof status_) std::memcpy(&status_, bytes.data(), sizeof status_);
        seen_.life = status_.ended != 0 || isReplaced_ ? Life::Ended : Life::Crashed;
    } else {
        seen_.life = Life::Unknown;
    }
}

/// Where locks do not say whether it lives, what it writes does.
void FollowedProcess::listen(const Look& now) {
    constexpr double kSoon = 3;  // seconds between two signs, with the time that they are on their way
    const bool isNew = records_ != recordsBefore_ || status_.beats != beats_;
    recordsBefore_ = records_;
    beats_ = status_.beats;
    if (isNew && now.interval > 0) changed_ = now.seconds;
    if (seen_.life != Life::Unknown || !changed_) return;
    seen_.silentFor = now.seconds - *changed_;
    if (*seen_.silentFor <= kSoon) seen_.life = Life::Living;
}

double FollowedProcess::rateOf(std::uint64_t now, std::uint64_t before, double interval) const {
    return interval > 0 && now > before ? static_cast<double>(now - before) / interval : 0;
}

void FollowedProcess::showRank(bool isShown) {
    seen_.rank = isShown && definitions_.world ? std::optional(definitions_.world->rank) : std::nullopt;
}

/// Of one that copies its events, the status is older than its end, where it did not come to that.
std::optional<std::uint64_t> FollowedProcess::lostEvents() const {
    const bool isOver = seen_.life == Life::Crashed || status_.failure != 0;
    if (archive::isOlderThanTheEnd(status_) && isOver) return std::nullopt;
    return status_.lostEvents;
}

void FollowedProcess::see(const Look& now) {
    const Amounts before = seen_.amounts;
    const std::uint64_t recordedBefore = seen_.recorded;
    const std::uint64_t ticks = ticksAt(now);
    if (definitions_.world) seen_.rank = definitions_.world->rank;
    seen_.pid = definitions_.pid;
    seen_.host = definitions_.host;
    seen_.program = definitions_.executable;
    seen_.isElsewhere = !isHere(now);
    seen_.lostEvents = lostEvents();
    seen_.failure = status_.failure;
    seen_.damage = definitions_.damage;
    if (seen_.damage.empty() && events_.isDamaged()) seen_.damage = "a part of its events cannot be read";
    if (seen_.damage.empty() && areSumsDamaged_) seen_.damage = "a part of its sums cannot be read";
    seen_.threads.clear();
    seen_.amounts = {};
    ThreadActivity::Ticks interval{};
    ThreadActivity::Ticks total{};
    pid_ = seen_.life == Life::Living && isHere(now) ? pidHere(folder_) : std::nullopt;
    for (auto& [location, one] : locations_) {
        const auto known = definitions_.locations.find(location);
        if (known != definitions_.locations.end() && known->second.kind == tracing::LocationKind::Samples)
            continue;
        askKernel(location, one, now, ticks);
        const ThreadActivity::Ticks times = timesWithSleep(one.activity.timesAt(ticks), one.slept);
        add(total, times);
        add(interval, since(times, one.before));
        seen_.threads.push_back(seeThread(location, one, now, ticks));
        one.before = times;
        const Amounts amounts = one.activity.amounts();
        one.eventsBefore = amounts.events;
        seen_.amounts.events += amounts.events;
        seen_.amounts.messages += amounts.messages;
        seen_.amounts.bytes += amounts.bytes;
    }
    seen_.interval = sharesOf(interval);
    seen_.total = sharesOf(total);
    seen_.recorded = events_.bytes();
    seen_.eventRate = rateOf(seen_.amounts.events, before.events, now.interval);
    seen_.messageRate = rateOf(seen_.amounts.messages, before.messages, now.interval);
    seen_.messageBytes = rateOf(seen_.amounts.bytes, before.bytes, now.interval);
    seen_.growth = rateOf(seen_.recorded, recordedBefore, now.interval);
    seeCounters(now.interval);
}

SeenThread FollowedProcess::seeThread(std::uint32_t location, Followed& one, const Look& now,
                                      std::uint64_t ticks) {
    SeenThread thread;
    thread.location = location;
    const auto known = definitions_.locations.find(location);
    if (known != definitions_.locations.end()) thread.name = known->second.name;
    thread.open = one.activity.open();
    if (one.activity.polling()) thread.open.push_back(*one.activity.polling());
    for (const OpenRegion& region : one.activity.openInSections()) thread.open.push_back(region);
    const auto& left = one.activity.left();
    if (left && (thread.open.empty() || left->ticks >= thread.open.back().ticks)) thread.left = left;
    thread.mayHaveMore = one.activity.mayHaveMore();
    thread.hasEnded = one.activity.hasEnded();
    thread.now = one.activity.now();
    const std::uint64_t begin = beginOf(one.activity);
    thread.stays = begin == one.seenTicks && now.interval > 0;
    if (!thread.stays) {
        one.seenTicks = begin;
        one.seenSince = now.seconds;
    }
    thread.since = sinceOf(one, now, ticks);
    const bool isAsleep = one.sleeps && thread.stays;
    if (isAsleep) thread.now = Activity::Waiting;
    const ThreadActivity::Ticks times = timesWithSleep(one.activity.timesAt(ticks), one.slept);
    thread.total = sharesOf(times);
    thread.interval = sharesOf(since(times, one.before));
    thread.amounts = one.activity.amounts();
    thread.eventRate = rateOf(thread.amounts.events, one.eventsBefore, now.interval);
    thread.awaits = awaitedBy(location, one.activity);
    thread.sleeps = isAsleep && !thread.awaits;
    return thread;
}

/// By this machine's clocks where the ticks are of one of them; else since the look that first found it.
Duration FollowedProcess::sinceOf(const Followed& one, const Look& now, std::uint64_t ticks) const {
    if (seen_.isElsewhere || definitions_.syncs.empty()) return {now.seconds - one.seenSince, true};
    return {static_cast<double>(nanosecondsBetween(one.seenTicks, ticks, now)) * 1e-9, false};
}

/// 0 where the first comes after the second.
std::int64_t FollowedProcess::nanosecondsBetween(std::uint64_t from, std::uint64_t to,
                                                 const Look& now) const {
    std::vector<tracing::ClockSync> syncs = definitions_.syncs;
    syncs.push_back(now.here);
    const archive::HostClock clock(syncs);
    return std::max<std::int64_t>(clock.nanoseconds(to) - clock.nanoseconds(from), 0);
}

/// The first thread has that of its process; of others it is known once they have waited.
std::optional<std::uint64_t> FollowedProcess::kernelNumberOf(std::uint32_t location) const {
    const auto known = definitions_.locations.find(location);
    if (known != definitions_.locations.end() && known->second.kind == tracing::LocationKind::Main)
        return pid_;
    for (const auto& note : notes_)
        if (tracing::lowHalf(note.thread) == location + 1) return tracing::highHalf(note.thread);
    return std::nullopt;
}

/// Since the look before, or its newest event where that came later, a thread has computed for at most as
/// long as it was ready to. Before the first look that is as long as since its start.
void FollowedProcess::askKernel(std::uint32_t location, Followed& one, const Look& now,
                                std::uint64_t ticks) const {
    constexpr double kHardly = 0.05;  // of the time between two looks
    const std::uint64_t newest = one.activity.newest();
    const bool isSame = newest == one.newest;
    const std::uint64_t from = isSame ? std::max(newest, one.askedAt) : newest;
    if (!isSame) one.slept = 0;
    one.sleeps = false;
    one.newest = newest;
    one.askedAt = ticks;
    const auto number = pid_ && !definitions_.syncs.empty() ? kernelNumberOf(location) : std::nullopt;
    const auto kernel = number ? kernelThread(*pid_, *number) : std::nullopt;
    if (!kernel) return;
    const auto ready = static_cast<double>(kernel->ready - std::min(kernel->ready, one.ready));
    one.ready = kernel->ready;
    if (!kernel->sleeps || one.activity.now() != Activity::Computation || ticks <= from) return;
    const auto passed = static_cast<double>(nanosecondsBetween(from, ticks, now));
    one.sleeps = ready <= kHardly * passed;
    if (passed > ready)
        one.slept += static_cast<std::uint64_t>(static_cast<double>(ticks - from) * (1 - ready / passed));
}

std::optional<Awaited> FollowedProcess::awaitedBy(std::uint32_t location,
                                                  const ThreadActivity& activity) const {
    const auto call = awaitingCall(activity);
    if (!call) return std::nullopt;
    Awaited awaited;
    if (!activity.polling() && activity.lastSentAt() == call->ticks && call->activity == Activity::Mpi) {
        const MessageKey& sent = activity.lastSent();
        awaited.things.push_back(
            {sent.peer, sent.comm, sent.tag, static_cast<std::uint8_t>(tracing::AwaitedKind::Send), 0});
        awaited.count = 1;
    }
    for (const auto& note : notes_) {
        const bool isIts = tracing::lowHalf(note.thread) == location + 1 && note.since != 0 &&
                           (note.since & kTicksInHeader) == (call->ticks & kTicksInHeader);
        if (!isIts) continue;
        const std::uint32_t count = tracing::lowHalf(note.count);
        awaited.oneIsEnough = tracing::highHalf(note.count) != 0;
        awaited.count += count;
        for (std::size_t i = 0; i < std::min<std::size_t>(count, std::size(note.things)); ++i) {
            const std::uint32_t code = tracing::highHalf(note.things[i].what);
            if (code == 0) break;
            awaited.things.push_back(
                {tracing::lowHalf(note.things[i].whom), tracing::highHalf(note.things[i].whom),
                 tracing::lowHalf(note.things[i].what), static_cast<std::uint8_t>(code), code >> 8});
        }
        break;
    }
    return awaited.count != 0 ? std::optional(std::move(awaited)) : std::nullopt;
}

/// Of threads added up, of the process and its node as they are.
void FollowedProcess::seeCounters(double interval) {
    const auto before = std::exchange(seen_.counters, {});
    const auto put = [&](const std::vector<archive::RecordedCounter>& defined, bool isSampled) {
        for (std::size_t i = 0; i < defined.size(); ++i) {
            SeenCounter counter{defined[i].name, defined[i].unit,
                                defined[i].mode == counters::Mode::Accumulated, 0, 0};
            for (const auto& [location, one] : locations_) {
                const auto known = definitions_.locations.find(location);
                const bool isSamples = known != definitions_.locations.end() &&
                                       known->second.kind == tracing::LocationKind::Samples;
                const auto& values = one.activity.counters();
                if (isSamples == isSampled && i < values.size())
                    counter.value += defined[i].number(values[i]);
            }
            const std::size_t number = seen_.counters.size();
            if (number < before.size() && interval > 0)
                counter.rate = (counter.value - before[number].value) / interval;
            seen_.counters.push_back(std::move(counter));
        }
    };
    put(definitions_.counters, false);
    put(definitions_.sampled, true);
}

}  // namespace holos::watch

// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/core/counting.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <ctime>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "tracing/counters/selection.h"
#include "tracing/recorder/core/definition_log.h"
#include "tracing/recorder/core/environment.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/floating_point.h"
#include "tracing/recorder/core/helper_thread.h"
#include "tracing/recorder/core/keep_errno.h"
#include "tracing/recorder/core/process_facts.h"
#include "tracing/recorder/core/recorded_part.h"
#include "tracing/recorder/core/thread.h"
#include "tracing/recorder/interpose/confinement.h"
#include "tracing/recorder/interpose/next_function.h"
#include "tracing/recordings/format/settings.h"

namespace holos::tracing::core {
namespace {

static_assert(counters::kMostCounters == kMostCounters);

/// Never destroyed: threads may still start while the program ends.
counters::Selection* selection = nullptr;
std::size_t count = 0;
std::uint64_t states = 0;  // by counter a bit
std::uint64_t reals = 0;   // by counter a bit: its values are the bits of a double
bool compensated = false;  // for what reading the counters counts
bool inTurns = false;      // more of them than can be counted at once

void choose(const std::string& names) {
    auto chosen = std::make_unique<counters::Selection>(counters::splitNames(names), inTurns);
    std::uint32_t index = 0;
    for (const auto& counter : chosen->counters()) {
        if (counter.mode == counters::Mode::Absolute) states |= std::uint64_t{1} << index;
        if (counter.values == counters::Values::Real) reals |= std::uint64_t{1} << index;
        Definition(DefinitionKind::Counter)
            .add(index++)
            .add(counter.mode)
            .add(counter.values)
            .addText(counter.name)
            .addText(counter.unit)
            .addText(inTurns ? counter.description + " (with --multiplex, an estimate)" : counter.description)
            .write();
    }
    count = chosen->counters().size();
    selection = chosen.release();
}

/// Bits of what is added to the value of a counter.
std::uint64_t sumOf(std::size_t counter, std::uint64_t value, std::uint64_t more) noexcept {
    if ((reals >> counter & 1U) == 0) return value + more;
    return std::bit_cast<std::uint64_t>(std::bit_cast<double>(value) + std::bit_cast<double>(more));
}
std::uint64_t differenceOf(std::size_t counter, std::uint64_t value, std::uint64_t less) noexcept {
    if ((reals >> counter & 1U) == 0) return value - less;
    return std::bit_cast<std::uint64_t>(std::bit_cast<double>(value) - std::bit_cast<double>(less));
}

/// What the location counted before the thread came.
[[gnu::noinline]] void addRealBase(const Location& location, std::uint64_t* values) noexcept {
    for (std::size_t i = 0; i < count; ++i) values[i] = sumOf(i, values[i], location.counterBase[i]);
}
void addBase(const Location& location, std::uint64_t* values) noexcept {
    if (reals != 0) [[unlikely]] {
        const KeepFloatingPoint keep;
        return addRealBase(location, values);
    }
    for (std::size_t i = 0; i < count; ++i) values[i] += location.counterBase[i];
}

[[gnu::noinline]] void moveValues(const std::uint64_t* now, Location* from, Location* to) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
        if (from != nullptr) from->counterLast[i] = sumOf(i, from->counterBase[i], now[i]);
        if (to != nullptr) to->counterBase[i] = differenceOf(i, to->counterLast[i], now[i]);
    }
}

/// Reads all counters. Values of counters that take turns are estimates.
bool read(counters::Reader& reader, std::uint64_t* values) noexcept {
    if (!interpose::may(interpose::Need::Counters)) return false;
    if (!inTurns) return reader.read(values);
    const KeepFloatingPoint keep;
    return reader.read(values);
}

/// What the thread counted is at `place`, behind the room for the header.
void finishCounters(Location& location, std::uint64_t* place, std::uint64_t ticks, bool isWritten) noexcept {
    addBase(location, place + 1);
    if (eventsAreAdded()) addCounters(location, place + 1);
    if (isWritten)
        location.commit(place, header(RecordKind::Counters, ticks), recordWords(RecordKind::Counters, count));
}

}  // namespace

void chooseCounters() noexcept {
    const Settings& wanted = settings();
    if (wanted.counters.empty()) return;
    compensated = wanted.compensate;
    inTurns = wanted.multiplex;
    try {
        choose(std::string(wanted.counters));
    } catch (const std::exception& error) {
        trouble(error.what());
    }
}

std::size_t countersOfProcess() noexcept {
    return count;
}

std::uint64_t countersThatAreStates() noexcept {
    return states;
}

void startCounters(Thread& thread) noexcept {
    if (count == 0 || thread.counters != nullptr || thread.countersFailed) return;
    if (!interpose::may(interpose::Need::Counters) || !interpose::may(interpose::Need::Files)) return;
    const KeepFloatingPoint keep;
    const KeepErrno keepErrno;
    try {
        thread.counters = (compensated ? selection->openCompensated() : selection->open()).release();
        watchEnd(thread);
    } catch (const std::exception& error) {
        thread.countersFailed = true;
        trouble(error.what());
    }
}

void readCounters(Thread& thread) noexcept {
    if (thread.state != 0 || thread.counters == nullptr || thread.location == nullptr) return;
    if (!recordingIsOn.load(std::memory_order_relaxed)) return;
    const Busy busy(thread);
    thread.lastTime = ticksNow();
    recordCounters(thread, *thread.location, thread.lastTime);
}

void readCounts(Thread& thread, ReadCounts& counts) noexcept {
    counts.isRead = false;
    if (thread.state != 0 || thread.counters == nullptr) return;
    const Busy busy(thread);
    const KeepErrno keep;
    counts.isRead = read(*thread.counters, counts.values);
}

void recordCounts(const ReadCounts& counts, Location& location, std::uint64_t ticks) noexcept {
    const std::size_t words = recordWords(RecordKind::Counters, count);
    std::uint64_t only[kMostCounters + 1];
    const bool isWritten = eventsAreWritten();
    std::uint64_t* const place = isWritten ? location.reserve(words) : only;
    if (place == nullptr) return;
    std::copy_n(counts.values, count, place + 1);
    finishCounters(location, place, ticks, isWritten);
}

void reportShares(const Thread& thread) noexcept {
    constexpr double kAlways = 0.999;  // a moment of the start is no turn of others
    const KeepFloatingPoint keep;
    for (std::uint32_t i = 0; thread.counters != nullptr && i < count; ++i) {
        const double share = thread.counters->activeShare(i);
        const auto estimate = thread.counters->estimate(i);
        const auto [value, deviation] = estimate.value_or(counters::Estimate{0, -1});
        if (estimate || share < kAlways) writeActiveShare(i, share, value, deviation);
        if (const auto read = thread.counters->userSpaceShare(i)) writeUserSpaceShare(i, *read);
    }
}

bool yieldPapi(Thread& thread) noexcept {
    if (thread.counters == nullptr || !selection->uses(counters::papi())) return false;
    const Busy busy(thread);
    trouble(
        "counters of a thread stopped: the program uses PAPI itself, which can count only for one of the two "
        "at a time; record perf's events ('holos counters list'), which can be shared");
    thread.countersFailed = true;
    stopCounters(thread);
    return true;
}

/// Who may not close them leaves them open.
void stopCounters(Thread& thread) noexcept {
    reportShares(thread);
    if (interpose::may(interpose::Need::Counters)) delete thread.counters;
    thread.counters = nullptr;
}

void moveCounters(Thread& thread, Location* from, Location* to) noexcept {
    if (count == 0) return;
    startCounters(thread);
    std::array<std::uint64_t, kMostCounters> now{};
    if (thread.counters == nullptr || !read(*thread.counters, now.data())) return;
    const KeepFloatingPoint keep;
    moveValues(now.data(), from, to);
}

void recordCounters(Thread& thread, Location& location, std::uint64_t ticks) noexcept {
    const std::size_t words = recordWords(RecordKind::Counters, count);
    std::uint64_t only[kMostCounters + 1];
    const bool isWritten = eventsAreWritten();
    std::uint64_t* const place = isWritten ? location.reserve(words) : only;
    if (place == nullptr) {
        if (eventsAreWritten()) countLost();  // and not of a disk that became full
        return;
    }
    const int saved = errno;
    const bool good = read(*thread.counters, place + 1);
    errno = saved;
    if (!good) {  // the program closed their files
        for (std::size_t i = 0; i < words; ++i) place[i] = 0;
        trouble("counters of a thread stopped: their files were closed");
        thread.countersFailed = true;
        return stopCounters(thread);
    }
    finishCounters(location, place, ticks, isWritten);
}

}  // namespace holos::tracing::core

// Programs that count by PAPI themselves: they come before the recorder.

namespace {

constexpr int kIsRunning = -10;  ///< PAPI_EISRUN: another set of the component counts in this thread

}  // namespace

/// PAPI has one counting set for each component and thread.
extern "C" __attribute__((visibility("default"))) int PAPI_start(int set) {
    using namespace holos::tracing;
    static constinit interpose::Next<int(int)> next("PAPI_start");
    auto* const start = next.behind(__builtin_return_address(0));
    const int result = start(set);
    return result == kIsRunning && core::yieldPapi(core::thisThread) ? start(set) : result;
}

namespace holos::tracing::core {
namespace {

constexpr std::int64_t kDefaultInterval = 100'000'000;

/// Never destroyed: the thread may still run while the program ends.
struct Sampler {
    counters::Selection selection;
    std::unique_ptr<counters::Reader> reader;
    Location* location = nullptr;
    std::int64_t interval = kDefaultInterval;
    HelperThread thread;
};
Sampler* sampler = nullptr;

/// One record, unless the program is in a part that is not recorded; false when the recording is over.
bool sample(Sampler& self) noexcept {
    if (!recordingIsOn.load(std::memory_order_relaxed))
        return recordingIsOpen.load(std::memory_order_relaxed);
    const std::size_t words = recordWords(RecordKind::Counters, self.selection.counters().size());
    std::uint64_t* place = self.location->reserve(words);
    if (place == nullptr) {
        countLost();
        return false;
    }
    const std::uint64_t ticks = ticksNow();
    if (self.reader->read(place + 1))
        self.location->commit(place, header(RecordKind::Counters, ticks), words);
    else
        std::fill_n(place, words, 0);  // a device that went away, perhaps for a while
    return true;
}

void run(HelperThread& thread, void* data) {
    auto& self = *static_cast<Sampler*>(data);
    bool goesOn = true;
    for (std::int64_t next = nanoseconds(CLOCK_MONOTONIC); sample(self) && goesOn;) {
        next = std::max(next + self.interval, nanoseconds(CLOCK_MONOTONIC));
        goesOn = thread.sleepUntil(next);
    }
    self.location->close();
}

void define(const counters::Selection& sampled, const std::vector<std::string>& ofNode) {
    std::uint32_t index = 0;
    for (const auto& counter : sampled.counters()) {
        const bool isOfNode = std::find(ofNode.begin(), ofNode.end(), counter.name) != ofNode.end();
        Definition(DefinitionKind::Sampled)
            .add(index++)
            .add(counter.mode)
            .add(counter.values)
            .addText(counter.name)
            .addText(counter.unit)
            .addText(counter.description)
            .add(isOfNode ? counters::Scope::Node : counters::Scope::Process)
            .write();
    }
}

/// Counters of the process come first, so that each kind is a part of the values that follow each other.
std::vector<std::string> inOrder(const counters::Selection& all) {
    auto names = all.namesOf(counters::Scope::Process);
    if (localRank() <= 0)
        for (const auto& name : all.namesOf(counters::Scope::Node)) names.push_back(name);
    return names;
}

void start(const Settings& wanted) {
    const counters::Selection all(counters::splitNames(std::string(wanted.sampledCounters)));
    const auto chosen = inOrder(all);
    if (chosen.empty()) return;
    auto self = std::make_unique<Sampler>();
    self->selection = counters::Selection(chosen);
    self->reader = self->selection.open();
    if (wanted.sampleInterval > 0) self->interval = std::max<std::int64_t>(wanted.sampleInterval, 1'000);
    define(self->selection, all.namesOf(counters::Scope::Node));
    self->location = makeLocation(LocationKind::Samples, kNoLocation, 0, 0, "Samples");
    if (self->location == nullptr || !self->thread.start(&run, self.get()))
        return trouble("counters could not be sampled");
    sampler = self.release();
}

}  // namespace

void startSampling() noexcept {
    if (settings().sampledCounters.empty() || !rankIsWanted()) return;
    try {
        start(settings());
    } catch (const std::exception& error) {
        trouble(error.what());
    }
}

void stopSampling() noexcept {
    if (sampler == nullptr) return;
    sampler->thread.stop();
    sampler = nullptr;
}

}  // namespace holos::tracing::core

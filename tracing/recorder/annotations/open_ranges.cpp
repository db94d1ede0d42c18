// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/annotations/open_ranges.h"

#include <algorithm>
#include <array>
#include <new>

#include "tracing/recorder/annotations/names.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/thread.h"
#include "tracing/recorder/memory/heap.h"

namespace holos::tracing::annotations {
namespace {

struct Range {
    Name* name;  ///< null: no region
    std::uint64_t key;
    Annotation interface;
    bool isInPause;  ///< began in one: its begin is not recorded

    bool is(Annotation other, std::uint64_t otherKey) const noexcept {
        return key == otherKey && interface == other;
    }
};

/// Of one thread.
struct Ranges {
    static constexpr unsigned kMost = 128;
    unsigned depth = 0;
    unsigned tooDeep = 0;  ///< of those that are open: not among these
    unsigned late = 0;     ///< ended in the present pause, but did not begin in it
    std::array<Range, kMost> open;
    std::array<Name*, kMost> ended;  ///< as many as are late
};

Ranges* ofThread() noexcept {
    return static_cast<Ranges*>(core::thisThread.ranges);
}

Ranges* madeForThread() noexcept {
    if (Ranges* const known = ofThread(); known != nullptr) return known;
    void* const place = heap::allocate(sizeof(Ranges));
    if (place == nullptr) return nullptr;
    auto* const made = new (place) Ranges;
    core::thisThread.ranges = made;
    core::watchEnd(core::thisThread);
    return made;
}

/// The number of the innermost range with the key, from 1; 0 where there is none.
unsigned numberOfInnermost(const Ranges& ranges, Annotation interface, std::uint64_t key) noexcept {
    unsigned number = ranges.depth;
    while (number > 0 && !ranges.open[number - 1].is(interface, key)) --number;
    return number;
}

bool isPaused() noexcept {
    return core::thisThread.isOff;
}

void enter(Range& range) noexcept {
    range.isInPause = isPaused();
    if (range.name != nullptr) ownRecorder().enter(numberOf(*range.name));
}
void leave(Ranges& ranges, const Range& range) noexcept {
    if (range.name == nullptr || range.isInPause) return;
    if (!isPaused())
        ownRecorder().leave(numberOf(*range.name));
    else if (ranges.late < Ranges::kMost)
        ranges.ended[ranges.late++] = range.name;
}

void endNumber(Ranges& ranges, unsigned number) noexcept {
    if (number != ranges.depth) noteOddity(ranges.open[number - 1].interface, Oddity::Crossed);
    for (unsigned i = ranges.depth; i >= number; --i) leave(ranges, ranges.open[i - 1]);
    for (unsigned i = number; i < ranges.depth; ++i) {
        ranges.open[i - 1] = ranges.open[i];
        enter(ranges.open[i - 1]);
    }
    --ranges.depth;
}

/// One of those that need not nest.
struct Loose {
    static constexpr std::uint64_t kFree = 0, kTaken = 1;
    std::atomic<std::uint64_t> key{kFree};
    Name* name = nullptr;
    std::int64_t begin = 0;
};
/// A key may lie in one set alone.
constexpr std::size_t kSets = 1024, kOfOneSet = 8;
std::array<std::array<Loose, kOfOneSet>, kSets> loose;

/// Of all interfaces, neither of the two special ones.
std::uint64_t looseKey(Annotation interface, std::uint64_t key) noexcept {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15U;
    const std::uint64_t mixed = (key + static_cast<std::uint64_t>(interface) + 1) * kOdd;
    return mixed > Loose::kTaken ? mixed : kOdd;
}

std::array<Loose, kOfOneSet>& setOf(std::uint64_t key) noexcept {
    constexpr unsigned kHighBits = 54;
    return loose[(key >> kHighBits) % kSets];
}

}  // namespace

void begin(Annotation interface, Name* name, std::uint64_t key) noexcept {
    Ranges* const ranges = madeForThread();
    if (ranges == nullptr) return;
    if (ranges->depth == Ranges::kMost) {
        ++ranges->tooDeep;
        return noteOddity(interface, Oddity::TooDeep);
    }
    Range& range = ranges->open[ranges->depth++];
    range = {name, key, interface, false};
    enter(range);
}

bool end(Annotation interface, std::uint64_t key, bool mustBe) noexcept {
    Ranges* const ranges = ofThread();
    if (ranges != nullptr && ranges->tooDeep > 0) {
        --ranges->tooDeep;
        return true;
    }
    const unsigned number = ranges != nullptr ? numberOfInnermost(*ranges, interface, key) : 0;
    if (number != 0)
        endNumber(*ranges, number);
    else if (mustBe)
        noteOddity(interface, Oddity::EndWithoutBegin);
    return number != 0;
}

void pauseThread() noexcept {
    ownRecorder().pause();
}
void resumeThread() noexcept {
    if (!isPaused()) return;
    ownRecorder().resume();
    Ranges* const ranges = ofThread();
    if (ranges == nullptr) return;
    for (unsigned i = 0; i < ranges->late; ++i) ownRecorder().leave(numberOf(*ranges->ended[i]));
    ranges->late = 0;
}

const Name* innermost(Annotation interface, std::uint64_t key) noexcept {
    const Ranges* const ranges = ofThread();
    const unsigned number = ranges != nullptr ? numberOfInnermost(*ranges, interface, key) : 0;
    return number != 0 ? ranges->open[number - 1].name : nullptr;
}

int depth(Annotation interface, std::uint64_t key) noexcept {
    const Ranges* const ranges = ofThread();
    if (ranges == nullptr) return 0;
    return static_cast<int>(std::count_if(ranges->open.begin(), ranges->open.begin() + ranges->depth,
                                          [&](const Range& range) { return range.is(interface, key); }));
}

void beginLoose(Name* duration, std::uint64_t key) noexcept {
    if (duration == nullptr) return;
    const std::uint64_t own = looseKey(duration->interface, key);
    for (Loose& one : setOf(own)) {
        std::uint64_t free = Loose::kFree;
        if (!one.key.compare_exchange_strong(free, Loose::kTaken, std::memory_order_acquire)) continue;
        one.name = duration;
        one.begin = clockNow();
        one.key.store(own, std::memory_order_release);
        return;
    }
    noteOddity(duration->interface, Oddity::TooManyAtOnce);
}

void endLoose(Annotation interface, std::uint64_t key) noexcept {
    const std::uint64_t own = looseKey(interface, key);
    for (Loose& one : setOf(own)) {
        std::uint64_t seen = own;
        if (!one.key.compare_exchange_strong(seen, Loose::kTaken, std::memory_order_acquire)) continue;
        Name* const name = one.name;
        const std::int64_t begin = one.begin;
        one.key.store(Loose::kFree, std::memory_order_release);
        constexpr double kNanosecond = 1e-9;
        return value(name, static_cast<double>(clockNow() - begin) * kNanosecond);
    }
    noteOddity(interface, Oddity::EndWithoutBegin);
}

}  // namespace holos::tracing::annotations

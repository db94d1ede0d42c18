// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/annotations/names.h"

#include <link.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <functional>
#include <new>

#include "base/text.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recorder/core/process.h"
#include "tracing/recorder/core/thread.h"
#include "tracing/recorder/memory/heap.h"
#include "tracing/recordings/format/settings.h"

namespace holos::tracing::annotations {
namespace {

constexpr std::size_t kLongest = 500;
constexpr std::uint32_t kMostNames = 50'000;

std::array<std::atomic<Name*>, std::size_t{1} << 12> buckets;
std::atomic<std::uint32_t> count{0};

/// What is looked for.
struct Wanted {
    Annotation interface;
    What what;
    std::string_view prefix;
    std::string_view text;

    std::uint64_t hash() const noexcept {
        constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15U;
        constexpr unsigned kBits = 8;
        const auto kind = (static_cast<std::uint64_t>(interface) << kBits) | static_cast<std::uint64_t>(what);
        return (hashOf(prefix) * kOdd + hashOf(text) + kind) * kOdd;
    }
    bool is(const Name& name) const noexcept {
        return name.interface == interface && name.what == what &&
               name.length == prefix.size() + text.size() && name.view().starts_with(prefix) &&
               name.view().ends_with(text);
    }
};

Name* findIn(Name* first, const Name* last, std::uint64_t hash, const Wanted& wanted) noexcept {
    for (Name* name = first; name != last; name = name->next)
        if (name->hash == hash && wanted.is(*name)) return name;
    return nullptr;
}

Name* make(const Wanted& wanted, std::uint64_t hash) noexcept {
    const std::size_t length = wanted.prefix.size() + wanted.text.size();
    void* const place = heap::allocate(sizeof(Name) + length + 1);
    if (place == nullptr) return nullptr;
    Name* const name = new (place)
        Name{nullptr, hash, {}, {}, static_cast<std::uint32_t>(length), wanted.what, wanted.interface};
    char* const text = static_cast<char*>(place) + sizeof(Name);
    wanted.prefix.copy(text, wanted.prefix.size());
    wanted.text.copy(text + wanted.prefix.size(), wanted.text.size());
    text[length] = '\0';
    return name;
}

/// Another thread may make the same meanwhile: then its is taken.
Name* add(std::atomic<Name*>& bucket, Name* first, std::uint64_t hash, const Wanted& wanted) noexcept {
    if (count.fetch_add(1, std::memory_order_relaxed) >= kMostNames) {
        noteOddity(wanted.interface, Oddity::TooManyNames);
        return nullptr;
    }
    Name* const made = make(wanted, hash);
    if (made == nullptr) return nullptr;
    for (Name* known = first;;) {
        made->next = known;
        if (bucket.compare_exchange_weak(known, made, std::memory_order_acq_rel)) return made;
        if (Name* const others = findIn(known, made->next, hash, wanted); others != nullptr) {
            heap::release(made);
            return others;
        }
    }
}

std::uint32_t define(const Name& name) noexcept {
    const holos_interface& recorder = ownRecorder();
    const char* const text = name.text();
    switch (name.what) {
        case What::Region:
            return recorder.define(text, nullptr, 0);
        case What::Phase:
            return recorder.define_phase(text, nullptr, 0);
        case What::Integer:
            return recorder.define_metric(text, nullptr, HOLOS_INTEGER | HOLOS_STATE);
        case What::Real:
            return recorder.define_metric(text, nullptr, HOLOS_REAL | HOLOS_STATE);
        case What::Bytes:
            return recorder.define_metric(text, "bytes", HOLOS_INTEGER | HOLOS_STATE);
        case What::Duration:
            return recorder.define_metric(text, "s", HOLOS_REAL | HOLOS_STATE);
        case What::Parameter:
            return recorder.define_parameter(text);
        case What::Text:
            break;
    }
    return 0;
}

}  // namespace

Prefix::Prefix(const char* domain) noexcept {
    if (domain == nullptr || *domain == '\0') return;
    constexpr std::string_view kSeparator = ": ";
    const std::string_view whole(domain, ::strnlen(domain, sizeof text_));
    length_ = utf8::cut(whole, sizeof text_ - kSeparator.size()).copy(text_, sizeof text_);
    length_ += kSeparator.copy(text_ + length_, kSeparator.size());
}

std::uint64_t hashOf(std::string_view text) noexcept {
    return std::hash<std::string_view>{}(text);
}

Name* nameOf(Annotation interface, What what, std::string_view prefix, std::string_view text) noexcept {
    const std::string_view head = utf8::cut(prefix, kLongest / 2);
    const Wanted wanted{interface, what, head, utf8::cut(text, kLongest - head.size())};
    const std::uint64_t hash = wanted.hash();
    std::atomic<Name*>& bucket = buckets[hash % buckets.size()];
    Name* const first = bucket.load(std::memory_order_acquire);
    Name* const known = findIn(first, nullptr, hash, wanted);
    return known != nullptr ? known : add(bucket, first, hash, wanted);
}

Name* nameOf(Annotation interface, What what, std::string_view prefix, const char* text) noexcept {
    if (text == nullptr || *text == '\0') return nullptr;
    return nameOf(interface, what, prefix, std::string_view(text, ::strnlen(text, kLongest + 1)));
}

Name* nameOf(Annotation interface, What what, std::string_view prefix, const wchar_t* text) noexcept {
    if (text == nullptr || *text == L'\0') return nullptr;
    // UTF-8, whatever the program's locale is.
    char bytes[kLongest + 4];
    char* end = bytes;
    for (; *text != L'\0' && end < bytes + kLongest; ++text) {
        constexpr std::uint32_t kBits = 0x1FFFFF;
        end = utf8::put(end, static_cast<std::uint32_t>(*text) & kBits);
    }
    return nameOf(interface, what, prefix, std::string_view(bytes, static_cast<std::size_t>(end - bytes)));
}

std::uint32_t numberOf(Name& name) noexcept {
    std::uint32_t number = name.number.load(std::memory_order_relaxed);
    if (number != 0) [[likely]]
        return number;
    number = define(name);
    name.number.store(number, std::memory_order_relaxed);
    return number;
}

void mark(Name* name) noexcept {
    if (name == nullptr) return;
    const std::uint32_t number = numberOf(*name);
    ownRecorder().enter(number);
    ownRecorder().leave(number);
}

void value(Name* name, long long value) noexcept {
    if (name == nullptr) return;
    if (const std::uint32_t number = numberOf(*name); number != 0)
        ownRecorder().metric_integer(number, value);
}

void value(Name* name, double value) noexcept {
    if (name == nullptr) return;
    if (const std::uint32_t number = numberOf(*name); number != 0) ownRecorder().metric_real(number, value);
}

void change(Name* name, std::int64_t by) noexcept {
    if (name == nullptr) return;
    const long long sum = name->sum.fetch_add(by, std::memory_order_relaxed) + by;
    value(name, sum);
}

void parameter(Name* name, long long value) noexcept {
    if (name == nullptr) return;
    if (const std::uint32_t number = numberOf(*name); number != 0) ownRecorder().parameter(number, value);
}

namespace {

constexpr std::size_t kInterfaces = kAnnotationInterfaces.size();
/// What they are, with their number behind.
constexpr std::array<const char*, 5> kOddities{
    "ends of ranges that had not begun, left out",
    "ranges that ended before others that began in them, which were divided",
    "ranges that were nested too deeply, left out", "events of names beyond those that are kept, left out",
    "ranges that need not nest, of which too many were open, left out"};

std::atomic<Annotations> heard{0};
std::array<std::array<std::atomic<std::uint64_t>, kOddities.size()>, kInterfaces> counts;

Annotations wanted() noexcept {
    static const Annotations all = annotationsOf(core::settings().annotations).value_or(0);
    return all;
}

const char* nameOf(std::size_t interface) noexcept {
    return kAnnotationInterfaces[interface].name;
}

std::string_view fileName(std::string_view path) noexcept {
    return path.substr(path.rfind('/') + 1);
}

/// Of a list of libraries the first one, which is the one that is used.
std::string_view firstOf(const char* libraries) noexcept {
    const std::string_view all(libraries);
    return all.substr(0, all.find(';'));
}

int isLibrary(dl_phdr_info* library, std::size_t, void* name) noexcept {
    const auto& searched = *static_cast<const std::string_view*>(name);
    return library->dlpi_name != nullptr && fileName(library->dlpi_name) == searched ? 1 : 0;
}

/// The variable of the two that names a tool.
const char* variableOf(const AnnotationInterface& one) noexcept {
    const bool isOlder = one.older != nullptr && std::getenv(one.older) != nullptr;
    return isOlder ? one.older : one.variable;
}

/// Where another tool was asked for, by the user, and the program has loaded it.
void noteOtherTool(const AnnotationInterface& one) noexcept {
    const char* const variable = variableOf(one);
    const char* const libraries = variable != nullptr ? std::getenv(variable) : nullptr;
    if (libraries == nullptr || !isWanted(one.which)) return;
    std::string_view name = fileName(firstOf(libraries));
    if (name.empty() || name.starts_with("libholos-") || ::dl_iterate_phdr(&isLibrary, &name) == 0) return;
    char text[512];
    std::snprintf(text, sizeof text,
                  "what the program says by %s is not recorded: the tool that %s names hears it (%.*s); "
                  "unset the variable to record it",
                  one.name, variable, static_cast<int>(name.size()), name.data());
    trouble(text);
}

}  // namespace

bool isWanted(Annotation interface) noexcept {
    return (wanted() & bitOf(interface)) != 0;
}

/// Children of the process, and what comes when the recording has failed, are counted where the events are.
bool hears(Annotation interface) noexcept {
    const Annotations bit = bitOf(interface);
    if (!isWanted(interface)) return false;
    if ((heard.load(std::memory_order_relaxed) & bit) != 0) [[likely]]
        return true;
    if (!core::recordingIsOpen.load(std::memory_order_acquire)) {
        core::countLost();
        return false;
    }
    if ((heard.fetch_or(bit, std::memory_order_relaxed) & bit) == 0)
        heardInterface(nameOf(static_cast<std::size_t>(interface)));
    return true;
}

void noteOddity(Annotation interface, Oddity what) noexcept {
    counts[static_cast<std::size_t>(interface)][static_cast<std::size_t>(what)].fetch_add(
        1, std::memory_order_relaxed);
}

void noteAtEnd() noexcept {
    const Annotations all = heard.load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < kInterfaces; ++i) {
        const AnnotationInterface& one = kAnnotationInterfaces[i];
        if ((all & bitOf(one.which)) == 0) {
            noteOtherTool(one);
            continue;
        }
        for (std::size_t k = 0; k < kOddities.size(); ++k) {
            const std::uint64_t times = counts[i][k].load(std::memory_order_relaxed);
            if (times == 0) continue;
            char text[256];
            std::snprintf(text, sizeof text, "%s: %s: %llu", nameOf(i), kOddities[k],
                          static_cast<unsigned long long>(times));
            trouble(text);
        }
    }
}

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

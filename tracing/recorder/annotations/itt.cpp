// SPDX-License-Identifier: BSD-3-Clause
// ITT: each library of the program that uses it has a part of it linked in, which loads the library that
// `INTEL_LIBITTNOTIFY64` names and lets it put functions of its own in place. The interface is described in
// github.com/intel/ittapi; here is what of its layout is needed.
#include <pthread.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <new>

#include "tracing/code/loaded/runtimes.h"
#include "tracing/recorder/annotations/names.h"
#include "tracing/recorder/core/events.h"
#include "tracing/recorder/memory/heap.h"

using namespace holos::tracing;
using namespace holos::tracing::annotations;

namespace {

constexpr Annotation kItt = Annotation::Itt;

// What the program has pointers to, some of it made by the part that is linked in.
struct Domain {
    volatile int isOn;
    const char* name;
    void* wide;
    int extra1;
    void* extra2;
    Domain* next;
};
struct Text {
    const char* text;
    void* wide;
    int extra1;
    void* extra2;
    Text* next;
};
struct Counter {
    const char* name;
    void* wide;
    const char* domain;
    void* wideDomain;
    int type;
    long index;
    int extra1;
    void* extra2;
    Counter* next;
};
struct Id {
    unsigned long long parts[3];
};

enum Type {
    kUnknown,
    kUnsigned64,
    kSigned64,
    kUnsigned32,
    kSigned32,
    kUnsigned16,
    kSigned16,
    kFloat,
    kDouble
};

template <class Object>
Object* make(const Object& object) noexcept {
    void* const place = heap::allocate(sizeof(Object));
    return place != nullptr ? new (place) Object(object) : nullptr;
}

/// Kept as long as the process; equal texts are one.
const char* kept(const char* text) noexcept {
    const Name* const name = nameOf(kItt, What::Text, {}, text);
    return name != nullptr ? name->text() : nullptr;
}

const char* textOf(const Text* text) noexcept {
    return text != nullptr ? text->text : nullptr;
}
const char* nameOfDomain(const Domain* domain) noexcept {
    return domain != nullptr ? domain->name : nullptr;
}
Name* named(What what, const Domain* domain, const char* text) noexcept {
    return nameOf(kItt, what, Prefix(nameOfDomain(domain)).view(), text);
}

std::uint64_t keyOf(const void* pointer) noexcept {
    return reinterpret_cast<std::uint64_t>(pointer);
}
std::uint64_t keyOf(const Domain* domain, const Id& id) noexcept {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15U;
    std::uint64_t key = keyOf(domain);
    for (const unsigned long long part : id.parts) key = key * kOdd + part;
    return key;
}

Domain* createDomain(const char* text) noexcept {
    const char* const name = kept(text);
    return name != nullptr ? make(Domain{1, name, nullptr, 0, nullptr, nullptr}) : nullptr;
}
Text* createText(const char* text) noexcept {
    const char* const own = kept(text);
    return own != nullptr ? make(Text{own, nullptr, 0, nullptr, nullptr}) : nullptr;
}

// --- tasks, frames, markers --------------------------------------------------------------------------

void beginTask(const Domain* domain, Id, Id, Text* name) noexcept {
    if (hears(kItt)) begin(kItt, named(What::Region, domain, textOf(name)), keyOf(domain));
}
void endTask(const Domain* domain) noexcept {
    if (hears(kItt)) end(kItt, keyOf(domain));
}
void beginTaskAt(const Domain* domain, void*, unsigned long long, Id id, Id parent, Text* name) noexcept {
    beginTask(domain, id, parent, name);
}
void endTaskAt(const Domain* domain, void*, unsigned long long) noexcept {
    endTask(domain);
}

void beginOverlapped(const Domain* domain, Id id, Id, Text* name) noexcept {
    if (hears(kItt)) beginLoose(named(What::Duration, domain, textOf(name)), keyOf(domain, id));
}
void endOverlapped(const Domain* domain, Id id) noexcept {
    if (hears(kItt)) endLoose(kItt, keyOf(domain, id));
}
void beginOverlappedAt(const Domain* domain, void*, unsigned long long, Id id, Id parent,
                       Text* name) noexcept {
    beginOverlapped(domain, id, parent, name);
}
void endOverlappedAt(const Domain* domain, void*, unsigned long long, Id id) noexcept {
    endOverlapped(domain, id);
}

/// No task has this key.
std::uint64_t keyOfFrame(const Domain* domain, const Id* id) noexcept {
    return keyOf(domain, id != nullptr ? *id : Id{}) | 1;
}
void beginFrame(const Domain* domain, const Id* id) noexcept {
    if (hears(kItt)) begin(kItt, nameOf(kItt, What::Phase, {}, nameOfDomain(domain)), keyOfFrame(domain, id));
}
void endFrame(const Domain* domain, const Id* id) noexcept {
    if (hears(kItt)) end(kItt, keyOfFrame(domain, id));
}

/// The older form of frames: their handles are domains.
Domain* createFrame(const char* text) noexcept {
    return createDomain(text);
}
void beginOldFrame(const Domain* frame) noexcept {
    beginFrame(frame, nullptr);
}
void endOldFrame(const Domain* frame) noexcept {
    endFrame(frame, nullptr);
}

void markMoment(const Domain* domain, Id, Text* name, int) noexcept {
    if (hears(kItt)) mark(named(What::Region, domain, textOf(name)));
}

// --- events: made once, by number; their end may be left out -------------------------------------------

constexpr int kMostEvents = 4096;
std::array<std::atomic<Name*>, kMostEvents> events;
std::atomic<int> lastEvent{0};

Name* eventNumber(int event) noexcept {
    return event > 0 && event < kMostEvents ? events[static_cast<std::size_t>(event)].load() : nullptr;
}
std::uint64_t keyOfEvent(int event) noexcept {
    return static_cast<std::uint64_t>(event);
}

int createEvent(const char* text, int length) noexcept {
    if (text == nullptr || length <= 0) return 0;
    const int event = lastEvent.fetch_add(1, std::memory_order_relaxed) + 1;
    if (event >= kMostEvents) return 0;
    events[static_cast<std::size_t>(event)].store(
        nameOf(kItt, What::Region, {}, std::string_view(text, static_cast<std::size_t>(length))));
    return event;
}
int startEvent(int event) noexcept {
    if (!hears(kItt)) return 0;
    end(kItt, keyOfEvent(event), false);
    begin(kItt, eventNumber(event), keyOfEvent(event));
    return 0;
}
int endEvent(int event) noexcept {
    if (hears(kItt)) end(kItt, keyOfEvent(event));
    return 0;
}

// --- counters and other values -------------------------------------------------------------------------

Counter* createTyped(const char* text, const char* domain, int type) noexcept {
    const char* const name = kept(text);
    if (name == nullptr) return nullptr;
    return make(Counter{name, nullptr, kept(domain), nullptr, type, 0, 0, nullptr, nullptr});
}
Counter* createCounter(const char* text, const char* domain) noexcept {
    return createTyped(text, domain, kUnsigned64);
}
Counter* createOfDomain(const Domain* domain, const char* text, int type) noexcept {
    return createTyped(text, nameOfDomain(domain), type);
}

Name* named(What what, const Counter& counter) noexcept {
    return nameOf(kItt, what, Prefix(counter.domain).view(), counter.name);
}

template <class Number>
Number numberAt(const void* data) noexcept {
    Number number;
    __builtin_memcpy(&number, data, sizeof number);
    return number;
}

/// `nameFor`: the name of a metric of that kind.
template <class NameFor>
void recordNumber(int type, const void* data, const NameFor& nameFor) noexcept {
    const auto integer = [&](long long number) { value(nameFor(What::Integer), number); };
    switch (type) {
        case kUnsigned64:
            return integer(static_cast<long long>(numberAt<std::uint64_t>(data)));
        case kSigned64:
            return integer(numberAt<std::int64_t>(data));
        case kUnsigned32:
            return integer(numberAt<std::uint32_t>(data));
        case kSigned32:
            return integer(numberAt<std::int32_t>(data));
        case kUnsigned16:
            return integer(numberAt<std::uint16_t>(data));
        case kSigned16:
            return integer(numberAt<std::int16_t>(data));
        case kFloat:
            return value(nameFor(What::Real), static_cast<double>(numberAt<float>(data)));
        case kDouble:
            return value(nameFor(What::Real), numberAt<double>(data));
        default:
            return;
    }
}

void setCounter(const Counter* counter, const void* data) noexcept {
    if (counter == nullptr || data == nullptr || !hears(kItt)) return;
    recordNumber(counter->type, data, [counter](What what) { return named(what, *counter); });
}
void setCounterAt(const Counter* counter, void*, unsigned long long, const void* data) noexcept {
    setCounter(counter, data);
}
void changeCounter(const Counter* counter, std::int64_t by) noexcept {
    if (counter != nullptr && hears(kItt)) change(named(What::Integer, *counter), by);
}
void incrementBy(const Counter* counter, unsigned long long by) noexcept {
    changeCounter(counter, static_cast<std::int64_t>(by));
}
void decrementBy(const Counter* counter, unsigned long long by) noexcept {
    changeCounter(counter, -static_cast<std::int64_t>(by));
}
void increment(const Counter* counter) noexcept {
    changeCounter(counter, 1);
}
void decrement(const Counter* counter) noexcept {
    changeCounter(counter, -1);
}
void changeNamed(const Domain* domain, const Text* name, std::int64_t by) noexcept {
    if (hears(kItt)) change(named(What::Integer, domain, textOf(name)), by);
}
void incrementNamedBy(const Domain* domain, const Text* name, unsigned long long by) noexcept {
    changeNamed(domain, name, static_cast<std::int64_t>(by));
}
void decrementNamedBy(const Domain* domain, const Text* name, unsigned long long by) noexcept {
    changeNamed(domain, name, -static_cast<std::int64_t>(by));
}
void incrementNamed(const Domain* domain, const Text* name) noexcept {
    changeNamed(domain, name, 1);
}
void decrementNamed(const Domain* domain, const Text* name) noexcept {
    changeNamed(domain, name, -1);
}

void addNumber(const Domain* domain, Id, const Text* key, int type, std::size_t count,
               const void* data) noexcept {
    if (count != 1 || data == nullptr || !hears(kItt)) return;
    recordNumber(type, data, [=](What what) { return named(what, domain, textOf(key)); });
}

void setThreadName(const char* text) noexcept {
    if (text != nullptr && *text != '\0' && hears(kItt)) nameThread(text);
}

// --- pauses ------------------------------------------------------------------------------------------------

/// Of the calling thread.
void pauseHere() noexcept {
    if (hears(kItt)) pauseThread();
}
void resumeHere() noexcept {
    if (hears(kItt)) resumeThread();
}
/// What a pause is of: this is the machine that the program runs on, others are its devices.
constexpr int kHost = 1;
void pauseOf(int what) noexcept {
    if ((what & kHost) != 0) pauseHere();
}
void resumeOf(int what) noexcept {
    if ((what & kHost) != 0) resumeHere();
}

// --- how the part that is linked in is told --------------------------------------------------------------

struct Function {
    std::string_view name;
    void* function;
};

template <class Type>
Function function(std::string_view name, Type* own) noexcept {
    return {name, reinterpret_cast<void*>(own)};
}

void* ownFunction(std::string_view name) noexcept {
    static const std::array all{function("domain_create", &createDomain),
                                function("string_handle_create", &createText),
                                function("task_begin", &beginTask),
                                function("task_end", &endTask),
                                function("task_begin_ex", &beginTaskAt),
                                function("task_end_ex", &endTaskAt),
                                function("task_begin_overlapped", &beginOverlapped),
                                function("task_end_overlapped", &endOverlapped),
                                function("task_begin_overlapped_ex", &beginOverlappedAt),
                                function("task_end_overlapped_ex", &endOverlappedAt),
                                function("region_begin", &beginOverlapped),
                                function("region_end", &endOverlapped),
                                function("frame_begin_v3", &beginFrame),
                                function("frame_end_v3", &endFrame),
                                function("frame_create", &createFrame),
                                function("frame_begin", &beginOldFrame),
                                function("frame_end", &endOldFrame),
                                function("marker", &markMoment),
                                function("event_create", &createEvent),
                                function("event_start", &startEvent),
                                function("event_end", &endEvent),
                                function("counter_create", &createCounter),
                                function("counter_create_typed", &createTyped),
                                function("counter_create_v3", &createOfDomain),
                                function("counter_set_value", &setCounter),
                                function("counter_set_value_v3", &setCounter),
                                function("counter_set_value_ex", &setCounterAt),
                                function("counter_inc", &increment),
                                function("counter_dec", &decrement),
                                function("counter_inc_delta", &incrementBy),
                                function("counter_dec_delta", &decrementBy),
                                function("counter_inc_v3", &incrementNamed),
                                function("counter_dec_v3", &decrementNamed),
                                function("counter_inc_delta_v3", &incrementNamedBy),
                                function("counter_dec_delta_v3", &decrementNamedBy),
                                function("metadata_add", &addNumber),
                                function("thread_set_name", &setThreadName),
                                function("pause", &pauseHere),
                                function("resume", &resumeHere),
                                function("detach", &pauseHere),
                                function("pause_scoped", &pauseOf),
                                function("resume_scoped", &resumeOf)};
    constexpr std::string_view kPrefix = "__itt_";
    if (!name.starts_with(kPrefix)) return nullptr;
    name.remove_prefix(kPrefix.size());
    for (const Function& one : all)
        if (one.name == name) return one.function;
    return nullptr;
}

struct Api {
    const char* name;
    void** function;
    void* first;  ///< which looks for the tool
    void* none;   ///< where there is no tool
    int group;
};
struct Linked {
    unsigned char magic[8];
    unsigned long version[3];
    volatile long states[3];
    pthread_mutex_t mutex;
    void* library;
    void* errors;
    const char** path;
    Api* functions;  ///< as many as have a name
};
constexpr unsigned long kVersion = 3;

/// What OpenMP's runtime says there is known from its own interface.
bool isOfOpenMp(const void* linked) noexcept {
    const char* const file = holos::code::fileOf(linked);
    return file != nullptr && holos::code::isOpenMpOfLlvm(file);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) void holos_itt_attach(Linked* linked) {
    if (linked == nullptr || linked->version[0] != kVersion || linked->functions == nullptr) return;
    const bool isHeard = isWanted(kItt) && !isOfOpenMp(linked);
    for (const Api* one = linked->functions; one->name != nullptr; ++one) {
        void* const own = isHeard ? ownFunction(one->name) : nullptr;
        *one->function = own != nullptr ? own : one->none;
    }
}

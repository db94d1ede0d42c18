// SPDX-License-Identifier: BSD-3-Clause
// NVTX 3: each library of the program that uses it asks the library that `NVTX_INJECTION64_PATH` names, at
// its first call, to put functions of its own into the tables of the interface. The interface is described in
// github.com/NVIDIA/NVTX; here is what of its layout is needed.
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "tracing/recorder/annotations/names.h"
#include "tracing/recorder/core/events.h"

using namespace holos::tracing;
using namespace holos::tracing::annotations;

namespace {

constexpr Annotation kNvtx = Annotation::Nvtx;

/// How an event, or a resource, says what it is called.
enum MessageType : std::int32_t { kNoMessage, kBytes, kWide, kRegistered };
union Message {
    const char* bytes;
    const wchar_t* wide;
    Name* registered;
};

enum PayloadType : std::int32_t {
    kNoPayload,
    kUnsigned64,
    kSigned64,
    kDouble,
    kUnsigned32,
    kSigned32,
    kFloat
};
union Payload {
    std::uint64_t unsigned64;
    std::int64_t signed64;
    double real64;
    std::uint32_t unsigned32;
    std::int32_t signed32;
    float real32;
};

struct Attributes {
    std::uint16_t version;
    std::uint16_t size;
    std::uint32_t category;
    std::int32_t colorType;
    std::uint32_t color;
    std::int32_t payloadType;
    std::int32_t reserved;
    Payload payload;
    std::int32_t messageType;
    Message message;
};
static_assert(sizeof(Attributes) == 48 && offsetof(Attributes, message) == 40);

/// A domain is the name that goes in front of those of its ranges; null: the program's own.
using Domain = const Name*;

std::string_view prefixOf(Domain domain) noexcept {
    return domain != nullptr ? domain->view() : std::string_view{};
}

constexpr std::string_view kNoName = "(NVTX range without a name)";

Name* named(What what, Domain domain, const Attributes& attributes) noexcept {
    switch (attributes.messageType) {
        case kBytes:
            return nameOf(kNvtx, what, prefixOf(domain), attributes.message.bytes);
        case kWide:
            return nameOf(kNvtx, what, prefixOf(domain), attributes.message.wide);
        case kRegistered:
            break;
        default:
            return nameOf(kNvtx, what, prefixOf(domain), kNoName);
    }
    // The text has its domain in front already.
    Name* const registered = attributes.message.registered;
    if (registered == nullptr || what == registered->what) return registered;
    return nameOf(kNvtx, what, {}, registered->view());
}

/// A value of what the event is called.
void recordPayload(Domain domain, const Attributes& attributes) noexcept {
    const Payload& payload = attributes.payload;
    const auto integer = [&](long long number) { value(named(What::Integer, domain, attributes), number); };
    const auto real = [&](double number) { value(named(What::Real, domain, attributes), number); };
    switch (attributes.payloadType) {
        case kUnsigned64:
            return integer(static_cast<long long>(payload.unsigned64));
        case kSigned64:
            return integer(payload.signed64);
        case kDouble:
            return real(payload.real64);
        case kUnsigned32:
            return integer(payload.unsigned32);
        case kSigned32:
            return integer(payload.signed32);
        case kFloat:
            return real(static_cast<double>(payload.real32));
        default:
            return;
    }
}

std::uint64_t keyOf(Domain domain) noexcept {
    return reinterpret_cast<std::uint64_t>(domain);
}

int push(Domain domain, Name* name) noexcept {
    begin(kNvtx, name, keyOf(domain));
    return depth(kNvtx, keyOf(domain)) - 1;
}

/// The level that ended, or what says that there is none.
int pop(Domain domain) noexcept {
    return end(kNvtx, keyOf(domain)) ? depth(kNvtx, keyOf(domain)) : -1;
}

/// Numbers of ranges that need not nest.
std::uint64_t start(Name* duration) noexcept {
    static std::atomic<std::uint64_t> last{0};
    const std::uint64_t number = last.fetch_add(1, std::memory_order_relaxed) + 1;
    if (duration != nullptr) beginLoose(duration, number);
    return number;
}

void domainMark(Domain domain, const Attributes* attributes) noexcept {
    if (attributes == nullptr || !hears(kNvtx)) return;
    mark(named(What::Region, domain, *attributes));
    recordPayload(domain, *attributes);
}
std::uint64_t domainStart(Domain domain, const Attributes* attributes) noexcept {
    if (attributes == nullptr || !hears(kNvtx)) return 0;
    recordPayload(domain, *attributes);
    return start(named(What::Duration, domain, *attributes));
}
void domainEnd(Domain, std::uint64_t range) noexcept {
    if (range != 0 && hears(kNvtx)) endLoose(kNvtx, range);
}
int domainPush(Domain domain, const Attributes* attributes) noexcept {
    if (attributes == nullptr || !hears(kNvtx)) return -1;
    const int level = push(domain, named(What::Region, domain, *attributes));
    recordPayload(domain, *attributes);
    return level;
}
int domainPop(Domain domain) noexcept {
    return hears(kNvtx) ? pop(domain) : -1;
}

void markEx(const Attributes* attributes) noexcept {
    domainMark(nullptr, attributes);
}
std::uint64_t startEx(const Attributes* attributes) noexcept {
    return domainStart(nullptr, attributes);
}
void endRange(std::uint64_t range) noexcept {
    domainEnd(nullptr, range);
}
int pushEx(const Attributes* attributes) noexcept {
    return domainPush(nullptr, attributes);
}
int popRange() noexcept {
    return domainPop(nullptr);
}

template <class Character>
void markText(const Character* text) noexcept {
    if (hears(kNvtx)) mark(nameOf(kNvtx, What::Region, {}, text));
}
template <class Character>
std::uint64_t startText(const Character* text) noexcept {
    return hears(kNvtx) ? start(nameOf(kNvtx, What::Duration, {}, text)) : 0;
}
template <class Character>
int pushText(const Character* text) noexcept {
    return hears(kNvtx) ? push(nullptr, nameOf(kNvtx, What::Region, {}, text)) : -1;
}

/// Of other threads nothing is known here.
template <class Character>
void nameThreadText(std::uint32_t thread, const Character* text) noexcept {
    if (thread != static_cast<std::uint32_t>(::gettid()) || !hears(kNvtx)) return;
    if (const Name* const name = nameOf(kNvtx, What::Text, {}, text); name != nullptr)
        nameThread(name->text());
}

/// Handles are needed where nothing is recorded, too.
template <class Character>
Domain createDomain(const Character* text) noexcept {
    const Name* const name = nameOf(kNvtx, What::Text, {}, text);
    return name != nullptr ? nameOf(kNvtx, What::Text, name->view(), ": ") : nullptr;
}
template <class Character>
Name* registerString(Domain domain, const Character* text) noexcept {
    return nameOf(kNvtx, What::Region, prefixOf(domain), text);
}

using Function = void (*)();

template <class Type>
Function plain(Type* function) noexcept {
    return reinterpret_cast<Function>(function);
}

/// By their numbers in the interface's tables.
struct Entry {
    unsigned number;
    Function function;
};
using Table = Function**;

/// What the program's copy of NVTX offers.
struct Callbacks {
    std::size_t size;
    int (*tableOf)(int module, Table* table, unsigned* size);
};
using GetExports = const void* (*)(std::uint32_t);
constexpr std::uint32_t kCallbacks = 1;
constexpr int kCore = 1, kCore2 = 5;

template <std::size_t count>
void attach(const Callbacks& callbacks, int module, const std::array<Entry, count>& entries) noexcept {
    Table table = nullptr;
    unsigned size = 0;
    if (callbacks.tableOf(module, &table, &size) == 0 || table == nullptr) return;
    for (const Entry& entry : entries)
        if (entry.number < size && table[entry.number] != nullptr) *table[entry.number] = entry.function;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int holos_nvtx_attach(GetExports exports) {
    const void* const table = exports != nullptr ? exports(kCallbacks) : nullptr;
    if (table == nullptr || !isWanted(kNvtx)) return 0;
    const auto& callbacks = *static_cast<const Callbacks*>(table);
    if (callbacks.size < sizeof(Callbacks)) return 0;
    attach(callbacks, kCore,
           std::array{Entry{1, plain(&markEx)}, Entry{2, plain(&markText<char>)},
                      Entry{3, plain(&markText<wchar_t>)}, Entry{4, plain(&startEx)},
                      Entry{5, plain(&startText<char>)}, Entry{6, plain(&startText<wchar_t>)},
                      Entry{7, plain(&endRange)}, Entry{8, plain(&pushEx)}, Entry{9, plain(&pushText<char>)},
                      Entry{10, plain(&pushText<wchar_t>)}, Entry{11, plain(&popRange)},
                      Entry{14, plain(&nameThreadText<char>)}, Entry{15, plain(&nameThreadText<wchar_t>)}});
    attach(callbacks, kCore2,
           std::array{Entry{1, plain(&domainMark)}, Entry{2, plain(&domainStart)},
                      Entry{3, plain(&domainEnd)}, Entry{4, plain(&domainPush)}, Entry{5, plain(&domainPop)},
                      Entry{10, plain(&registerString<char>)}, Entry{11, plain(&registerString<wchar_t>)},
                      Entry{12, plain(&createDomain<char>)}, Entry{13, plain(&createDomain<wchar_t>)}});
    return 1;
}

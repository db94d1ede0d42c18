// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <charconv>
#include <cstring>
#include <functional>
#include <optional>
#include <type_traits>

#include "base/fields.h"
#include "tracing/recordings/format/settings.h"

namespace holos::tracing::core {
namespace {

/// The one list of names, and what gives their values of settings.
template <class Visit>
constexpr void forEachSetting(const Visit& visit) {
    visit("writes-events", &Settings::writesEvents);
    visit("adds-up", &Settings::addsUp);
    visit("counters", &Settings::counters);
    visit("sampled-counters", &Settings::sampledCounters);
    visit("sample-interval", &Settings::sampleInterval);
    visit("compensates", &Settings::compensates);
    visit("multiplexes", &Settings::multiplexes);
    visit("stack-samples", &Settings::stackSamples);
    visit("call-paths", &Settings::callPaths);
    visit("throttle", &Settings::throttle);
    visit("throttle-below", &Settings::throttleBelow);
    visit("ranks", &Settings::ranks);
    visit("first", &Settings::first);
    visit("phase", &Settings::phase);
    visit("trace-phase", &Settings::tracePhase);
    visit(
        "trace-first", [](auto& settings) -> auto& { return settings.traced.first; });
    visit(
        "trace-count", [](auto& settings) -> auto& { return settings.traced.count; });
    visit(
        "trace-every", [](auto& settings) -> auto& { return settings.traced.every; });
    visit(
        "trace-one-in", [](auto& settings) -> auto& { return settings.traced.oneIn; });
    visit(
        "trace-seed", [](auto& settings) -> auto& { return settings.traced.seed; });
    visit("mpi-groups", &Settings::mpiGroups);
    visit("clock-offsets-every", &Settings::clockOffsetsEvery);
    visit("write-back", &Settings::writeBack);
    visit("buffer", &Settings::buffer);
    visit("when-full", &Settings::whenFull);
    visit("disk-reserve", &Settings::diskReserve);
    visit("stops-when-disk-low", &Settings::stopsWhenDiskLow);
    visit("each-poll", &Settings::eachPoll);
    visit("each-lock", &Settings::eachLock);
}

constexpr std::size_t listed() {
    std::size_t number = 0;
    forEachSetting([&number](const auto&...) { ++number; });
    return number;
}
static_assert(listed() == fieldsOf<Settings>() - 1 + fieldsOf<ChosenInstances>(),
              "each setting is in the list, and each of the chosen instances");

constexpr char kEnd = ';';
constexpr char kEscape = '%';
constexpr int kHexadecimal = 16;

std::string textOf(std::string_view value) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (const char character : value) {
        const auto byte = static_cast<unsigned char>(character);
        if (character != kEnd && character != kEscape && byte >= ' ') {
            text += character;
            continue;
        }
        text += kEscape;
        text += kDigits[byte / kHexadecimal];
        text += kDigits[byte % kHexadecimal];
    }
    return text;
}

template <class Number>
requires std::is_arithmetic_v<Number> std::string textOf(Number value) {
    std::array<char, 32> text;
    const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
    return {text.data(), written.ptr};
}

std::string textOf(bool value) {
    return value ? "1" : "0";
}

template <class Choice>
requires std::is_enum_v<Choice> std::string textOf(Choice value) {
    return textOf(static_cast<unsigned>(value));
}

/// One that is there: nothing is what settings have where nobody sets them.
template <class Number>
std::string textOf(std::optional<Number> value) {
    return textOf(*value);
}

/// Writes what the text stands for over it.
void take(char* text, std::string_view& value) noexcept {
    char* out = text;
    for (const char* at = text; *at != '\0'; ++at) {
        unsigned char byte = 0;
        if (*at == kEscape && at[1] != '\0' && at[2] != '\0' &&
            std::from_chars(at + 1, at + 3, byte, kHexadecimal).ptr == at + 3) {
            *out++ = static_cast<char>(byte);
            at += 2;
        } else {
            *out++ = *at;
        }
    }
    value = {text, static_cast<std::size_t>(out - text)};
}

template <class Number>
requires std::is_arithmetic_v<Number>
void take(const char* text, Number& value) noexcept {
    const char* const end = text + std::strlen(text);
    Number number{};
    const auto read = std::from_chars(text, end, number);
    if (read.ec == std::errc{} && read.ptr == end) value = number;
}

/// None of these numbers may be 0.
template <class Number>
void take(const char* text, std::optional<Number>& value) noexcept {
    Number number = 0;
    take(text, number);
    if (number != 0) value = number;
}

void take(const char* text, bool& value) noexcept {
    value = std::strcmp(text, "1") == 0;
}

constexpr auto lastOf(CallPathExtent /*choice*/) {
    return CallPathExtent::Full;
}
constexpr auto lastOf(WhenFull /*choice*/) {
    return WhenFull::KeepNewest;
}

template <class Choice>
requires std::is_enum_v<Choice>
void take(const char* text, Choice& value) noexcept {
    auto number = static_cast<unsigned>(value);
    take(text, number);
    if (number <= static_cast<unsigned>(lastOf(value))) value = static_cast<Choice>(number);
}

}  // namespace

std::string encode(const Settings& settings) {
    std::string text;
    forEachSetting([&](const char* name, auto member) {
        const auto& value = std::invoke(member, settings);
        const Settings usual;
        if (value != std::invoke(member, usual))
            text += (text.empty() ? "" : std::string(1, kEnd)) + name + '=' + textOf(value);
    });
    return text;
}

Settings decode(char* text) noexcept {
    Settings settings;
    for (char* part = text; part != nullptr;) {
        char* const end = std::strchr(part, kEnd);
        if (end != nullptr) *end = '\0';
        if (char* const equals = std::strchr(part, '='); equals != nullptr) {
            const std::string_view name(part, static_cast<std::size_t>(equals - part));
            forEachSetting([&](std::string_view known, auto member) {
                if (name == known) take(equals + 1, std::invoke(member, settings));
            });
        }
        part = end != nullptr ? end + 1 : nullptr;
    }
    return settings;
}

}  // namespace holos::tracing::core

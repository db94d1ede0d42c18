// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/format/settings.h"

#include <array>
#include <charconv>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <type_traits>

#include "base/number.h"

namespace holos::tracing::core {
namespace {

template <class Visit>
constexpr void forEachSetting(const Visit& visit) {
#define HOLOS_RECORDER_OPTION(names, Kind, member, ...) visit(longName(names), &Settings::member);
#define HOLOS_FOLLOWING(Type, member, usual, name, ...) visit(std::string_view(name), &Settings::member);
#include "tracing/recordings/format/record_options.def"
}

constexpr char kEnd = ';';
constexpr char kEscape = '%';
constexpr int kHexadecimal = 16;

std::string settingText(std::string_view value) {
    std::string text;
    for (const char character : value) {
        const auto byte = static_cast<unsigned char>(character);
        if (character != kEnd && character != kEscape && byte >= ' ') {
            text += character;
            continue;
        }
        text += kEscape + inHexadecimal(&character, 1);
    }
    return text;
}

template <class Number>
requires std::is_arithmetic_v<Number> std::string settingText(Number value) {
    std::array<char, 32> text;
    const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
    return {text.data(), written.ptr};
}

std::string settingText(bool value) {
    return value ? "1" : "0";
}

template <NamedChoice Choice>
std::string settingText(Choice value) {
    return wordOf(value);
}

/// None of these numbers may be 0.
std::string settingText(const ChosenInstances& instances) {
    std::string text = settingText(instances.first);
    for (const auto& number : {instances.count, instances.every, instances.oneIn})
        text += ',' + settingText(number.value_or(0));
    return text + ',' + settingText(instances.seed);
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
    if (const auto number = asNumber<Number>(text)) value = *number;
}

void take(const char* text, ChosenInstances& instances) noexcept {
    std::array<std::uint64_t, 5> numbers{};
    const char* const end = text + std::strlen(text);
    for (std::size_t at = 0; at < numbers.size(); ++at) {
        const auto read = std::from_chars(text, end, numbers[at]);
        const bool isLast = at + 1 == numbers.size();
        if (read.ec != std::errc{} || (isLast ? read.ptr != end : *read.ptr != ',')) return;
        text = read.ptr + 1;
    }
    const auto given = [](std::uint64_t number) {
        return number != 0 ? std::optional(number) : std::nullopt;
    };
    instances = {numbers[0], given(numbers[1]), given(numbers[2]), given(numbers[3]), numbers[4]};
}

void take(const char* text, bool& value) noexcept {
    value = std::strcmp(text, "1") == 0;
}

template <NamedChoice Choice>
void take(const char* text, Choice& value) noexcept {
    if (const auto choice = choiceNamed<Choice>(text)) value = *choice;
}

}  // namespace

std::string encode(const Settings& settings) {
    std::string text;
    forEachSetting([&](std::string_view name, auto member) {
        if (settings.*member == Settings().*member) return;
        if (!text.empty()) text += kEnd;
        text += std::string(name) + '=' + settingText(settings.*member);
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
                if (name == known) take(equals + 1, settings.*member);
            });
        }
        part = end != nullptr ? end + 1 : nullptr;
    }
    return settings;
}

}  // namespace holos::tracing::core

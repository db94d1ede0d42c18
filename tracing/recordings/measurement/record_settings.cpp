// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/measurement/record_settings.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <system_error>
#include <type_traits>

#include "base/choice_words.h"
#include "base/error.h"

namespace holos::measurement {
namespace {

using nlohmann::json;

json jsonOf(AtMost value) {
    return value == AtMost(kAll) ? json() : json(value.zeroIfAll());
}
template <class Value>
json jsonOf(const std::optional<Value>& value) {
    return value ? json(*value) : json();
}
template <class Value>
json jsonOf(const Value& value) {
    if constexpr (std::is_enum_v<Value>)
        return holos::wordOf(value);
    else
        return value;
}

[[noreturn]] void refuse(const std::string& name, const json& value) {
    throw Error("the setting " + name + " is not understood: " + jsonText(value));
}

template <class Number>
bool isNumber(const json& value) {
    if constexpr (std::is_floating_point_v<Number>)
        return value.is_number();
    else
        return value.is_number_unsigned() && value.get<std::uint64_t>() <= std::numeric_limits<Number>::max();
}

void take(const std::string& name, const json& value, bool& setting) {
    if (!value.is_boolean()) refuse(name, value);
    setting = value.get<bool>();
}
void take(const std::string& name, const json& value, std::string& setting) {
    if (!value.is_string()) refuse(name, value);
    setting = value.get<std::string>();
}
template <class Number>
requires std::is_arithmetic_v<Number>
void take(const std::string& name, const json& value, Number& setting) {
    if (!isNumber<Number>(value)) refuse(name, value);
    setting = value.get<Number>();
}
template <class Number>
void take(const std::string& name, const json& value, std::optional<Number>& setting) {
    setting.reset();
    if (!value.is_null()) take(name, value, setting.emplace());
}
void take(const std::string& name, const json& value, AtMost& setting) {
    std::optional<std::size_t> limit;
    take(name, value, limit);
    setting = limit ? AtMost(*limit) : AtMost(kAll);
}
template <NamedChoice Choice>
void take(const std::string& name, const json& value, Choice& setting) {
    const auto choice = value.is_string() ? choiceNamed<Choice>(value.get<std::string>()) : std::nullopt;
    if (!choice) refuse(name, value);
    setting = *choice;
}

}  // namespace

std::string RecordSettings::tracedPhaseName() const {
    return traceShare ? tracePhase : tracePhase.substr(0, tracePhase.rfind(':'));
}

std::uint64_t RecordSettings::reserveOn(const std::filesystem::path& folder) const {
    if (diskReserve) return *diskReserve;
    constexpr std::uint64_t kMost = std::uint64_t{1} << 30;
    constexpr std::uint64_t kPart = 20;
    std::error_code error;
    const auto space = std::filesystem::space(folder, error);
    return error ? 0 : std::min<std::uint64_t>(kMost, space.capacity / kPart);
}

std::int64_t RecordSettings::sampledEvery() const {
    constexpr double kUsual = 100e6;
    return static_cast<std::int64_t>(sampleInterval.value_or(kUsual));
}

json settingsJson(const RecordSettings& settings) {
    json all = json::object();
    forEachRecordSetting([&](const std::string& name, auto member) { all[name] = jsonOf(settings.*member); });
    return all;
}

RecordSettings settingsFrom(const json& object) {
    RecordSettings settings;
    if (!object.is_object()) throw Error("no settings are named");
    forEachRecordSetting([&](const std::string& name, auto member) {
        if (const auto value = object.find(name); value != object.end()) take(name, *value, settings.*member);
    });
    return settings;
}

}  // namespace holos::measurement

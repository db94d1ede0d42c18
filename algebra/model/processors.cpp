// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/processors.h"

#include <algorithm>

#include "base/number.h"

namespace holos::algebra {

template <class Number>
std::optional<Number> numberOf(const Attributes& attributes, std::string_view key) {
    const auto found =
        std::ranges::find_if(attributes, [key](const auto& attribute) { return attribute.first == key; });
    if (found == attributes.end()) return std::nullopt;
    return asNumber<Number>(found->second);
}

template std::optional<std::uint32_t> numberOf(const Attributes& attributes, std::string_view key);
template std::optional<std::uint64_t> numberOf(const Attributes& attributes, std::string_view key);

std::optional<HardwarePlace> placeOf(const Location& location) {
    const auto socket = numberOf(location.attributes, kSocketAttribute);
    const auto core = numberOf(location.attributes, kCoreAttribute);
    if (!socket || !core) return std::nullopt;
    return HardwarePlace{*socket, *core, numberOf(location.attributes, kUnitAttribute).value_or(0)};
}

namespace {

std::optional<double> seconds(const Location& location, std::string_view key) {
    constexpr double kNanosecond = 1e-9;
    const auto number = numberOf<std::uint64_t>(location.attributes, key);
    return number ? std::optional(static_cast<double>(*number) * kNanosecond) : std::nullopt;
}

std::optional<double> numberAt(const Attributes& attributes, std::string_view key) {
    const auto found = std::ranges::find(attributes, key, &Attributes::value_type::first);
    return found != attributes.end() ? asNumber<double>(found->second) : std::nullopt;
}

}  // namespace

std::optional<ProcessorLimit> processorLimitOf(const Attributes& attributes) {
    const auto processors = numberAt(attributes, kProcessorLimitAttribute);
    if (!processors) return std::nullopt;
    return ProcessorLimit{*processors, numberAt(attributes, kStoppedByLimitAttribute).value_or(0)};
}

std::optional<double> machineUseOf(const Attributes& ofNode) {
    return numberAt(ofNode, kMachineUseAttribute);
}

std::optional<ProcessorTime> processorTimeOf(const Location& location) {
    const auto on = seconds(location, kOnProcessorsAttribute);
    if (!on) return std::nullopt;
    return ProcessorTime{*on, seconds(location, kWaitingForProcessorsAttribute),
                         seconds(location, kShortageAttribute)};
}

bool lacksProcessorTime(const Location& location) {
    const auto& all = location.attributes;
    const bool isTold = std::ranges::any_of(
        all, [](const auto& attribute) { return attribute.first == kOnProcessorsAttribute; });
    return isTold && !processorTimeOf(location);
}

}  // namespace holos::algebra

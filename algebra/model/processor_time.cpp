// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/model/processor_time.h"

#include <algorithm>

#include "algebra/model/hardware.h"
#include "base/number.h"

namespace holos::algebra {

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

// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/history/metric_names.h"

#include <algorithm>

namespace holos::algebra {
namespace {

bool isSafe(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == ':' || c == '=';
}

}  // namespace

std::optional<std::string> attribute(const Attributes& attributes, std::string_view key) {
    for (const auto& [name, value] : attributes)
        if (name == key) return value;
    return std::nullopt;
}

void setAttribute(Attributes& attributes, std::string_view key, std::string_view value) {
    std::erase_if(attributes, [key](const auto& each) { return each.first == key; });
    if (!value.empty()) attributes.emplace_back(key, value);
}

std::string safeUniqueName(std::string_view name) {
    std::string safe(name);
    std::ranges::replace_if(
        safe, [](char c) { return !isSafe(c); }, '_');
    return safe.empty() ? "_" : safe;
}

std::string eventName(const Metric& metric) {
    if (auto event = attribute(metric.attributes, kEventAttribute)) return *event;
    const bool shownAsIs =
        !metric.displayName.empty() && safeUniqueName(metric.displayName) == metric.uniqueName;
    return shownAsIs ? metric.displayName : metric.uniqueName;
}

bool isDerivedBySpecification(const Metric& metric) {
    return metric.origin != Origin::Measured;
}

std::string specifiedName(const Metric& metric) {
    if (!isDerivedBySpecification(metric) && !attribute(metric.attributes, kEventAttribute))
        return metric.uniqueName;
    const std::string_view shown = metric.displayName;
    return safeUniqueName(shown.starts_with('~') ? shown.substr(1) : shown);
}

}  // namespace holos::algebra

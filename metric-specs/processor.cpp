// SPDX-License-Identifier: BSD-3-Clause
#include "metric-specs/processor.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include "base/number.h"
#include "base/text.h"

namespace holos::specs {
namespace {

std::optional<std::uint64_t> integer(std::string_view text) {
    constexpr int kHexadecimal = 16;
    if (!text.starts_with("0x")) return takeLeadingNumber<std::uint64_t>(text);
    text.remove_prefix(2);
    return takeLeadingNumber<std::uint64_t>(text, kHexadecimal);
}

std::optional<double> megahertz(std::string_view text) {
    const auto value = takeLeadingNumber<double>(text);
    return value && std::isfinite(*value) && *value > 0.0 ? std::optional(*value * 1e6) : std::nullopt;
}

/// `Intel(R) Xeon(R) Gold 6148 CPU @ 2.40GHz`: what the maker promises, unlike the momentary `cpu MHz`.
std::optional<double> nominalHertz(std::string_view name) {
    const auto at = name.find("@ ");
    if (at == std::string_view::npos || !name.ends_with("GHz")) return std::nullopt;
    const auto value = megahertz(name.substr(at + 2));
    return value ? std::optional(*value * 1e3) : std::nullopt;
}

/// One line `key : value`.
void take(Processor& found, std::string_view key, std::string_view value) {
    if (key == "vendor_id" || key == "CPU implementer") {
        found.vendor = value;
    } else if (key == "cpu family" || key == "CPU architecture") {
        found.family = integer(value);
    } else if ((key == "model" && !found.model) || key == "CPU part") {
        if (const auto number = integer(value)) found.model = number;
    } else if (key == "stepping" || key == "CPU revision") {
        found.stepping = integer(value);
    } else if (key == "model name") {
        found.name = value;
    } else if (key == "cpu MHz" || key == "clock") {
        found.hertz = megahertz(value);
    } else if (key == "cpu" && value.starts_with("POWER")) {
        found.vendor = "IBM";
        found.name = value;
        found.family = integer(value.substr(5));
    }
}

std::optional<double> firstNumber(const char* file, double unit) {
    std::ifstream in(file);
    double value = 0.0;
    if (!(in >> value) || value <= 0.0) return std::nullopt;
    return value * unit;
}

bool among(const std::vector<NumberRange>& ranges, std::optional<std::uint64_t> number) {
    if (ranges.empty()) return true;
    return number && std::ranges::any_of(ranges, [number](const NumberRange& range) {
               return range.first <= *number && *number <= range.last;
           });
}

}  // namespace

Processor parseCpuinfo(std::string_view text) {
    Processor found;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) {
            if (!found.vendor.empty() && found.family) break;  // the next processor follows
            continue;
        }
        take(found, trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
    }
    if (const auto nominal = nominalHertz(found.name)) found.hertz = nominal;
    return found;
}

Processor thisProcessor() {
    std::ifstream file("/proc/cpuinfo");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    Processor found = parseCpuinfo(text);
    if (!nominalHertz(found.name))
        if (const auto base = firstNumber("/sys/devices/system/cpu/cpu0/cpufreq/base_frequency", 1e3))
            found.hertz = base;
    return found;
}

bool ProcessorPattern::matches(const Processor& processor) const {
    return vendor == processor.vendor && among(family, processor.family) && among(model, processor.model) &&
           among(stepping, processor.stepping);
}

bool Platform::matches(const Processor& processor) const {
    return std::ranges::any_of(
        patterns, [&processor](const ProcessorPattern& each) { return each.matches(processor); });
}

}  // namespace holos::specs

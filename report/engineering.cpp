// SPDX-License-Identifier: BSD-3-Clause
#include "report/engineering.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace holos::report {

namespace {

constexpr std::array kPrefixes{"a", "f", "p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E"};
constexpr int kNone = 6;  ///< place of the empty one
constexpr int kStep = 3;  ///< powers of ten between two
constexpr int kDigits = 4;
constexpr double kExact = 1e4;

/// Behind the first digit that is not zero.
int powerOf(double value) {
    // As it is written: 999.96 has four digits as 1000.
    const std::string written = fmt::format("{:.{}e}", value, kDigits - 1);
    return std::stoi(written.substr(written.find('e') + 1));
}

}  // namespace

std::string fourDigits(double value) {
    if (!std::isfinite(value)) return "–";
    if (value == 0.0) return "0";
    return fmt::format("{:.{}f}", value, std::clamp(kDigits - 1 - powerOf(value), 0, kDigits));
}

std::string engineering(double value) {
    if (!std::isfinite(value)) return "–";
    if (value == 0.0) return "0";
    if (std::fabs(value) < kExact && value == std::floor(value)) return fmt::format("{:.0f}", value);
    const int group = static_cast<int>(std::floor(powerOf(value) / static_cast<double>(kStep)));
    const int place = std::clamp(group, -kNone, static_cast<int>(kPrefixes.size()) - 1 - kNone);
    const std::string number = fourDigits(value / std::pow(10.0, kStep * place));
    const char* prefix = kPrefixes[static_cast<std::size_t>(place + kNone)];
    return *prefix == '\0' ? number : number + ' ' + prefix;
}

std::string shownSeconds(double value) {
    if (!std::isfinite(value) || value == 0.0) return engineering(value);
    // Of a thousand seconds nobody says a kilosecond.
    if (powerOf(value) >= 0) return fourDigits(value) + " s";
    const std::string text = engineering(value);
    return text + (text.find(' ') == std::string::npos ? " s" : "s");
}

}  // namespace holos::report

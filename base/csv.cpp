// SPDX-License-Identifier: BSD-3-Clause
#include "base/csv.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/printable.h"

namespace holos {
namespace {

bool isNumber(std::string_view text) {
    if (text.starts_with('+') && text.substr(1, 1) != "-") text.remove_prefix(1);
    double value = 0.0;
    const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), value);
    return trouble != std::errc::invalid_argument && end == text.data() + text.size();
}

}  // namespace

std::string withoutFormula(std::string_view text) {
    constexpr std::string_view kBegins = "=+-@\t\r\n";
    const bool guarded =
        !text.empty() && kBegins.find(text.front()) != std::string_view::npos && !isNumber(text);
    return (guarded ? "'" : "") + std::string(text);
}

std::string csvField(std::string_view text) {
    const std::string safe = printableLines(withoutFormula(text));
    if (safe.find_first_of(",\"\r\n") == std::string::npos) return safe;
    std::string quoted = "\"";
    for (const char c : safe) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

std::string csvField(double value) {
    return std::isnan(value) ? std::string() : fmt::format("{}", value);
}

}  // namespace holos

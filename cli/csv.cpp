// SPDX-License-Identifier: BSD-3-Clause
#include "cli/csv.h"

#include <fmt/format.h>

#include <cmath>

namespace holos::cli {

std::string csvField(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

std::string csvField(double value) {
    return std::isnan(value) ? std::string() : fmt::format("{}", value);
}

}  // namespace holos::cli

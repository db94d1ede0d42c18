// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace holos {

/// A text that no spreadsheet takes for a formula: an apostrophe stands before one that begins with `=`, `+`,
/// `-`, `@`, a tab or the end of a line and is no number.
std::string withoutFormula(std::string_view text);

/// A field as RFC 4180 wants it, without formula, and without what would steer a terminal (`printableLines`).
std::string csvField(std::string_view text);
inline std::string csvField(const std::string& text) {
    return csvField(std::string_view(text));
}
inline std::string csvField(const char* text) {
    return csvField(std::string_view(text));
}

/// Exact, and empty where undefined.
std::string csvField(double value);

}  // namespace holos

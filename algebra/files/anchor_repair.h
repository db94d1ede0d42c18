// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace holos::algebra {

/// Turns what CUBE's writers call XML into XML: quotes bare attribute values (`rowwise=false`), escapes stray
/// `&` and `<`, reads bytes that are not UTF-8 as Latin-1, and replaces control characters by spaces. Line
/// breaks stay where they are, so that line numbers keep their meaning.
std::string repairAnchor(std::string_view text);

/// The bytes as valid UTF-8 without the control characters that XML forbids: see `repairAnchor`.
std::string toXmlCharacters(std::string_view text);

}  // namespace holos::algebra

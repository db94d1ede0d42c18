// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace holos {

/// The text on one line, without what would steer a terminal or change how it reads: a blank stands for each
/// control (C0, DEL, C1), separator of lines and mark of writing direction (U+202E and its like), U+FFFD for
/// each byte that is not UTF-8.
std::string printable(std::string_view text);

/// `printable` for a text of several lines: line feeds and tabs stay.
std::string printableLines(std::string_view text);

/// `printableLines` for text with colours: the sequences that only set those (`ESC [ … m`) stay, too.
std::string printableColours(std::string_view text);

/// How many columns a text takes: its UTF-8 characters.
std::size_t columnsOf(std::string_view text);

/// The text in at most so many columns, cut at its start or its end and marked with `…`. 0: as it is.
std::string keepEnd(const std::string& text, std::size_t columns);
std::string keepBegin(const std::string& text, std::size_t columns);

}  // namespace holos

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace holos {

/// How many columns a text takes: its UTF-8 characters.
std::size_t columnsOf(std::string_view text);

/// The text in at most so many columns, cut at its start or its end and marked with `…`. 0: as it is.
std::string keepEnd(const std::string& text, std::size_t columns);
std::string keepBegin(const std::string& text, std::size_t columns);

}  // namespace holos

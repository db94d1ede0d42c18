// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "cli/terminal/terminal.h"

namespace holos::cli {

/// The text in lines as long as the terminal allows, or of 100 columns where there is none; the first begins
/// with `first`, the others with as many blanks. Ends with a line's end.
std::string wrapped(const std::string& text, std::string_view first, const Style& style);

}  // namespace holos::cli

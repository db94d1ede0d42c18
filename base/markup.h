// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace holos {

/// The text on one line as HTML and XML take it, between tags and within quoted attributes.
std::string escaped(std::string_view text);

/// The text on one line of Markdown, in a table or not: nothing in it is a mark.
std::string escapedMarkdown(std::string_view text);

}  // namespace holos

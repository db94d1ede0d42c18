// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace holos::cli {

/// The text as HTML and XML take it, between tags and within quoted attributes.
std::string escaped(std::string_view text);

}  // namespace holos::cli

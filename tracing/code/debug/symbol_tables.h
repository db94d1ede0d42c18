// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string_view>

namespace holos::code {

/// Both never throw: a file that cannot be read has no symbols. Symbols are given as the linker has them.

/// Whether a file has the symbol among those that libraries share, defined or not.
bool sharesSymbol(const std::filesystem::path& file, std::string_view symbol);

/// Whether a function is part of a file. One that was stripped no longer tells.
bool definesFunction(const std::filesystem::path& file, std::string_view symbol);

}  // namespace holos::code

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace holos {

/// What a symbol of Rust stands for, as the source writes it and without the crates' hashes: of the scheme
/// that begins with `_R` (RFC 2603, "v0"), or of the older one, `_ZN…17h` and sixteen hexadecimal digits `E`.
/// None for other symbols, and for damaged ones or those whose text is longer than 64 KiB.
std::optional<std::string> rustName(std::string_view symbol);

}  // namespace holos

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace holos {

/// The path that a symbol of Rust's "v0" scheme (RFC 2603) stands for; `mangled` is what follows its `_R`.
/// Used by `rustName`.
std::optional<std::string> rustV0Name(std::string_view mangled);

/// An identifier with characters beyond ASCII (RFC 3492, with `_` for the last `-`); none where it is
/// damaged.
std::optional<std::string> fromPunycode(std::string_view encoded);

}  // namespace holos

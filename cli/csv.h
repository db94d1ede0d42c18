// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace holos::cli {

/// A field as RFC 4180 wants it.
std::string csvField(const std::string& text);

/// Exact, and empty where undefined.
std::string csvField(double value);

}  // namespace holos::cli

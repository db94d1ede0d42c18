// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

/// Names of regions that are no functions of a program: what the analysis or a recorder puts into call paths.
namespace holos::algebra {

inline constexpr std::string_view kFlushRegionName = "TRACE BUFFER FLUSH";
inline constexpr std::string_view kOffRegionName = "MEASUREMENT OFF";
/// The thread could run there, and had no processor.
inline constexpr std::string_view kShortageRegionName = "WAITING FOR A PROCESSOR";

}  // namespace holos::algebra

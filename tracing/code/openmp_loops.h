// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "tracing/code/debug/call_lines.h"

namespace holos::code {

/// The line of the directive of a loop of OpenMP, by the call that begins the loop, which stands on
/// `line` of the file.
/// Where it cannot be known among several, the line on which the function begins that the loop is in; `line`
/// where the source has no directive for it.
///
/// gcc gives the call the line of what its code has before it: that is what stands before the directive, or,
/// optimised, mostly the first statement of the loop's head, `int i = 0`.
std::uint32_t lineOfLoop(const CallLines& call, const std::string& file, std::uint32_t line);

}  // namespace holos::code

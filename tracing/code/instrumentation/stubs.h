// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace holos::instrumentation {

/// `__holos_begin` and `__holos_end` for an assembly of x86-64. One of each remains in a program or library.
/// They go on to `holos_function_begin` and `holos_function_end` of the recorder, where there is one, and
/// change no register: functions call the first before they look at their arguments, and the second when
/// their results, or the arguments of a last call that is a jump, are in their places.
std::string_view stubs();

}  // namespace holos::instrumentation

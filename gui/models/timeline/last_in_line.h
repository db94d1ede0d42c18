// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/resource.h>

#include <algorithm>

namespace holos::gui {

/// From now on the calling thread, and those that it starts, let every other thread go first that wants a
/// processor: they hardly slow down what a person waits for. There is no way back.
inline void becomeLastInLine() {
    constexpr int kNiceness = 10;  // as `nice` has it; on Linux, of the thread alone
    setpriority(PRIO_PROCESS, 0, std::max(kNiceness, getpriority(PRIO_PROCESS, 0)));
}

}  // namespace holos::gui

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/resource.h>

#include <QCoreApplication>
#include <QThreadPool>
#include <algorithm>

namespace holos::gui {

/// From now on the calling thread, and those that it starts, let every other thread go first that wants a
/// processor: they hardly slow down what a person waits for. There is no way back.
inline void becomeLastInLine() {
    constexpr int kNiceness = 10;  // as `nice` has it; on Linux, of the thread alone
    setpriority(PRIO_PROCESS, 0, std::max(kNiceness, getpriority(PRIO_PROCESS, 0)));
}

/// For work that calls `becomeLastInLine` first. Nobody waits for its threads but the end of the application.
inline QThreadPool& lastInLine() {
    static QThreadPool pool;
    static const bool waits = (qAddPostRoutine([] { pool.waitForDone(); }), true);
    (void)waits;
    return pool;
}

}  // namespace holos::gui

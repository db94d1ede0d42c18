// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/support/trace_builder.h"

namespace holos::testing {

/// Ten iterations, in which the second process waits for the work of the first one: `work` ticks, in the
/// seventh iteration `slowWork`. Each takes 30 ticks more.
inline void tellLoop(TraceBuilder& trace, Tick work, Tick slowWork) {
    LocationScript& sender = trace.on(0).enter(0, "main");
    LocationScript& receiver = trace.on(1).enter(0, "main");
    Tick begin = 100;
    for (int step = 1; step <= 10; ++step) {
        const Tick spent = step == 7 ? slowWork : work;
        sender.enter(begin, "step").call(begin + 10, begin + 10 + spent, "work");
        sender.send(begin + 20 + spent, begin + 22 + spent, {.peer = 1, .bytes = 8, .tag = 7});
        receiver.enter(begin, "step");
        receiver.recv(begin + 5, begin + 23 + spent, {.peer = 0, .bytes = 8, .tag = 7});
        begin += 30 + spent;
        sender.leave(begin);
        receiver.leave(begin);
    }
    sender.leave(begin + 100);
    receiver.leave(begin + 100);
}

}  // namespace holos::testing

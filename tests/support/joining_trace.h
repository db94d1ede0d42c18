// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <numeric>
#include <vector>

#include "tests/support/trace_builder.h"

namespace holos::testing {

/// Threads of one process that make and join each other. The first one is in `main` from 0 on.
class JoiningTrace {
  public:
    explicit JoiningTrace(unsigned threads) : trace(1, threads) {
        trace.region("pthread_join", {OTF2_PARADIGM_PTHREAD, OTF2_REGION_ROLE_THREAD_WAIT, "PTHREAD"});
        std::vector<unsigned> all(threads);
        std::iota(all.begin(), all.end(), 0U);
        group_ = trace.team(0, all);
        on(0).enter(0, "main");
    }
    LocationScript& on(unsigned thread) { return trace.on(0, thread); }
    /// `maker` makes a thread, which begins at once.
    void make(unsigned maker, unsigned thread, Tick tick) {
        event(maker, OTF2_EvtWriter_ThreadCreate, tick, thread);
        event(thread, OTF2_EvtWriter_ThreadBegin, tick, thread);
        on(thread).enter(tick, "body");
    }
    void end(unsigned thread, Tick tick) {
        on(thread).leave(tick);
        event(thread, OTF2_EvtWriter_ThreadEnd, tick, thread);
    }
    void join(unsigned waiter, unsigned thread, Tick from, Tick to) {
        on(waiter).enter(from, "pthread_join");
        event(waiter, OTF2_EvtWriter_ThreadWait, to, thread);
        on(waiter).leave(to);
    }
    /// Whose time is over before the thread has ended.
    void joinInVain(unsigned waiter, Tick from, Tick to) { on(waiter).call(from, to, "pthread_join"); }
    TraceBuilder trace;

  private:
    template <class Write>
    void event(unsigned thread, Write write, Tick tick, unsigned number) {
        on(thread).record([=, time = trace.timestamp(tick), group = group_](OTF2_EvtWriter* out) {
            return write(out, nullptr, time, group, number);
        });
    }

    OTF2_CommRef group_ = 0;
};

}  // namespace holos::testing

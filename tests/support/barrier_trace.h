// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/support/trace_builder.h"

namespace holos::testing {

/// A run of 13 ticks, of one process: in a parallel region from 1 to 10 the first thread works until 2, the
/// second one until 8, and both are in a barrier until 9.
inline void tellSlowThread(TraceBuilder& trace) {
    constexpr const char* kParallel = "!$omp parallel @test.c:10";
    constexpr const char* kBarrier = "!$omp barrier @test.c:12";
    trace.on(0).enter(0, "main").fork(1, 2);
    for (unsigned thread = 0; thread < 2; ++thread) trace.on(0, thread).teamBegin(1).enter(1, kParallel);
    trace.on(0, 0).call(1, 2, "work").call(2, 9, kBarrier).leave(10).teamEnd(10);
    trace.on(0, 1).call(1, 8, "work").call(8, 9, kBarrier).leave(10).teamEnd(10);
    trace.on(0).join(10).leave(13);
}

}  // namespace holos::testing

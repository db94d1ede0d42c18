// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "tracing/counters/perf_event_names.h"

namespace holos::counters {

struct PerfOpening {
    int leader = -1;           ///< whose group the event joins; -1: a new one
    std::uint64_t period = 0;  ///< events from one interrupt to the next; 0: it is only counted
    int processor = -1;        ///< on which everybody is counted; -1: the thread, wherever it runs
    /// 0: the calling one. An event of another one is read by itself: value, time enabled, time running.
    int thread = 0;
    bool isInherited = false;  ///< also counts what the thread starts later
};

/// Opens the event for a thread. Counts the kernel's part as well where that is allowed. The file's
/// number is out of the way of those that the program counts on. An errno as a negative number when it cannot
/// be counted.
int openPerfEvent(const PerfEvent& event, const PerfOpening& how = {});

/// What an error of `openPerfEvent` means, and what would help.
std::string reasonNotToOpen(int error, const PerfEvent& event);

}  // namespace holos::counters

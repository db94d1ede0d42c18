// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>

#include "tracing/recordings/archive/plan/trace_plan.h"

namespace holos::archive {

/// How far the threads of a process were recorded.
struct RecordedExtent {
    /// Ticks until when they did what they had begun: the process's orderly end, the moment at which it is
    /// looked at while it runs, or the last event of any of them. Nothing where they may have gone on
    /// unrecorded.
    std::optional<std::uint64_t> end;
    /// Ticks of the process's end, where some of them were not recorded until then.
    std::optional<std::uint64_t> endOfUnrecorded;
    /// When others saw its end, in nanoseconds of its host's CLOCK_MONOTONIC_RAW, where it did not end in
    /// order: nobody knows what its threads did after their last events.
    std::optional<std::int64_t> seenEnd;
    /// All of them were not; else those whose files are full.
    bool allStopped = false;
};

RecordedExtent extentOf(const TraceProcess& process);

/// Ticks until when a process was there that was not ended by others: its orderly end, or the moment at which
/// it is looked at while it runs.
std::optional<std::uint64_t> orderlyEnd(const RecordedProcess& recorded);

}  // namespace holos::archive

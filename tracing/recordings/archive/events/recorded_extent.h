// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tracing/recordings/archive/code_names/sampled_code.h"
#include "tracing/recordings/archive/events/location_writer.h"
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
    /// All of its threads stopped recording before their end; else those whose files are full.
    bool allStopped = false;
};

RecordedExtent extentOf(const TraceProcess& process);

/// Ticks until when a process was there that was not ended by others: its orderly end, or the moment at which
/// it is looked at while it runs.
std::optional<std::uint64_t> orderlyEnd(const RecordedProcess& recorded);

/// Where the threads of programs that did not end in order were at their last event, or those of programs
/// that go on at the moment of a snapshot.
class StopPlaces {
  public:
    void add(const std::string& thread, const LocationResult& done, bool goesOn);

    /// One sentence for each place: `MPI Rank 0, MPI Rank 3 stopped in main / solve @app.c:38 / MPI_Recv
    /// @app.c:14`, or `stopped after` that, for a thread that computed; `went on` for those that go on. The
    /// lines are those of the calls. When all contexts are known.
    std::vector<std::string> notes(const TracePlan& plan, const SampledCode& code) const;

  private:
    struct Place {
        std::string thread;
        std::vector<std::uint32_t> open;
        std::optional<LastRegion> last;
        bool goesOn;
    };
    std::vector<Place> places_;
};

}  // namespace holos::archive

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tracing/recordings/archive/code_names/sampled_code.h"
#include "tracing/recordings/archive/events/location_result.h"
#include "tracing/recordings/archive/plan/trace_plan.h"

namespace holos::archive {

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

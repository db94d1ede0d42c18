// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/predict/packed_marks.h"

/// A run as a graph that can be timed again: what each location does one after the other, and what it has to
/// wait for.
namespace holos::analyzer::predict {

/// Several who wait for each other: complete when all have come.
struct Meeting {
    std::uint32_t arrivals = 0;  ///< how many have to come
    std::uint32_t next = kNone;  ///< a meeting that this one counts for as an arrival
};

struct LocationGraph {
    PackedMarks marks;          ///< in their order
    Ticks first = 0;            ///< the times of the first and
    Ticks last = 0;             ///< of the last one
    std::uint32_t awaited = 0;  ///< how many of them others wait for
};

/// What the graph had to leave out.
struct Omissions {
    std::uint64_t contradicted = 0;  ///< dependencies that the recorded times exclude
    std::uint64_t unmatched = 0;     ///< messages of which only one end is known
    /// Stays in calls that found nothing, and ended before what they ask for began.
    std::uint64_t inVain = 0;
};

struct RunGraph {
    std::vector<LocationGraph> locations;  ///< by trace::LocationId
    Records<Meeting> meetings{heap()};
    std::uint64_t dependencies = 0;  ///< of all marks
    Omissions omissions;
};

}  // namespace holos::analyzer::predict

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

#include "analyzer/timeline/region_times.h"
#include "analyzer/trace/classification.h"
#include "analyzer/trace/excerpt.h"
#include "analyzer/trace/quiet_calls.h"

namespace holos::analyzer::timeline {

/// What the levels need of one location.
struct LocationContent {
    RegionTimes times;
    std::vector<trace::Checkpoint> checkpoints;
    std::vector<trace::QuietCalls> quiet;
    std::vector<trace::MessageEnd> messages;
};

struct LocationQuestion {
    const std::filesystem::path& anchor;
    const trace::Definitions& definitions;
    const std::vector<trace::RegionClass>& classes;
    const TimeGrid& grid;
    std::uint64_t chunkSize;  ///< of the files of events
    std::uint64_t oneOf = 1;  ///< messages of so many channels are kept of one
    const std::atomic<bool>& stopped;
    std::function<void(std::uint64_t)> progress;  ///< with the number of further events
};

/// Thread safety: one thread for each location.
LocationContent readLocation(const LocationQuestion& question, trace::LocationId location);

}  // namespace holos::analyzer::timeline

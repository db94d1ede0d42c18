// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "analyzer/memory/records.h"
#include "analyzer/replay/reading_times.h"
#include "analyzer/replay/team_board.h"
#include "analyzer/trace/classification.h"
#include "analyzer/trace/definitions.h"

namespace holos::analyzer::replay {

/// What all replays share and only read.
struct Context {
    const trace::Definitions& definitions;
    const std::vector<trace::RegionClass>& classes;  ///< by region
    TeamBoard& board;
    bool withProfiles = false;  ///< time per call path between synchronization points is wanted
    Memory memory = heap();     ///< for records
    /// Where a location's time is cut, so that what was read for it can be shared out.
    ReadingTimes readingTimes = {};
};

}  // namespace holos::analyzer::replay

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "analyzer/predict/graph.h"
#include "analyzer/predict/network.h"

namespace holos::analyzer::predict {

/// What is different from the recorded run.
struct Changes {
    /// By location and mark: how much less the work before the mark takes. An empty list: nothing changes
    /// there.
    std::vector<std::vector<Ticks>> saved;
    /// The same for `Mark::tasks`.
    std::vector<std::vector<Ticks>> savedTasks;
    /// By location and mark: what is not executed at all, and waits for nobody.
    std::vector<std::vector<bool>> removed;
    std::optional<Network> network;
    bool locksAreFree = false;  ///< nobody waits for a lock
};

/// When a run would have come to its marks.
struct Timing {
    std::vector<std::vector<Ticks>> times;  ///< by location and mark
    Ticks begin = 0;
    Ticks end = 0;
    std::uint64_t forced = 0;  ///< marks that waited for each other in a circle

    Ticks duration() const { return end - begin; }
};

/// Times the graph again: work takes as long as recorded, less what is saved; where a location waits, it goes
/// on when all that it depends on has come, and then for as long as it took after that in the recording. So a
/// replay without changes gives the recorded times, tick by tick. The effort grows as the graph does.
Timing retime(const RunGraph& graph, const Network& recorded, const Changes& changes);

}  // namespace holos::analyzer::predict

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <unordered_map>

#include "analyzer/replay/local_tree.h"

namespace holos::analyzer::replay {

/// Call paths of functions that were not entered, but seen by samples of the call stack: below the call path
/// in which the thread was, functions and the lines in them in turn.
///
///     program / MPI_Send / solve / solver.c:17 / exchange / solver.c:4
///
/// They have neither time nor visits, so that those of regions stay what they are.
class SampledCalls {
  public:
    SampledCalls(const trace::Definitions& definitions, const std::vector<trace::RegionClass>& classes,
                 LocalTree& tree)
        : definitions_(definitions), classes_(classes), tree_(tree) {}

    /// The call path of a sample that was taken while the thread was in `around`.
    NodeId at(NodeId around, trace::ContextId context);

  private:
    NodeId make(NodeId around, trace::ContextId context);
    bool isAround(NodeId node, RegionId function) const;

    const trace::Definitions& definitions_;
    const std::vector<trace::RegionClass>& classes_;
    LocalTree& tree_;
    std::unordered_map<std::uint64_t, NodeId> known_;  ///< by both
};

}  // namespace holos::analyzer::replay

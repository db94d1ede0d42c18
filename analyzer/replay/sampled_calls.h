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
    /// The call path from which the function of a context is entered: functions between it and `around` that
    /// were not entered stand there without lines.
    NodeId callerOf(NodeId around, trace::ContextId context);

  private:
    NodeId make(NodeId around, trace::ContextId context, bool withLines);
    std::size_t innermostEntered(NodeId node, const std::vector<trace::ContextId>& calls) const;
    bool isSameFunction(RegionId entered, RegionId sampled) const;

    const trace::Definitions& definitions_;
    const std::vector<trace::RegionClass>& classes_;
    LocalTree& tree_;
    std::unordered_map<std::uint64_t, NodeId> known_;    ///< by both
    std::unordered_map<std::uint64_t, NodeId> callers_;  ///< by both
};

}  // namespace holos::analyzer::replay

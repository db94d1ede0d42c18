// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "analyzer/predict/graph.h"
#include "analyzer/trace/definitions.h"

namespace holos::analyzer::predict {

/// What a process has to do with others in each part of the run.
enum class Tie : std::uint8_t {
    Mutual,  ///< it waited for another one, and another one for it
    Any      ///< one of both
};

/// Recorded times that divide the run into the shortest parts in each of which every process that is ever so
/// tied to others is tied to some. Collective operations tie their members mutually, messages only those who
/// receive them to their senders.
std::vector<Ticks> windowsOf(const RunGraph& graph, const trace::Definitions& definitions, Tie tie);

}  // namespace holos::analyzer::predict

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/paths/call_tree_merge.h"
#include "analyzer/patterns/metric.h"
#include "analyzer/patterns/waits.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::assemble {

/// One wait, to look at in a timeline.
struct Instance {
    const patterns::Metric* metric = nullptr;
    trace::Ticks wait = 0;
    trace::Ticks begin = 0;  ///< of the call that waits
    trace::LocationId location;
    algebra::CallPathId path;
    std::optional<trace::LocationId> awaited;  ///< whom it waits for, where that is one
};

/// Of each wait state the longest waits, at most `limit` and each in another call path; the longest first.
/// Equally long ones in the order of time and location.
std::vector<Instance> severestInstances(const patterns::JudgedTrace& run, const paths::MergedTree& merged,
                                        workers::Workers& workers, std::size_t limit = 5);

/// As lines of text with a heading, fields separated by tabulators: metric, waiting time and begin in
/// seconds, location, awaited location (or nothing), call path.
std::string describe(const std::vector<Instance>& instances, const trace::Definitions& definitions,
                     const paths::MergedTree& merged);

}  // namespace holos::analyzer::assemble

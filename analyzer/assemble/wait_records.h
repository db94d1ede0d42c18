// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algebra/model/communication.h"
#include "algebra/model/wait_files.h"
#include "analyzer/paths/call_tree_merge.h"
#include "analyzer/patterns/metric.h"
#include "analyzer/patterns/waits.h"
#include "analyzer/replay/replayed_trace.h"
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
std::string instancesText(const std::vector<Instance>& instances, const trace::Definitions& definitions,
                          const paths::MergedTree& merged);

/// How the waits of each wait state are spread over the time of the trace; each counts in the part in which
/// its call begins. Wait states without waits are left out. After patterns.
std::vector<algebra::WaitCourse> waitCourses(const patterns::JudgedTrace& run, workers::Workers& workers);

/// What was waited in each of the periods in which a trace was recorded, where recording was switched off and
/// on (`MEASUREMENT OFF`): the n-th of all processes count as one, as long as all have it. Without periods
/// where recording was never switched. After patterns.
algebra::PeriodWaits periodWaits(const patterns::JudgedTrace& run, const replay::ReplayedCalls& calls,
                                 workers::Workers& workers);

/// Who sent how much to whom in messages of two, and who waited for whom: what `comms_send`, `syncs_send`,
/// `bytes_sent`, Late Sender and Late Receiver count, by sender and receiver. Of one-sided operations what
/// `bytes_put` and `bytes_get` count, from the process that had the bytes to the one that has them
/// afterwards.
std::vector<algebra::Traffic> communication(const patterns::JudgedTrace& run, workers::Workers& workers);

}  // namespace holos::analyzer::assemble

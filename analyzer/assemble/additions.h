// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "algebra/model/experiment.h"
#include "analyzer/paths/call_tree_merge.h"
#include "analyzer/replay/replayed_trace.h"
#include "analyzer/trace/definitions.h"

/// What is added to an experiment that has its other values.
namespace holos::analyzer::assemble {

/// An attribute of the experiment: how much of its time was shared out by samples.
inline constexpr const char* kSampledTimeAttribute = "holos::sampled time";

/// Says of an experiment, and of its metrics, that parts of the time are estimates. Nothing where no time was
/// shared out by samples.
void markSampledTime(algebra::Experiment& experiment, const replay::ReplayedCalls& calls);

/// Adds how much of each thread's computation it cannot have spent on a processor (`off_processor`), and how
/// much of that it cannot have waited for one either (`unseen_sleep`, nothing where that time is not known):
/// its computation without the time that it was on processors. Both are least values, as what it did in other
/// calls on a processor is not known apart. They stand at the thread's root. Nothing where the trace does not
/// tell these times of any thread.
///
/// ```
///   thread   computation ━━━━━━━━━━━━━━━━━━━━━━━  MPI ━━━━
///   kernel   on a processor ━━━━━━━━┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄ ━━━━   ┄ asleep, or waiting for a processor
/// ```
void addOffProcessor(algebra::Experiment& experiment);

/// Time in the call that a process never returned from: it ended there.
struct UnfinishedCall {
    algebra::CallPathId path;
    algebra::LocationId thread;
    double seconds = 0;
};
/// Of the first threads of processes.
std::vector<UnfinishedCall> unfinishedCalls(const replay::ReplayedCalls& calls,
                                            const paths::MergedTree& merged);

/// Adds them as a metric beside `time`, which has no more of them than was recorded; nothing where there are
/// none.
///
/// ```
///   process   MPI_Send  ━━━━━━ MPI_Recv ━━━━━━━━━━━━━━━━━━│ ended by a signal, or by _exit in that call
/// ```
void addUnfinishedCalls(algebra::Experiment& experiment, const std::vector<UnfinishedCall>& unfinished);

/// Gives nodes and locations the properties that the trace's writer gave them, and the experiment the machine
/// as a topology where they tell of it.
void addHardware(algebra::Experiment& experiment, const trace::Definitions& definitions);

/// The machine as a grid in which each thread stands where it was found for the longest time: cores of a
/// socket, hardware threads of a core, sockets of a node, nodes. Dimensions of size 1 are left out, but for
/// the cores. Nothing where it is known of no thread.
std::optional<algebra::Topology> hardwareTopology(const algebra::SystemTree& system);

}  // namespace holos::analyzer::assemble

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "analyzer/replay/call_stack.h"
#include "analyzer/replay/explicit_tasks.h"
#include "analyzer/replay/team_recorder.h"
#include "analyzer/trace/diagnosis.h"

namespace holos::analyzer::replay {

/// What forks and teams of threads do to a location's call stack: a worker's regions stand below those of its
/// master. Thread safety: one thread for each location.
class TeamStays {
  public:
    TeamStays(const Context& context, trace::LocationId self, CallStack& stack, ExplicitTasks& tasks,
              TeamRecorder& teams, DiagnosisLog& log)
        : context_(context), self_(self), stack_(stack), tasks_(tasks), teams_(teams), log_(log) {}

    /// Since a fork that was not joined yet, but not in its parallel region.
    bool isBesideRegionOfFork() const;
    /// Between its parallel region and the join a master is where it forked.
    void backToFork();
    /// At the call path of the innermost fork.
    bool isForking() const { return teams_.isInFork() && teams_.innermostFork().parent == stack_.current(); }

    /// `site`: where the master calls the parallel region.
    TeamKey begin(std::uint64_t event, Ticks time, std::uint32_t comm, trace::SiteId site);
    /// The regions that were entered in the team are left.
    TeamKey end();

    /// The call path of a worker's part of a parallel region, which continues its master's: its own stack
    /// knows nothing of that. Nothing for other regions.
    std::optional<NodeId> shareOf(RegionId region);

    /// The location is a thread's own: what it calls stands below all threads.
    void beginThread();
    /// Tells others what they cannot know of this location, which has ended.
    void finish();

  private:
    const Context& context_;
    trace::LocationId self_;
    CallStack& stack_;
    ExplicitTasks& tasks_;
    TeamRecorder& teams_;
    DiagnosisLog& log_;
};

}  // namespace holos::analyzer::replay

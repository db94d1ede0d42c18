// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "analyzer/replay/call_stack.h"
#include "analyzer/replay/local_tree.h"
#include "analyzer/replay/task_places.h"
#include "analyzer/replay/team_recorder.h"
#include "analyzer/trace/diagnosis.h"

namespace holos::analyzer::replay {

/// Tasks of runtime systems such as HPX, as APEX records them: regions with the role of a task, whose enter
/// and leave have the task's number. A task may be suspended, which has no event, and go on and end on
/// another worker:
///
///     worker 1   ├enter a (7)   ├enter b (8)            ├enter a (9)
///     worker 2                     leave a (7)┤   leave b (8)┤
///
/// The enter of a task ends the time of the one before in this worker, and is no call from there. Of a
/// task that ends elsewhere it is not known when it was suspended; its time lasts until the worker's next
/// task. Thread safety: one thread for each location.
class MovingTasks {
  public:
    struct Task {
        std::uint64_t number;
        NodeId node;
        std::size_t depth;  ///< of the call stack below its region
    };

    const std::optional<Task>& running() const { return running_; }
    /// Another one begins, or there is none any more: it may go on later.
    void park() {
        constexpr std::size_t kMost = 100'000;  // those that end elsewhere stay here for good
        if (parked_.size() >= kMost) parked_.clear();
        if (running_) parked_[running_->number] = running_->node;
        running_.reset();
    }
    void begin(const Task& task) { running_ = task; }
    void end() { running_.reset(); }
    /// The call path of one that was suspended here, and ends; nothing for one that began elsewhere.
    std::optional<NodeId> endParked(std::uint64_t number) {
        const auto found = parked_.find(number);
        if (found == parked_.end()) return std::nullopt;
        const NodeId node = found->second;
        parked_.erase(found);
        return node;
    }

  private:
    std::optional<Task> running_;
    std::unordered_map<std::uint64_t, NodeId> parked_;  ///< by number
};

struct TaskKey {
    std::uint32_t comm = kNone;
    std::uint32_t creator = 0;     ///< rank in the team
    std::uint32_t generation = 0;  ///< 0: the implicit task
    friend auto operator<=>(const TaskKey&, const TaskKey&) = default;
};

/// The explicit tasks that a location runs: while one does, its frames are on the call stack, and those of
/// the implicit task are put aside. Thread safety: one thread for each location.
class ExplicitTasks {
  public:
    ExplicitTasks(const Context& context, CallStack& stack, TeamRecorder& teams, DiagnosisLog& log)
        : context_(context), stack_(stack), teams_(teams), log_(log) {}

    bool isRunning() const { return run_.task != nullptr; }
    void switchTo(const TaskKey& key);
    /// Back to the implicit task, when an explicit one runs.
    void suspend();
    void complete(std::uint64_t event, Ticks time, const TaskKey& key);

    /// One runs of which the region was not entered yet.
    bool isBeginning() const { return run_.task != nullptr && run_.task->body == kOutside; }
    /// The call path of its region, below TASKS.
    NodeId beginBody(RegionId region);
    /// Whether one begins with its region, or goes on, of which it is known where it was created.
    bool beginsCreated(RegionId region) const;
    /// The call path of its region: the calls that led to its creation end in `creator`, at `site`.
    NodeId beginCreatedBody(RegionId region, FrameId creator, trace::SiteId site);
    /// The innermost region creates one.
    void noteCreation();

    /// The running one made a team, in which it is an implicit task.
    void beginTeam();
    /// At the end of that team: on with the task.
    void endTeam();
    bool isAroundTeams() const { return !outer_.empty(); }

    /// The functions that stand above what is entered now.
    FrameId knownAround() const;
    /// Between its region and another one's.
    bool isBetweenRegions() const { return isRunning() && stack_.depth() == 0; }

    TaskPlaces takePlaces() { return std::move(places_); }

  private:
    /// From its first switch to its completion.
    struct Task {
        std::vector<Frame> frames;  ///< while it does not run
        NodeId root = kOutside;  ///< where it is before and after its region: TASKS, or where it was created
        NodeId body = kOutside;  ///< below that
        NodeId stub = kOutside;  ///< below the implicit task, of one that is booked twice
        Ticks executed = 0;
    };
    struct Run {
        Task* task = nullptr;
        std::vector<Frame> implicitFrames;  ///< of the implicit task meanwhile
        std::size_t implicitBase = 0;
        Ticks switchedAt = 0;
    };

    void stand(Task& task, NodeId root);
    /// What passed since the switch was the task's, but it was not known yet to have a region.
    void moveTimeSinceSwitch(NodeId to);
    NodeId implicitTop() const {
        return run_.implicitFrames.empty() ? kOutside : run_.implicitFrames.back().node;
    }

    const Context& context_;
    CallStack& stack_;
    TeamRecorder& teams_;
    DiagnosisLog& log_;
    std::map<TaskKey, Task> tasks_;
    Run run_;
    std::vector<Run> outer_;  ///< of tasks that made the teams which the location is in
    TaskPlaces places_;
};

}  // namespace holos::analyzer::replay

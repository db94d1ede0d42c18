// SPDX-License-Identifier: BSD-3-Clause
// Teams of threads and explicit tasks: what they do to the call stack.
#include "analyzer/replay/call_replay.h"

#include <algorithm>
#include <utility>

namespace holos::analyzer::replay {

void CallReplay::threadFork(std::uint64_t event, Ticks time) {
    const HeldEvent fork{.kind = HeldEvent::Kind::Fork, .event = event, .time = time};
    // The region that follows tells which function forks.
    if (knowsPaths_) return hold(fork);
    beginFork(fork, current_);
}

void CallReplay::beginFork(const HeldEvent& fork, NodeId at) {
    const Ticks time = advance(fork.event, fork.time);
    teams_.fork(at, time);
    note(ClockRole::Fork, teams_.lastFork());
}

void CallReplay::backToFork() {
    if (knowsPaths_ && isBesideRegionOfFork()) current_ = teams_.innermostFork().parent;
}

bool CallReplay::isBesideRegionOfFork() const {
    return teams_.isInFork() && tree_.common(teams_.innermostFork().parent, current_) == current_;
}

void CallReplay::threadJoin(std::uint64_t event, Ticks time) {
    const NodeId around = current_;
    backToFork();
    time = advance(event, time);
    const std::uint32_t fork = teams_.join(time, profile_.begin(current_, 0));
    current_ = around;
    if (fork == kNone)
        log_.add(Trouble::UnmatchedThreads, "a join without its fork was left out", event, time);
    else
        note(ClockRole::Join, fork);
}

void CallReplay::threadTeamBegin(std::uint64_t event, Ticks time, std::uint32_t comm) {
    if (held_.hasFork())
        return hold({.kind = HeldEvent::Kind::TeamBegin, .event = event, .time = time, .what = comm});
    beginTeam(event, time, comm, trace::kNoSite);
}

void CallReplay::beginTeam(std::uint64_t event, Ticks time, std::uint32_t comm, trace::SiteId site) {
    time = advance(event, time);
    TeamRecorder::Stay stay;
    stay.team = {comm, teams_.nextInstance(comm)};
    stay.base = base_;
    stay.depth = stack_.size();
    if (teams_.forkPending()) {
        stay.asMaster = true;
        teams_.nameFork(stay.team);
        stay.origin = Origin{self_, teams_.innermostFork().parent, site};
        context_.board.announce(comm, *stay.origin);
    } else {
        stay.origin = context_.board.origin(comm, stay.team.instance, self_);
        if (!stay.origin)
            log_.add(Trouble::UnmatchedThreads,
                     "a team began that nobody forked; its regions stand below the program", event, time);
        stack_.push_back({stay.origin ? tree_.adopt(*stay.origin) : kOutside, kNone, time});
    }
    if (run_.task != nullptr) {
        stay.isInTask = true;
        outerRuns_.push_back(std::exchange(run_, {}));
    }
    teams_.push(stay);
    note(ClockRole::TeamBegin, kNone, stay.team);
    base_ = stack_.size();
    current_ = top();
}

void CallReplay::threadTeamEnd(std::uint64_t event, Ticks time) {
    if (teams_.inTeam() && teams_.stay().asMaster && stack_.size() == base_) backToFork();
    time = advance(event, time);
    suspendTask();
    if (!teams_.inTeam()) {
        log_.add(Trouble::UnmatchedThreads, "the end of a team that had not begun was left out", event, time);
        return;
    }
    if (stack_.size() > base_)
        log_.add(Trouble::UnbalancedCalls, "a team ended inside of regions; they were left at its end", event,
                 time);
    closeDownTo(base_, time);
    const TeamRecorder::Stay stay = teams_.stay();
    teams_.pop();
    note(ClockRole::TeamEnd, kNone, stay.team);
    while (stack_.size() > stay.depth) stack_.pop_back();
    base_ = stay.base;
    if (stay.isInTask) resumeOuterTask();
    current_ = top();
}

void CallReplay::beginThread(Ticks time) {
    if (!stack_.empty()) return;
    stack_.push_back({tree_.child(kProgram, trace::kThreadsRegion, context_.classes), kNone, time});
    base_ = 1;
    current_ = top();
}

void CallReplay::endThread(Ticks time) {
    closeDownTo(0, time);
    base_ = 0;
}

void CallReplay::suspendTask() {
    if (run_.task == nullptr) return;
    const Ticks duration = last_ - run_.switchedAt;
    run_.task->executed += duration;
    teams_.tasksRan(duration);
    run_.task->frames = std::move(stack_);
    stack_ = std::move(run_.implicitStack);
    base_ = run_.implicitBase;
    run_ = {};
    current_ = top();
}

void CallReplay::resumeOuterTask() {
    run_ = std::move(outerRuns_.back());
    outerRuns_.pop_back();
}

void CallReplay::taskSwitch(std::uint64_t event, Ticks time, const TaskKey& key) {
    time = advance(event, time);
    suspendTask();
    if (key.generation == 0) return;
    Task& task = teams_.task(key);
    run_ = {&task, std::exchange(stack_, std::exchange(task.frames, {})), std::exchange(base_, 0), time};
    current_ = stack_.empty() && task.root == kOutside ? implicitTop() : top();
}

NodeId CallReplay::beginTaskBody(RegionId region) {
    const NodeId implicit = implicitTop();
    run_.task->stub = tree_.child(implicit, region, context_.classes);
    run_.task->root = tree_.child(kProgram, trace::kTasksRegion, context_.classes);
    moveTimeSinceSwitch(run_.task->root);
    run_.task->body = tree_.child(run_.task->root, region, context_.classes);
    return run_.task->body;
}

void CallReplay::moveTimeSinceSwitch(NodeId to) {
    const Ticks passed = last_ - run_.switchedAt;
    profile_.touch(to);
    tree_[to].exclusive += passed;
    tree_[implicitTop()].exclusive -= passed;
}

bool CallReplay::beginsCreatedTask(RegionId region) const {
    // An untied task may go on with its region elsewhere, or there again.
    return run_.task != nullptr && stack_.empty() && context_.definitions[region].role == trace::Role::Task &&
           teams_.inTeam() && teams_.stay().origin.has_value();
}

void CallReplay::enterCreatedTask(std::uint64_t event, Ticks time, RegionId region, const Way& way) {
    if (!held_.empty()) release(current_, current_, trace::kNoSite);
    time = advance(event, time);
    Task& task = *run_.task;
    const bool isNew = task.root == kOutside;
    const bool isInRegion = run_.implicitStack.size() > run_.implicitBase;
    const NodeId around = isInRegion ? run_.implicitStack[run_.implicitBase].node : implicitTop();
    task.root = taskPlaces_.above({way.caller, way.site, *teams_.stay().origin}, around, tree_);
    task.body = tree_.child(task.root, region, context_.classes, way.site);
    if (isNew) moveTimeSinceSwitch(task.body);
    open(task.body, event, time, way.known);
}

void CallReplay::noteTaskPlace(NodeId node) {
    const FrameId creator = stack_.back().known;
    if (!knowsPaths_ || creator == kByName || !teams_.inTeam() || !teams_.stay().origin) return;
    taskPlaces_.created({creator, tree_[node].site, *teams_.stay().origin}, tree_[node].parent);
}

void CallReplay::taskComplete(std::uint64_t event, Ticks time, const TaskKey& key) {
    advance(event, time);
    Task& task = teams_.task(key);
    if (std::any_of(outerRuns_.begin(), outerRuns_.end(),
                    [&](const TaskRun& run) { return run.task == &task; }))
        return log_.add(Trouble::UnbalancedCalls,
                        "a task completed inside of a team that it had made; its end was left out", event,
                        time);
    if (run_.task == &task) suspendTask();
    if (task.stub != kOutside) {
        tree_[task.stub].visits += counted_;
        tree_[task.stub].exclusive += task.executed;
    }
    if (!task.frames.empty())
        log_.add(Trouble::UnbalancedCalls, "a task completed inside of regions; they were left at its end",
                 event, time);
    teams_.forget(key);
}

}  // namespace holos::analyzer::replay

// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/explicit_tasks.h"

#include <algorithm>
#include <utility>

namespace holos::analyzer::replay {

void ExplicitTasks::suspend() {
    if (run_.task == nullptr) return;
    const Ticks duration = stack_.now() - run_.switchedAt;
    run_.task->executed += duration;
    teams_.tasksRan(duration);
    run_.task->frames = stack_.exchange(std::move(run_.implicitFrames), run_.implicitBase, kOutside);
    run_ = {};
    stack_.goToTop();
}

void ExplicitTasks::switchTo(const TaskKey& key) {
    suspend();
    if (key.generation == 0) return;
    Task& task = tasks_[key];
    const std::size_t base = stack_.base();
    run_ = {&task, stack_.exchange(std::exchange(task.frames, {}), 0, task.root), base, stack_.now()};
    if (stack_.depth() == 0 && task.root == kOutside)
        stack_.goTo(implicitTop());
    else
        stack_.goToTop();
}

void ExplicitTasks::beginTeam() {
    outer_.push_back(std::exchange(run_, {}));
    stack_.setGround(kOutside);
}

void ExplicitTasks::endTeam() {
    run_ = std::move(outer_.back());
    outer_.pop_back();
    stack_.setGround(run_.task->root);
}

void ExplicitTasks::stand(Task& task, NodeId root) {
    task.root = root;
    stack_.setGround(root);
}

NodeId ExplicitTasks::beginBody(RegionId region) {
    Task& task = *run_.task;
    if (context_.definitions.tasksAreBookedTwice()) task.stub = stack_.child(implicitTop(), region);
    stand(task, stack_.child(kProgram, trace::kTasksRegion));
    moveTimeSinceSwitch(task.root);
    task.body = stack_.child(task.root, region);
    return task.body;
}

void ExplicitTasks::moveTimeSinceSwitch(NodeId to) {
    stack_.moveTime(stack_.now() - run_.switchedAt, implicitTop(), to);
}

bool ExplicitTasks::beginsCreated(RegionId region) const {
    // An untied task may go on with its region elsewhere, or there again.
    return isBetweenRegions() && context_.definitions[region].role == trace::Role::Task && teams_.inTeam() &&
           teams_.stay().origin.has_value();
}

NodeId ExplicitTasks::beginCreatedBody(RegionId region, FrameId creator, trace::SiteId site) {
    Task& task = *run_.task;
    const bool isNew = task.root == kOutside;
    const bool isInRegion = run_.implicitFrames.size() > run_.implicitBase;
    const NodeId around = isInRegion ? run_.implicitFrames[run_.implicitBase].node : implicitTop();
    stand(task, places_.above({creator, site, *teams_.stay().origin}, around, stack_.tree()));
    task.body = stack_.child(task.root, region, site);
    if (isNew) moveTimeSinceSwitch(task.body);
    return task.body;
}

void ExplicitTasks::noteCreation() {
    const Frame& call = *stack_.innermost();
    if (call.known == kByName || !teams_.inTeam() || !teams_.stay().origin) return;
    const LocalTree::Node& node = stack_.tree()[call.node];
    places_.created({call.known, node.site, *teams_.stay().origin}, node.parent);
}

FrameId ExplicitTasks::knownAround() const {
    if (const Frame* const innermost = stack_.innermost()) return innermost->known;
    return run_.implicitFrames.empty() ? kByName : run_.implicitFrames.back().known;
}

void ExplicitTasks::complete(std::uint64_t event, Ticks time, const TaskKey& key) {
    Task& task = tasks_[key];
    if (std::ranges::any_of(outer_, [&](const Run& run) { return run.task == &task; }))
        return log_.add(Trouble::UnbalancedCalls,
                        "a task completed inside of a team that it had made; its end was left out", event,
                        time);
    if (run_.task == &task) suspend();
    if (task.stub != kOutside) {
        stack_.visit(task.stub);
        stack_.tree()[task.stub].exclusive += task.executed;
    }
    if (!task.frames.empty())
        log_.add(Trouble::UnbalancedCalls, "a task completed inside of regions; they were left at its end",
                 event, time);
    tasks_.erase(key);
}

}  // namespace holos::analyzer::replay

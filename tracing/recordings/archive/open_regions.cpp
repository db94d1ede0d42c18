// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/open_regions.h"

#include <algorithm>
#include <utility>

#include "tracing/recordings/archive/attributes.h"
#include "tracing/recordings/archive/definitions_writer.h"

namespace holos::archive {

void OpenRegions::enter(std::uint32_t region, OTF2_AttributeList* attributes) {
    out_.writeWith(shortage_.with(attributes), OTF2_EvtWriter_Enter, region);
    open_.push_back(region);
}

void OpenRegions::leave(std::uint32_t region) {
    if (std::find(open_.rbegin(), open_.rend(), region) == open_.rend()) return out_.drop();
    for (bool found = false; !found;) {
        const std::uint32_t innermost = open_.back();
        open_.pop_back();
        found = innermost == region;
        if (!found) noteUnended(innermost);
        if (const auto file = std::exchange(together_, std::nullopt))
            leaveTogether(innermost, *file);
        else
            out_.writeWith(shortage_.with(nullptr), OTF2_EvtWriter_Leave, innermost);
    }
}

void OpenRegions::noteUnended(std::uint32_t region) {
    if (plan_.regions[region].paradigm == tracing::Paradigm::User) ++unended_[region];
}

void OpenRegions::leaveTogether(std::uint32_t region, OTF2_IoHandleRef file) {
    const Attributes attributes = newAttributes();
    OTF2_AttributeList_AddIoHandleRef(attributes.get(), DefinitionsWriter::collectiveHandle(plan_), file);
    out_.writeWith(shortage_.with(attributes.get()), OTF2_EvtWriter_Leave, region);
}

void OpenRegions::fork(OTF2_Paradigm paradigm, std::uint32_t threads) {
    teams_.push_back({true, paradigm, 0, present_, open_.size()});
    out_.write(OTF2_EvtWriter_ThreadFork, paradigm, threads);
}

void OpenRegions::join(OTF2_Paradigm paradigm) {
    forgetTeam(true);
    out_.write(OTF2_EvtWriter_ThreadJoin, paradigm);
}

void OpenRegions::beginTeam(std::uint32_t team) {
    teams_.push_back({false, OTF2_PARADIGM_UNKNOWN, team, present_, open_.size()});
    out_.write(OTF2_EvtWriter_ThreadTeamBegin, team);
}

void OpenRegions::endTeam(std::uint32_t team) {
    forgetTeam(false);
    out_.write(OTF2_EvtWriter_ThreadTeamEnd, team);
}

/// One whose start was not recorded was not open.
void OpenRegions::forgetTeam(bool isFork) {
    if (!teams_.empty() && teams_.back().isFork == isFork) teams_.pop_back();
}

void OpenRegions::closeTeam() {
    const OpenTeam last = teams_.back();
    teams_.pop_back();
    if (last.isFork)
        out_.write(OTF2_EvtWriter_ThreadJoin, last.paradigm);
    else
        out_.write(OTF2_EvtWriter_ThreadTeamEnd, last.team);
}

/// The regions of each task nest for themselves: those of the one before wait until it goes on.
void OpenRegions::workOn(const Task& task) {
    if (task == present_) return;
    suspended_[present_] = std::move(open_);
    open_ = std::move(suspended_[task]);
    suspended_.erase(task);
    present_ = task;
}

void OpenRegions::switchTo(const Task& task) {
    workOn(task.generation == 0 ? kOwnShare : task);
    out_.write(OTF2_EvtWriter_ThreadTaskSwitch, task.team, task.creator, task.generation);
}

void OpenRegions::complete(Task task) {
    const bool isPresent = task == present_;
    while (isPresent && !open_.empty()) leave(open_.back());
    out_.write(OTF2_EvtWriter_ThreadTaskComplete, task.team, task.creator, task.generation);
    if (isPresent) workOn(kOwnShare);
}

void OpenRegions::leaveInnermost() {
    noteUnended(open_.back());
    leave(open_.back());
}

/// A task that the thread works on is complete with its regions.
void OpenRegions::leaveAll() {
    while (!open_.empty() || !teams_.empty() || present_ != kOwnShare) {
        const bool isTeam =
            !teams_.empty() && teams_.back().task == present_ && teams_.back().depth >= open_.size();
        if (isTeam)
            closeTeam();
        else if (!open_.empty())
            leaveInnermost();
        else if (present_ != kOwnShare)
            complete(present_);
        else
            teams_.pop_back();  // of a task that completed within it
    }
}

std::vector<std::uint32_t> OpenRegions::regions() const {
    std::vector<std::uint32_t> result;
    const auto around = suspended_.find(kOwnShare);
    if (present_ != kOwnShare && around != suspended_.end()) result = around->second;
    result.insert(result.end(), open_.begin(), open_.end());
    return result;
}

}  // namespace holos::archive

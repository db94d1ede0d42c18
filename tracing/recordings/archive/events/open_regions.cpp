// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/events/open_regions.h"

#include <algorithm>
#include <utility>

#include "tracing/recordings/archive/definitions/definitions_writer.h"
#include "tracing/recordings/archive/definitions/otf2_names.h"
#include "tracing/recordings/archive/events/location_writer.h"

namespace holos::archive {

void ShortageAttributes::add(const Record& record) {
    const std::uint64_t nanoseconds = record.words[0];
    const bool hasSlept = record.words[1] != 0;
    (hasSlept ? asleepOrWithout_ : without_) += nanoseconds;
}

OTF2_AttributeList* ShortageAttributes::with(OTF2_AttributeList* attributes) {
    if ((without_ == 0 && asleepOrWithout_ == 0) || !plan_.watchesShortage) return attributes;
    if (attributes == nullptr) {
        own_ = newAttributes();
        attributes = own_.get();
    }
    const OTF2_AttributeRef first = DefinitionsWriter::shortage(plan_);
    if (without_ != 0) OTF2_AttributeList_AddUint64(attributes, first, without_);
    if (asleepOrWithout_ != 0) OTF2_AttributeList_AddUint64(attributes, first + 1, asleepOrWithout_);
    written_ += without_;
    forget();
    return attributes;
}

void DefinitionsWriter::writeShortage() {
    const auto add = [this](OTF2_AttributeRef self, const char* name, const char* meaning) {
        check(
            OTF2_GlobalDefWriter_WriteAttribute(out_, self, string(name), string(meaning), OTF2_TYPE_UINT64),
            "the shortage of processors");
    };
    add(shortage(plan_), "WithoutProcessor",
        "Nanoseconds since the location's last event in which its thread could run, and had no processor");
    add(shortage(plan_) + 1, "AsleepOrWithoutProcessor",
        "Nanoseconds since the location's last event in which its thread slept, or could run and had no "
        "processor: how much of it is which is not known");
}

void OpenRegions::enter(std::uint32_t region, OTF2_AttributeList* attributes) {
    out_.writeWith(shortage_.with(attributes), OTF2_EvtWriter_Enter, region);
    tasks_.open().push_back(region);
}

void OpenRegions::leave(std::uint32_t region) {
    std::vector<std::uint32_t>& open = tasks_.open();
    if (std::find(open.rbegin(), open.rend(), region) == open.rend()) return out_.drop();
    for (bool found = false; !found;) {
        const std::uint32_t innermost = open.back();
        open.pop_back();
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
    teams_.push_back({true, paradigm, 0, tasks_.present(), tasks_.open().size()});
    out_.writeWith(shortage_.with(nullptr), OTF2_EvtWriter_ThreadFork, paradigm, threads);
}

void OpenRegions::join(OTF2_Paradigm paradigm) {
    forgetTeam(true);
    out_.writeWith(shortage_.with(nullptr), OTF2_EvtWriter_ThreadJoin, paradigm);
}

void OpenRegions::beginTeam(std::uint32_t team) {
    teams_.push_back({false, OTF2_PARADIGM_UNKNOWN, team, tasks_.present(), tasks_.open().size()});
    out_.writeWith(shortage_.with(nullptr), OTF2_EvtWriter_ThreadTeamBegin, team);
}

void OpenRegions::endTeam(std::uint32_t team) {
    forgetTeam(false);
    out_.writeWith(shortage_.with(nullptr), OTF2_EvtWriter_ThreadTeamEnd, team);
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

void OpenRegions::switchTo(const TaskNumber& task) {
    tasks_.workOn(task.generation == 0 ? TaskNumber{} : task);
    out_.writeWith(shortage_.with(nullptr), OTF2_EvtWriter_ThreadTaskSwitch, task.team, task.creator,
                   task.generation);
}

void OpenRegions::complete(const TaskNumber& task) {
    while (task == tasks_.present() && !tasks_.open().empty()) leave(tasks_.open().back());
    out_.writeWith(shortage_.with(nullptr), OTF2_EvtWriter_ThreadTaskComplete, task.team, task.creator,
                   task.generation);
    tasks_.complete(task);
}

void OpenRegions::leaveInnermost() {
    noteUnended(tasks_.open().back());
    leave(tasks_.open().back());
}

/// A task that the thread works on is complete with its regions.
void OpenRegions::leaveAll() {
    while (!tasks_.open().empty() || !teams_.empty() || tasks_.isInTask()) {
        const bool isTeam = !teams_.empty() && teams_.back().task == tasks_.present() &&
                            teams_.back().depth >= tasks_.open().size();
        if (isTeam)
            closeTeam();
        else if (!tasks_.open().empty())
            leaveInnermost();
        else if (tasks_.isInTask())
            complete(TaskNumber(tasks_.present()));
        else
            teams_.pop_back();  // of a task that completed within it
    }
}

}  // namespace holos::archive

// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/events/open_regions.h"

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

void DefinitionsWriter::writeTimeout() {
    check(OTF2_GlobalDefWriter_WriteAttribute(
              out_, timeout(plan_), string("TimedOut"),
              string("The timeout of the call ended its wait, and was so many nanoseconds ago: since then it "
                     "waited for the mutex of the condition"),
              OTF2_TYPE_UINT64),
          "timeouts");
}

void OpenRegions::enter(std::uint32_t region, OTF2_AttributeList* attributes) {
    out_.writeWith(shortage_.with(attributes), OTF2_EvtWriter_Enter, region);
    state_.enter(region);
}

void OpenRegions::leave(std::uint32_t region) {
    const auto ended = [this](std::uint32_t one, bool isLast) {
        if (!isLast) noteUnended(one);
        writeLeave(one);
    };
    if (!state_.leave([region](std::uint32_t one) { return one == region; }, ended)) out_.drop();
}

void OpenRegions::noteUnended(std::uint32_t region) {
    if (plan_.regions[region].paradigm == tracing::Paradigm::User) ++unended_[region];
}

void OpenRegions::writeLeave(std::uint32_t region) {
    const auto file = std::exchange(together_, std::nullopt);
    const auto timeout = std::exchange(timeout_, std::nullopt);
    const Attributes attributes = file || timeout ? newAttributes() : nullptr;
    if (file)
        OTF2_AttributeList_AddIoHandleRef(attributes.get(), DefinitionsWriter::collectiveHandle(plan_),
                                          *file);
    if (timeout && plan_.waitsWithTimeout)
        OTF2_AttributeList_AddUint64(attributes.get(), DefinitionsWriter::timeout(plan_), *timeout);
    out_.writeWith(shortage_.with(attributes.get()), OTF2_EvtWriter_Leave, region);
}

void OpenRegions::fork(OTF2_Paradigm paradigm, std::uint32_t threads) {
    state_.beginTeam(true, paradigm);
    out_.writeWith(shortage_.with(nullptr), OTF2_EvtWriter_ThreadFork, paradigm, threads);
}

void OpenRegions::join(OTF2_Paradigm paradigm) {
    state_.endTeam(true);
    out_.writeWith(shortage_.with(nullptr), OTF2_EvtWriter_ThreadJoin, paradigm);
}

void OpenRegions::beginTeam(std::uint32_t team) {
    state_.beginTeam(false, team);
    out_.writeWith(shortage_.with(nullptr), OTF2_EvtWriter_ThreadTeamBegin, team);
}

void OpenRegions::endTeam(std::uint32_t team) {
    state_.endTeam(false);
    out_.writeWith(shortage_.with(nullptr), OTF2_EvtWriter_ThreadTeamEnd, team);
}

void OpenRegions::switchTo(const TaskNumber& task) {
    state_.switchTo(task);
    out_.writeWith(shortage_.with(nullptr), OTF2_EvtWriter_ThreadTaskSwitch, task.team, task.creator,
                   task.generation);
}

void OpenRegions::complete(const TaskNumber& task) {
    state_.complete(task, [this](std::uint32_t region) { writeLeave(region); });
    writeComplete(task);
}

void OpenRegions::writeComplete(const TaskNumber& task) {
    out_.writeWith(shortage_.with(nullptr), OTF2_EvtWriter_ThreadTaskComplete, task.team, task.creator,
                   task.generation);
}

void OpenRegions::leaveAll() {
    Unrecorded unrecorded{*this};
    state_.endAll(unrecorded);
}

void OpenRegions::Unrecorded::endRegion(std::uint32_t region) {
    all.noteUnended(region);
    all.writeLeave(region);
}

void OpenRegions::Unrecorded::endTeam(const State::Team& team) {
    if (team.isFork)
        all.out_.write(OTF2_EvtWriter_ThreadJoin, static_cast<OTF2_Paradigm>(team.number));
    else
        all.out_.write(OTF2_EvtWriter_ThreadTeamEnd, team.number);
}

void OpenRegions::Unrecorded::endTask(const TaskNumber& task) {
    all.writeComplete(task);
}

}  // namespace holos::archive

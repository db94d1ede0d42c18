// SPDX-License-Identifier: BSD-3-Clause
// Threads, teams, tasks and locks: a part of the translation of events.
#include "tracing/archive/event_translation.h"
#include "tracing/archive/otf2_check.h"
#include "tracing/archive/otf2_names.h"

namespace holos::archive {
namespace {

using tracing::highHalf;
using tracing::lowHalf;
using tracing::RecordKind;

OTF2_Paradigm paradigmOf(std::uint64_t code) {
    return otf2Paradigm(static_cast<tracing::Paradigm>(static_cast<std::uint8_t>(code)));
}

}  // namespace

/// Regions and teams end in the reverse order of their starts; a task that the thread works on is complete
/// with it.
void EventTranslation::leaveAll() {
    while (!open_.empty() || !teams_.empty() || present_ != kOwnShare) {
        const bool isTeam =
            !teams_.empty() && teams_.back().task == present_ && teams_.back().depth >= open_.size();
        if (isTeam)
            closeTeam();
        else if (!open_.empty())
            leave(open_.back());
        else if (present_ != kOwnShare)
            completeTask(TaskKey(present_));
        else
            teams_.pop_back();  // of a task that completed within it
    }
}

/// One whose start was not recorded was not open.
void EventTranslation::endTeam(bool isFork) {
    if (!teams_.empty() && teams_.back().isFork == isFork) teams_.pop_back();
}

void EventTranslation::closeTeam() {
    const OpenTeam last = teams_.back();
    teams_.pop_back();
    check(last.isFork ? OTF2_EvtWriter_ThreadJoin(out_, nullptr, now(), last.paradigm)
                      : OTF2_EvtWriter_ThreadTeamEnd(out_, nullptr, now(), last.team),
          "an event");
}

/// The regions of each task nest for themselves: those of the one before wait until it goes on.
void EventTranslation::workOn(const TaskKey& task) {
    if (task == present_) return;
    suspended_[present_] = std::move(open_);
    open_ = std::move(suspended_[task]);
    suspended_.erase(task);
    present_ = task;
}

void EventTranslation::completeTask(const TaskKey& task) {
    const bool isPresent = task == present_;
    while (isPresent && !open_.empty()) leave(open_.back());
    const auto [team, creator, generation] = task;
    check(OTF2_EvtWriter_ThreadTaskComplete(out_, nullptr, now(), team, creator, generation), "an event");
    if (isPresent) workOn(kOwnShare);
}

/// The team that the record names first; without a definition of it the record is dropped.
std::optional<std::uint32_t> EventTranslation::teamOf(const Record& record) {
    const auto team = process_.teams.find(lowHalf(record.words[0]));
    if (!team) ++result_.dropped;
    return team;
}

void EventTranslation::translateTasks(const Record& record) {
    const auto team = teamOf(record);
    if (!team) return;
    const std::uint32_t creator = lowHalf(record.words[1]);
    const std::uint32_t generation = highHalf(record.words[1]);
    const TaskKey task = generation == 0 ? kOwnShare : TaskKey{*team, creator, generation};
    const auto write = [&](auto writer) {
        check(writer(out_, nullptr, now(), *team, creator, generation), "an event");
    };
    if (record.kind == RecordKind::TaskCreate) return write(OTF2_EvtWriter_ThreadTaskCreate);
    if (record.kind == RecordKind::TaskSwitch) {
        workOn(task);
        return write(OTF2_EvtWriter_ThreadTaskSwitch);
    }
    completeTask(task);
}

void EventTranslation::translateTeams(const Record& record) {
    const std::uint64_t word = record.words[0];
    if (record.kind == RecordKind::ThreadFork) {
        const OTF2_Paradigm paradigm = paradigmOf(lowHalf(word));
        teams_.push_back({true, paradigm, 0, present_, open_.size()});
        return check(OTF2_EvtWriter_ThreadFork(out_, nullptr, now(), paradigm, highHalf(word)), "an event");
    }
    if (record.kind == RecordKind::ThreadJoin) {
        endTeam(true);
        return check(OTF2_EvtWriter_ThreadJoin(out_, nullptr, now(), paradigmOf(word)), "an event");
    }
    const auto team = teamOf(record);
    if (!team) return;
    if (record.kind == RecordKind::ThreadTeamBegin) {
        teams_.push_back({false, OTF2_PARADIGM_UNKNOWN, *team, present_, open_.size()});
        return check(OTF2_EvtWriter_ThreadTeamBegin(out_, nullptr, now(), *team), "an event");
    }
    endTeam(false);
    check(OTF2_EvtWriter_ThreadTeamEnd(out_, nullptr, now(), *team), "an event");
}

void EventTranslation::translateLocks(const Record& record) {
    const auto writer = record.kind == RecordKind::AcquireLock ? OTF2_EvtWriter_ThreadAcquireLock
                                                               : OTF2_EvtWriter_ThreadReleaseLock;
    check(writer(out_, nullptr, now(), paradigmOf(record.words[1]), lowHalf(record.words[0]),
                 highHalf(record.words[0])),
          "an event");
}

void EventTranslation::translateLives(const Record& record) {
    if (!process_.hasThreads) return;  // one was to be created, and could not
    const auto write = [&](auto writer) {
        check(writer(out_, nullptr, now(), process_.threads, record.words[0]), "an event");
    };
    switch (record.kind) {
        case RecordKind::ThreadBegin:
            return write(OTF2_EvtWriter_ThreadBegin);
        case RecordKind::ThreadEnd:
            leaveAll();  // it may have ended within them
            return write(OTF2_EvtWriter_ThreadEnd);
        case RecordKind::ThreadCreate:
            return write(OTF2_EvtWriter_ThreadCreate);
        default:
            return write(OTF2_EvtWriter_ThreadWait);
    }
}

}  // namespace holos::archive

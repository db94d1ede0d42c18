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

void EventTranslation::translateTasks(const Record& record, std::uint32_t team) {
    const std::uint32_t creator = lowHalf(record.words[1]);
    const std::uint32_t generation = highHalf(record.words[1]);
    const TaskKey task = generation == 0 ? kOwnShare : TaskKey{team, creator, generation};
    const auto write = [&](auto writer) {
        check(writer(out_, nullptr, now(), team, creator, generation), "an event");
    };
    if (record.kind == RecordKind::TaskCreate) return write(OTF2_EvtWriter_ThreadTaskCreate);
    if (record.kind == RecordKind::TaskSwitch) {
        workOn(task);
        return write(OTF2_EvtWriter_ThreadTaskSwitch);
    }
    completeTask(task);
}

void EventTranslation::translateThreads(const Record& record) {
    const std::uint64_t word = record.words[0];
    const auto team = process_.teams.find(lowHalf(word));
    const auto lock = [&](auto write) {
        check(write(out_, nullptr, now(), paradigmOf(record.words[1]), lowHalf(word), highHalf(word)),
              "an event");
    };
    const bool isTeamEvent = record.kind == RecordKind::ThreadTeamBegin ||
                             record.kind == RecordKind::ThreadTeamEnd ||
                             record.kind >= RecordKind::TaskCreate;
    const bool isThreadEvent =
        record.kind >= RecordKind::ThreadBegin && record.kind <= RecordKind::ThreadWait;
    if (isThreadEvent && !process_.hasThreads) return;  // one was to be created, and could not
    if (isTeamEvent && !team) {
        ++result_.dropped;
        return;
    }
    if (record.kind >= RecordKind::TaskCreate) return translateTasks(record, *team);
    switch (record.kind) {
        case RecordKind::ThreadFork:
            teams_.push_back({true, paradigmOf(lowHalf(word)), 0, present_, open_.size()});
            return check(
                OTF2_EvtWriter_ThreadFork(out_, nullptr, now(), paradigmOf(lowHalf(word)), highHalf(word)),
                "an event");
        case RecordKind::ThreadJoin:
            endTeam(true);
            return check(OTF2_EvtWriter_ThreadJoin(out_, nullptr, now(), paradigmOf(word)), "an event");
        case RecordKind::ThreadTeamBegin:
            teams_.push_back({false, OTF2_PARADIGM_UNKNOWN, *team, present_, open_.size()});
            return check(OTF2_EvtWriter_ThreadTeamBegin(out_, nullptr, now(), *team), "an event");
        case RecordKind::ThreadTeamEnd:
            endTeam(false);
            return check(OTF2_EvtWriter_ThreadTeamEnd(out_, nullptr, now(), *team), "an event");
        case RecordKind::AcquireLock:
            return lock(OTF2_EvtWriter_ThreadAcquireLock);
        case RecordKind::ReleaseLock:
            return lock(OTF2_EvtWriter_ThreadReleaseLock);
        case RecordKind::ThreadBegin:
            return check(OTF2_EvtWriter_ThreadBegin(out_, nullptr, now(), process_.threads, word),
                         "an event");
        case RecordKind::ThreadEnd:
            leaveAll();  // it may have ended within them
            return check(OTF2_EvtWriter_ThreadEnd(out_, nullptr, now(), process_.threads, word), "an event");
        case RecordKind::ThreadCreate:
            return check(OTF2_EvtWriter_ThreadCreate(out_, nullptr, now(), process_.threads, word),
                         "an event");
        case RecordKind::ThreadWait:
            return check(OTF2_EvtWriter_ThreadWait(out_, nullptr, now(), process_.threads, word), "an event");
        default:
            ++result_.dropped;
    }
}

}  // namespace holos::archive

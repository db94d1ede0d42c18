// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/archive/thread_events.h"

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

/// The team that the record names first; without a definition of it the record is dropped.
std::optional<std::uint32_t> ThreadEvents::teamOf(const Record& record) {
    const auto team = process_.teams.find(lowHalf(record.words[0]));
    if (!team) out_.drop();
    return team;
}

void ThreadEvents::translateTasks(const Record& record) {
    const auto team = teamOf(record);
    if (!team) return;
    const OpenRegions::Task task{*team, lowHalf(record.words[1]), highHalf(record.words[1])};
    if (record.kind == RecordKind::TaskCreate)
        out_.write(OTF2_EvtWriter_ThreadTaskCreate, task.team, task.creator, task.generation);
    else if (record.kind == RecordKind::TaskSwitch)
        open_.switchTo(task);
    else
        open_.complete(task);
}

void ThreadEvents::translateTeams(const Record& record) {
    const std::uint64_t word = record.words[0];
    if (record.kind == RecordKind::ThreadFork) return open_.fork(paradigmOf(lowHalf(word)), highHalf(word));
    if (record.kind == RecordKind::ThreadJoin) return open_.join(paradigmOf(word));
    const auto team = teamOf(record);
    if (!team) return;
    if (record.kind == RecordKind::ThreadTeamBegin)
        open_.beginTeam(*team);
    else
        open_.endTeam(*team);
}

void ThreadEvents::translateLocks(const Record& record) {
    const auto writer = record.kind == RecordKind::AcquireLock ? OTF2_EvtWriter_ThreadAcquireLock
                                                               : OTF2_EvtWriter_ThreadReleaseLock;
    out_.write(writer, paradigmOf(record.words[1]), lowHalf(record.words[0]), highHalf(record.words[0]));
}

void ThreadEvents::translateLives(const Record& record) {
    if (!process_.hasThreads) return;  // one was to be created, and could not
    const auto write = [&](auto writer) { out_.write(writer, process_.threads, record.words[0]); };
    switch (record.kind) {
        case RecordKind::ThreadBegin:
            return write(OTF2_EvtWriter_ThreadBegin);
        case RecordKind::ThreadEnd:
            open_.leaveAll();  // it may have ended within them
            return write(OTF2_EvtWriter_ThreadEnd);
        case RecordKind::ThreadCreate:
            return write(OTF2_EvtWriter_ThreadCreate);
        default:
            return write(OTF2_EvtWriter_ThreadWait);
    }
}

}  // namespace holos::archive

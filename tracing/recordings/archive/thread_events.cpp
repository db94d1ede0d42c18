// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/otf2_names.h"
#include "tracing/recordings/archive/record_translations.h"

namespace holos::archive {
namespace {

using tracing::highHalf;
using tracing::lowHalf;
using tracing::RecordKind;

OTF2_Paradigm paradigmOf(std::uint64_t code) {
    return otf2Paradigm(static_cast<tracing::Paradigm>(static_cast<std::uint8_t>(code)));
}

/// The team that the record names first; without a definition of it the record is dropped.
std::optional<std::uint32_t> teamOf(LocationWriter& out, const TraceProcess& process, const Record& record) {
    const auto team = process.teams.find(lowHalf(record.words[0]));
    if (!team) out.drop();
    return team;
}

}  // namespace

void translateTasks(LocationWriter& out, OpenRegions& open, const TraceProcess& process,
                    const Record& record) {
    const auto team = teamOf(out, process, record);
    if (!team) return;
    const TaskNumber task{*team, lowHalf(record.words[1]), highHalf(record.words[1])};
    if (record.kind == RecordKind::TaskCreate)
        out.write(OTF2_EvtWriter_ThreadTaskCreate, task.team, task.creator, task.generation);
    else if (record.kind == RecordKind::TaskSwitch)
        open.switchTo(task);
    else
        open.complete(task);
}

void translateTeams(LocationWriter& out, OpenRegions& open, const TraceProcess& process,
                    const Record& record) {
    const std::uint64_t word = record.words[0];
    if (record.kind == RecordKind::ThreadFork) return open.fork(paradigmOf(lowHalf(word)), highHalf(word));
    if (record.kind == RecordKind::ThreadJoin) return open.join(paradigmOf(word));
    const auto team = teamOf(out, process, record);
    if (!team) return;
    if (record.kind == RecordKind::ThreadTeamBegin)
        open.beginTeam(*team);
    else
        open.endTeam(*team);
}

void translateLocks(LocationWriter& out, const Record& record) {
    const auto writer = record.kind == RecordKind::AcquireLock ? OTF2_EvtWriter_ThreadAcquireLock
                                                               : OTF2_EvtWriter_ThreadReleaseLock;
    out.write(writer, paradigmOf(record.words[1]), lowHalf(record.words[0]), highHalf(record.words[0]));
}

void translateLives(LocationWriter& out, OpenRegions& open, const TraceProcess& process,
                    const Record& record) {
    if (!process.hasThreads) return;  // one was to be created, and could not
    const auto write = [&](auto writer) { out.write(writer, process.threads, record.words[0]); };
    switch (record.kind) {
        case RecordKind::ThreadBegin:
            return write(OTF2_EvtWriter_ThreadBegin);
        case RecordKind::ThreadEnd:
            open.leaveAll();  // it may have ended within them
            return write(OTF2_EvtWriter_ThreadEnd);
        case RecordKind::ThreadCreate:
            return write(OTF2_EvtWriter_ThreadCreate);
        default:
            return write(OTF2_EvtWriter_ThreadWait);
    }
}

}  // namespace holos::archive

// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/events/record_translations.h"

#include "tracing/recordings/archive/definitions/definitions_writer.h"
#include "tracing/recordings/archive/definitions/otf2_names.h"

namespace holos::archive {

using tracing::highHalf;
using tracing::lowHalf;
using tracing::RecordKind;

void DefinitionsWriter::writeFromAll() {
    check(OTF2_GlobalDefWriter_WriteAttribute(
              out_, fromAll(plan_), string("ReceivesFromAll"),
              string("1: the rank received something from each of the others; else that is not known"),
              OTF2_TYPE_UINT8),
          "what is said of exchanges");
}

void translateMessage(LocationWriter& out, const TracePlan& plan, const TraceProcess& process,
                      const Record& record) {
    const std::uint64_t* words = record.words;
    switch (record.kind) {
        case RecordKind::MpiIsendComplete:
            return out.write(OTF2_EvtWriter_MpiIsendComplete, words[0]);
        case RecordKind::MpiIrecvRequest:
            return out.write(OTF2_EvtWriter_MpiIrecvRequest, words[0]);
        case RecordKind::MpiRequestTest:
            return out.write(OTF2_EvtWriter_MpiRequestTest, words[0]);
        case RecordKind::MpiRequestCancelled:
            return out.write(OTF2_EvtWriter_MpiRequestCancelled, words[0]);
        case RecordKind::MpiCollectiveRequest:
            return out.write(OTF2_EvtWriter_NonBlockingCollectiveRequest, words[0]);
        case RecordKind::MpiCollectiveBegin:
            return out.write(OTF2_EvtWriter_MpiCollectiveBegin);
        default:
            break;
    }
    const auto comm = process.comms.find(highHalf(words[0]));
    if (!comm) return out.drop();
    const std::uint32_t peer = lowHalf(words[0]);
    const auto message = [&](auto writer, auto... request) {
        out.write(writer, peer, *comm, lowHalf(words[1]), words[2], request...);
    };
    const bool isFromAll = plan.exchangesUnequally && (words[1] & tracing::kReceivesFromAll) != 0;
    const auto collective = [&](auto writer, auto... request) {
        const Attributes attributes = isFromAll ? newAttributes() : nullptr;
        if (isFromAll) OTF2_AttributeList_AddUint8(attributes.get(), DefinitionsWriter::fromAll(plan), 1);
        out.writeWith(attributes.get(), writer, otf2Operation(static_cast<tracing::Collective>(peer)), *comm,
                      lowHalf(words[1]), words[2], words[3], request...);
    };
    switch (record.kind) {
        case RecordKind::MpiSend:
            return message(OTF2_EvtWriter_MpiSend);
        case RecordKind::MpiRecv:
            return message(OTF2_EvtWriter_MpiRecv);
        case RecordKind::MpiIsend:
            return message(OTF2_EvtWriter_MpiIsend, words[3]);
        case RecordKind::MpiIrecv:
            return message(OTF2_EvtWriter_MpiIrecv, words[3]);
        case RecordKind::MpiCollectiveEnd:
            return collective(OTF2_EvtWriter_MpiCollectiveEnd);
        case RecordKind::MpiCollectiveComplete:
            return collective(OTF2_EvtWriter_NonBlockingCollectiveComplete, words[4]);
        default:
            return out.drop();
    }
}

namespace {

OTF2_RmaSyncLevel levelOf(std::uint64_t word) {
    return static_cast<OTF2_RmaSyncLevel>(static_cast<std::uint8_t>(word));
}

/// Where a record names its window.
std::uint32_t windowIn(const Record& record) {
    switch (record.kind) {
        case RecordKind::RmaWinCreate:
        case RecordKind::RmaWinDestroy:
        case RecordKind::RmaCompleteHere:
        case RecordKind::RmaCompleteRemote:
            return lowHalf(record.words[0]);
        default:
            return highHalf(record.words[0]);
    }
}

}  // namespace

void translateOneSided(LocationWriter& out, const TraceProcess& process, const Record& record) {
    if (record.kind == RecordKind::RmaCollectiveBegin) return out.write(OTF2_EvtWriter_RmaCollectiveBegin);
    const std::uint64_t* words = record.words;
    const auto window = process.windows.find(windowIn(record));
    const bool ofGroup = record.kind == RecordKind::RmaGroupSync;
    const auto group = ofGroup ? process.groups.find(lowHalf(words[1])) : std::nullopt;
    if (!window || (ofGroup && !group)) return out.drop();
    const std::uint32_t win = *window;
    const std::uint32_t target = lowHalf(words[0]);
    switch (record.kind) {
        case RecordKind::RmaWinCreate:
            return out.write(OTF2_EvtWriter_RmaWinCreate, win);
        case RecordKind::RmaWinDestroy:
            return out.write(OTF2_EvtWriter_RmaWinDestroy, win);
        case RecordKind::RmaCollectiveEnd:
            return out.write(OTF2_EvtWriter_RmaCollectiveEnd,
                             otf2Operation(static_cast<tracing::Collective>(target)), levelOf(words[1]), win,
                             tracing::kNoRoot, 0, 0);
        case RecordKind::RmaGroupSync:
            return out.write(OTF2_EvtWriter_RmaGroupSync, levelOf(target), win,
                             DefinitionsWriter::kFirstGroup + *group);
        case RecordKind::RmaRequestLock:
            return out.write(
                OTF2_EvtWriter_RmaRequestLock, win, target, 0,
                static_cast<OTF2_LockType>(words[1] != 0 ? OTF2_LOCK_EXCLUSIVE : OTF2_LOCK_SHARED));
        case RecordKind::RmaReleaseLock:
            return out.write(OTF2_EvtWriter_RmaReleaseLock, win, target, 0);
        case RecordKind::RmaPut:
            return out.write(OTF2_EvtWriter_RmaPut, win, target, words[1], words[2]);
        case RecordKind::RmaGet:
            return out.write(OTF2_EvtWriter_RmaGet, win, target, words[1], words[2]);
        case RecordKind::RmaAtomic:
            return out.write(OTF2_EvtWriter_RmaAtomic, win, target,
                             otf2Atomic(static_cast<tracing::RmaAtomic>(words[1])), words[2], words[3],
                             words[4]);
        case RecordKind::RmaCompleteHere:
            return out.write(OTF2_EvtWriter_RmaOpCompleteNonBlocking, win, words[1]);
        case RecordKind::RmaCompleteRemote:
            return out.write(OTF2_EvtWriter_RmaOpCompleteRemote, win, words[1]);
        case RecordKind::RmaSyncMemory:
            return out.write(OTF2_EvtWriter_RmaSync, win, target,
                             static_cast<OTF2_RmaSyncType>(OTF2_RMA_SYNC_TYPE_MEMORY));
        default:
            return out.drop();
    }
}

namespace {

OTF2_IoAccessMode accessOf(std::uint64_t word) {
    switch (static_cast<tracing::FileAccess>(word)) {
        case tracing::FileAccess::WriteOnly:
            return OTF2_IO_ACCESS_MODE_WRITE_ONLY;
        case tracing::FileAccess::ReadWrite:
            return OTF2_IO_ACCESS_MODE_READ_WRITE;
        default:
            return OTF2_IO_ACCESS_MODE_READ_ONLY;
    }
}

OTF2_IoCreationFlag creationOf(std::uint32_t flags) {
    OTF2_IoCreationFlag result = OTF2_IO_CREATION_FLAG_NONE;
    if ((flags & tracing::kCreateFile) != 0) result |= OTF2_IO_CREATION_FLAG_CREATE;
    if ((flags & tracing::kExclusively) != 0) result |= OTF2_IO_CREATION_FLAG_EXCLUSIVE;
    return result;
}

OTF2_IoStatusFlag statusOf(std::uint32_t flags) {
    OTF2_IoStatusFlag result = OTF2_IO_STATUS_FLAG_NONE;
    if ((flags & tracing::kAppend) != 0) result |= OTF2_IO_STATUS_FLAG_APPEND;
    if ((flags & tracing::kDeleteOnClose) != 0) result |= OTF2_IO_STATUS_FLAG_DELETE_ON_CLOSE;
    return result;
}

OTF2_IoOperationMode operationOf(std::uint32_t code) {
    switch (static_cast<tracing::FileOperation>(code)) {
        case tracing::FileOperation::Write:
            return OTF2_IO_OPERATION_MODE_WRITE;
        case tracing::FileOperation::Flush:
            return OTF2_IO_OPERATION_MODE_FLUSH;
        default:
            return OTF2_IO_OPERATION_MODE_READ;
    }
}

OTF2_IoSeekOption seekOf(std::uint32_t code) {
    switch (static_cast<tracing::SeekFrom>(code)) {
        case tracing::SeekFrom::Here:
            return OTF2_IO_SEEK_FROM_CURRENT;
        case tracing::SeekFrom::End:
            return OTF2_IO_SEEK_FROM_END;
        default:
            return OTF2_IO_SEEK_FROM_START;
    }
}

}  // namespace

void translateFile(LocationWriter& out, OpenRegions& open, const TraceProcess& process,
                   const Record& record) {
    const std::uint64_t* words = record.words;
    const auto& known = record.kind == RecordKind::FileDeleted ? process.files : process.handles;
    const auto found = known.find(lowHalf(words[0]));
    if (!found) return out.drop();
    const std::uint32_t self = *found;
    const std::uint32_t code = highHalf(words[0]);
    switch (record.kind) {
        case RecordKind::FileOpened:
            return out.write(OTF2_EvtWriter_IoCreateHandle, self, accessOf(words[1]), creationOf(code),
                             statusOf(code));
        case RecordKind::FileClosed:
            return out.write(OTF2_EvtWriter_IoDestroyHandle, self);
        case RecordKind::FileDeleted:
            return out.write(OTF2_EvtWriter_IoDeleteFile, DefinitionsWriter::kMpiFiles, self);
        case RecordKind::FileSeek:
            return out.write(OTF2_EvtWriter_IoSeek, self, static_cast<std::int64_t>(words[1]), seekOf(code),
                             words[2]);
        case RecordKind::FileBegin:
            return out.write(OTF2_EvtWriter_IoOperationBegin, self, operationOf(code),
                             static_cast<OTF2_IoOperationFlag>(words[1]), words[2], words[3]);
        case RecordKind::FileIssued:
            return out.write(OTF2_EvtWriter_IoOperationIssued, self, words[1]);
        case RecordKind::FileTested:
            return out.write(OTF2_EvtWriter_IoOperationTest, self, words[1]);
        case RecordKind::FileCollective:
            return open.nameFile(self);
        default:
            return out.write(OTF2_EvtWriter_IoOperationComplete, self, words[1], words[2]);
    }
}

namespace {

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

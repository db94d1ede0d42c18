// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/definitions_writer.h"
#include "tracing/recordings/archive/otf2_names.h"
#include "tracing/recordings/archive/record_translations.h"

namespace holos::archive {

using tracing::highHalf;
using tracing::lowHalf;
using tracing::RecordKind;

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

}  // namespace holos::archive

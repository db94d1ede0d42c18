// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/definitions_writer.h"
#include "tracing/recordings/archive/record_translations.h"

namespace holos::archive {

using tracing::highHalf;
using tracing::lowHalf;
using tracing::RecordKind;

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

}  // namespace holos::archive

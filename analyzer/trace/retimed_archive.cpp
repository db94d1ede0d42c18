// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/trace/retimed_archive.h"

#include <otf2/OTF2_Pthread_Locks.h>

#include <cstdlib>
#include <utility>

#include "analyzer/trace/file_end.h"
#include "base/error.h"

namespace holos::analyzer::trace {

namespace {

OTF2_FlushType writeAlways(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) {
    return OTF2_FLUSH;
}
constexpr OTF2_FlushCallbacks kWriteAlways{writeAlways, nullptr};

/// Chunks as those of the archive that is copied, which its longest records fit in.
ChunkSizes chunksFor(OTF2_Reader* reader) {
    constexpr std::uint64_t kUsual = 1024 * 1024;
    ChunkSizes sizes = chunkSizesOf(reader);
    if (sizes.events == 0) sizes.events = kUsual;
    if (sizes.definitions == 0) sizes.definitions = 4 * kUsual;
    return sizes;
}

}  // namespace

RetimedArchive::RetimedArchive(const std::filesystem::path& anchor, const Definitions& definitions,
                               const std::filesystem::path& folder)
    : anchor_(anchor),
      definitions_(definitions),
      reader_(OTF2_Reader_Open(anchor.string().c_str()), &OTF2_Reader_Close) {
    const ErrorCapture capture;
    if (!reader_)
        throw Error("cannot be opened again: " + capture.message(OTF2_ERROR_FILE_INTERACTION),
                    {.file = anchor.string()});
    OTF2_Reader_SetSerialCollectiveCallbacks(reader_.get());
    const ChunkSizes chunks = chunksFor(reader_.get());
    archive_ = OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, chunks.events,
                                 chunks.definitions, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (archive_ == nullptr)
        throw Error("no trace can be made there: " + capture.message(OTF2_ERROR_FILE_CAN_NOT_OPEN),
                    {.file = folder.string()});
    OTF2_Archive_SetFlushCallbacks(archive_, &kWriteAlways, nullptr);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive_);
    OTF2_Pthread_Archive_SetLockingCallbacks(archive_, nullptr);
    OTF2_Archive_SetCreator(archive_, "Holos, as a prediction");
    copyProperties();
    check(OTF2_Archive_OpenEvtFiles(archive_), capture, folder.string(), "writing the trace");
}

RetimedArchive::~RetimedArchive() {
    const ErrorCapture silence;
    if (archive_ != nullptr) OTF2_Archive_Close(archive_);
}

void RetimedArchive::copyProperties() {
    std::uint32_t count = 0;
    char** names = nullptr;
    if (OTF2_Reader_GetPropertyNames(reader_.get(), &count, &names) != OTF2_SUCCESS) return;
    for (std::uint32_t i = 0; i < count; ++i) {
        char* value = nullptr;
        if (OTF2_Reader_GetProperty(reader_.get(), names[i], &value) != OTF2_SUCCESS) continue;
        OTF2_Archive_SetProperty(archive_, names[i], value, true);
        std::free(value);  // NOLINT(cppcoreguidelines-no-malloc): OTF2 has allocated it
    }
    std::free(names);  // NOLINT(cppcoreguidelines-no-malloc): the same, with all names in it
}

std::unique_ptr<EventCopy> RetimedArchive::copyOf(LocationId location) const {
    return std::make_unique<EventCopy>(anchor_, definitions_, location, archive_);
}

void RetimedArchive::add(const EventCopy& copy, std::uint64_t events) {
    const std::lock_guard lock(mutex_);
    copied_.events[copy.reference()] = events;
    leftOut_ += copy.leftOut();
}

void RetimedArchive::finish(std::uint64_t length) {
    const ErrorCapture capture(ErrorCapture::Then::GoesOn);
    copied_.length = length;
    const auto checked = [&](OTF2_ErrorCode code) {
        check(code, capture, anchor_.string(), "copying the trace");
    };
    checked(OTF2_Archive_CloseEvtFiles(archive_));
    writeLocalDefinitions();
    writeGlobalDefinitions();
    checked(OTF2_Archive_Close(std::exchange(archive_, nullptr)));
    if (!capture.empty()) checked(OTF2_ERROR_FILE_INTERACTION);
}

/// They are empty, as references are global already; readers want to open them.
void RetimedArchive::writeLocalDefinitions() {
    OTF2_Archive_OpenDefFiles(archive_);
    for (const Location& location : definitions_.locations)
        OTF2_Archive_CloseDefWriter(archive_, OTF2_Archive_GetDefWriter(archive_, location.reference));
    OTF2_Archive_CloseDefFiles(archive_);
}

void RetimedArchive::writeGlobalDefinitions() {
    OTF2_GlobalDefWriter* out = OTF2_Archive_GetGlobalDefWriter(archive_);
    copyDefinitions(reader_.get(), out, copied_, anchor_.string());
    OTF2_Archive_CloseGlobalDefWriter(archive_, out);
}

}  // namespace holos::analyzer::trace

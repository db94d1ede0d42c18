// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recordings/archive/written_archive.h"

#include <otf2/OTF2_Pthread_Locks.h>

#include <string_view>
#include <utility>

#include "tracing/recordings/archive/definitions/otf2_check.h"

namespace holos::archive {

OTF2_ErrorCode Otf2Complaints::receive(void* self, const char* /*file*/, std::uint64_t /*line*/,
                                       const char* function, OTF2_ErrorCode code, const char* /*format*/,
                                       va_list /*values*/) {
    if (code == OTF2_WARNING || code == OTF2_DEPRECATED) return code;
    auto& complaints = *static_cast<Otf2Complaints*>(self);
    const std::lock_guard lock(complaints.mutex_);
    if (complaints.first_ == OTF2_SUCCESS) complaints.first_ = code;
    // What is returned here is what the function that complains returns.
    const bool isWrite = function != nullptr && std::string_view(function) == "otf2_file_posix_write";
    return isWrite ? OTF2_SUCCESS : code;
}

namespace {

/// The longest event has the values of 255 counters, of 10 bytes each.
constexpr std::uint64_t kEventChunk = 1024 * 1024;

/// Nothing more is written once something failed.
OTF2_FlushType flush(void* complaints, OTF2_FileType, OTF2_LocationRef, void*, bool) {
    const bool isWhole = static_cast<const Otf2Complaints*>(complaints)->first() == OTF2_SUCCESS;
    return isWhole ? OTF2_FLUSH : OTF2_NO_FLUSH;
}
constexpr OTF2_FlushCallbacks kFlush{flush, nullptr};

}  // namespace

WrittenArchive::WrittenArchive(const fs::path& folder, Otf2Complaints& complaints)
    : archive_(OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, kEventChunk,
                                 OTF2_UNDEFINED_UINT64, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE)) {
    if (archive_ == nullptr) throw Error("no trace can be made there", {.file = folder.string()});
    try {
        check(OTF2_Archive_SetFlushCallbacks(archive_, &kFlush, &complaints), "the archive");
        check(OTF2_Archive_SetSerialCollectiveCallbacks(archive_), "the archive");
        check(OTF2_Pthread_Archive_SetLockingCallbacks(archive_, nullptr), "the archive");
        check(OTF2_Archive_SetCreator(archive_, "Holos"), "the archive");
    } catch (const Error&) {
        OTF2_Archive_Close(archive_);
        throw;
    }
}

WrittenArchive::~WrittenArchive() {
    if (archive_ != nullptr) OTF2_Archive_Close(archive_);
}

void WrittenArchive::writeEvents(const std::function<void()>& write) {
    check(OTF2_Archive_OpenEvtFiles(archive_), "the events");
    write();
    check(OTF2_Archive_CloseEvtFiles(archive_), "the events");
}

void WrittenArchive::close() {
    check(OTF2_Archive_Close(std::exchange(archive_, nullptr)), "the archive");
}

}  // namespace holos::archive

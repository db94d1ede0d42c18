// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/mpi/actions/files.h"

#include <mutex>
#include <unordered_map>
#include <utility>

namespace holos::tracing::mpi {
namespace {

struct OpenFile {
    HandleRef handle = 0;
    CommRef comm = 0;
    RequestId split = 0;
};

struct Registry {
    std::mutex mutex;
    std::unordered_map<MPI_File, OpenFile> files;
    std::unordered_map<CommRef, std::uint32_t> openings;
};

/// Never destroyed: threads may still write while the process ends.
Registry& registry() {
    static auto* const kRegistry = new Registry;
    return *kRegistry;
}

}  // namespace

HandleRef handleOf(MPI_File file) noexcept {
    const std::scoped_lock lock(registry().mutex);
    const auto found = registry().files.find(file);
    return found != registry().files.end() ? found->second.handle : 0;
}

CommRef membersOf(MPI_File file) noexcept {
    const std::scoped_lock lock(registry().mutex);
    const auto found = registry().files.find(file);
    return found != registry().files.end() ? found->second.comm : 0;
}

std::uint32_t nextOpening(CommRef comm) noexcept {
    const std::scoped_lock lock(registry().mutex);
    return registry().openings[comm]++;
}

void rememberFile(MPI_File file, HandleRef handle, CommRef comm) noexcept {
    const std::scoped_lock lock(registry().mutex);
    registry().files[file] = {handle, comm, 0};
}

void forgetFile(MPI_File file) noexcept {
    const std::scoped_lock lock(registry().mutex);
    registry().files.erase(file);
}

void keepSplit(MPI_File file, RequestId operation) noexcept {
    const std::scoped_lock lock(registry().mutex);
    if (const auto found = registry().files.find(file); found != registry().files.end())
        found->second.split = operation;
}

RequestId takeSplit(MPI_File file) noexcept {
    const std::scoped_lock lock(registry().mutex);
    const auto found = registry().files.find(file);
    return found != registry().files.end() ? std::exchange(found->second.split, 0) : 0;
}

FileAccess accessOf(int amode) noexcept {
    if ((amode & MPI_MODE_RDWR) != 0) return FileAccess::ReadWrite;
    return (amode & MPI_MODE_WRONLY) != 0 ? FileAccess::WriteOnly : FileAccess::ReadOnly;
}

std::uint32_t fileFlagsOf(int amode) noexcept {
    std::uint32_t flags = 0;
    if ((amode & MPI_MODE_CREATE) != 0) flags |= kCreateFile;
    if ((amode & MPI_MODE_EXCL) != 0) flags |= kExclusively;
    if ((amode & MPI_MODE_APPEND) != 0) flags |= kAppend;
    if ((amode & MPI_MODE_DELETE_ON_CLOSE) != 0) flags |= kDeleteOnClose;
    return flags;
}

void SeekFile::finish(int result) const noexcept {
    const HandleRef handle = handleOf(file_);
    if (handle == 0 || result != MPI_SUCCESS) return;
    const SeekFrom from = whence_ == MPI_SEEK_SET   ? SeekFrom::Begin
                          : whence_ == MPI_SEEK_CUR ? SeekFrom::Here
                                                    : SeekFrom::End;
    MPI_Offset place = 0;
    const bool isKnown = !isShared_ && PMPI_File_get_position(file_, &place) == MPI_SUCCESS;
    fileSeek(handle, from, offset_, isKnown ? static_cast<std::uint64_t>(place) : kUnknownOffset);
}

}  // namespace holos::tracing::mpi

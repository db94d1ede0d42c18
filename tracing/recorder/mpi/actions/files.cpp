// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/mpi/actions/files.h"

namespace holos::tracing::mpi {

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

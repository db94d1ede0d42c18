// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>

#include "tracing/recorder/core/events.h"
#include "tracing/recorder/mpi/actions/messages.h"
#include "tracing/recorder/mpi/state/communicators.h"
#include "tracing/recorder/mpi/state/requests.h"
#include "tracing/recorder/mpi/state/traffic.h"
#include "tracing/recorder/mpi/state/views.h"
#include "tracing/recordings/format/waiting_notes.h"

/// The files that this process has open.
///
/// Thread safety: safe.
namespace holos::tracing::mpi {

/// 0 for files that the trace does not know.
HandleRef handleOf(MPI_File file) noexcept;

/// The members who opened the file together; 0 for files that the trace does not know.
CommRef membersOf(MPI_File file) noexcept;

/// The thread is in a call that all members make.
inline void awaitsMembersOfFile(CommRef members) noexcept {
    if (members != 0)
        awaits({kNoRoot, members, 0, awaitedCode(AwaitedKind::Collective, kCollectiveFileCall)});
}

/// Counts the openings that the members of a communicator make together, failed ones too: all count in the
/// same order, so that no message is needed to agree on a file's identity.
std::uint32_t nextOpening(CommRef comm) noexcept;

/// `comm`: of those who opened it.
void rememberFile(MPI_File file, HandleRef handle, CommRef comm) noexcept;
void forgetFile(MPI_File file) noexcept;

/// The operation that a call with `_begin` began, for the one with `_end`; a file has one at most.
void keepSplit(MPI_File file, RequestId operation) noexcept;
/// 0 when there is none.
RequestId takeSplit(MPI_File file) noexcept;

/// Files. An operation begins with the bytes that are asked for, and is complete with those that were moved.
FileAccess accessOf(int amode) noexcept;
std::uint32_t fileFlagsOf(int amode) noexcept;

template <class AnyFiles>
class OpenFile {
  public:
    OpenFile(MPI_Comm comm, const char* name, int amode, AnyFiles& made) noexcept
        : comm_(refOf(comm)), name_(name), amode_(amode), made_(made) {
        if (comm_ != 0) opening_ = nextOpening(comm_);
        awaitsMembersOfFile(comm_);
    }
    void finish(int result) const noexcept {
        if (comm_ == 0 || result != MPI_SUCCESS) return;
        const HandleRef handle = defineHandle({defineFile(name_), comm_, opening_});
        rememberFile(made_[0], handle, comm_);
        fileOpened(handle, accessOf(amode_), fileFlagsOf(amode_));
    }

  private:
    CommRef comm_;
    const char* name_;
    int amode_;
    AnyFiles& made_;
    std::uint32_t opening_ = 0;
};

template <class AnyFiles>
class CloseFile {
  public:
    explicit CloseFile(AnyFiles& file) noexcept : file_(file[0]) { awaitsMembersOfFile(membersOf(file_)); }
    void finish(int result) const noexcept {
        if (result != MPI_SUCCESS) return;
        fileClosed(handleOf(file_));
        forgetFile(file_);
    }

  private:
    MPI_File file_;
};

class DeleteFile {
  public:
    explicit DeleteFile(const char* name) noexcept : name_(name) {}
    void finish(int result) const noexcept {
        if (result == MPI_SUCCESS) fileDeleted(defineFile(name_));
    }

  private:
    const char* name_;
};

/// The individual pointer's place is known to the process alone; that of the shared one is asked for nowhere.
class SeekFile {
  public:
    SeekFile(MPI_File file, MPI_Offset offset, int whence, bool isShared) noexcept
        : file_(file), offset_(offset), whence_(whence), isShared_(isShared) {}
    void finish(int result) const noexcept;

  private:
    MPI_File file_;
    MPI_Offset offset_;
    int whence_;
    bool isShared_;
};

/// Common to operations on a file: their number, and their start.
class OnFile {
  protected:
    OnFile(MPI_File file, FileOperation operation, IoOperationFlag flag, std::uint64_t bytes) noexcept
        : handle_(handleOf(file)), number_(handle_ != 0 ? newRequest() : 0) {
        fileBegin(handle_, operation, flag, bytes, number_);
        if (flag == IoOperationFlag::Collective) awaitsMembersOfFile(membersOf(file));
    }
    void complete(std::uint64_t bytes) const noexcept { fileComplete(handle_, bytes, number_); }
    /// False when there is nothing left to be completed.
    bool issued(int result) const noexcept {
        if (result == MPI_SUCCESS)
            fileIssued(handle_, number_);
        else
            complete(0);
        return handle_ != 0 && result == MPI_SUCCESS;
    }
    HandleRef handle_;
    RequestId number_;
};

template <class AnyStatuses>
std::uint64_t movedBytes(int result, const AnyStatuses& status) noexcept {
    return result == MPI_SUCCESS && status.known() ? bytesOf(status[0]) : 0;
}

template <class AnyStatuses>
class FileTransfer : OnFile {
  public:
    FileTransfer(MPI_File file, FileOperation operation, IoOperationFlag flag, MPI_Count count,
                 MPI_Datatype type, AnyStatuses& status) noexcept
        : OnFile(file, operation, flag, traffic::bytesOf(count, type)), status_(status) {}
    void finish(int result) const noexcept { complete(movedBytes(result, status_)); }

  private:
    AnyStatuses& status_;
};

class SyncFile : OnFile {
  public:
    explicit SyncFile(MPI_File file) noexcept
        : OnFile(file, FileOperation::Flush, IoOperationFlag::Collective, 0) {}
    void finish(int) const noexcept { complete(0); }
};

/// Changes how all who have the file open see it: what no event of files is made for.
class ChangeFile {
  public:
    explicit ChangeFile(MPI_File file) noexcept : handle_(handleOf(file)) {
        awaitsMembersOfFile(membersOf(file));
    }
    void finish(int) const noexcept { collectiveHandle(handle_); }

  private:
    HandleRef handle_;
};

template <class AnyRequests>
class NonblockingTransfer : OnFile {
  public:
    NonblockingTransfer(MPI_File file, FileOperation operation, IoOperationFlag flag, MPI_Count count,
                        MPI_Datatype type, AnyRequests& handle) noexcept
        : OnFile(file, operation, flag, traffic::bytesOf(count, type)), request_(handle) {}
    void finish(int result) const noexcept {
        if (!issued(result)) return;
        Request request;
        request.kind = RequestKind::File;
        request.id = number_;
        request.file = handle_;
        addRequest(request_[0], request);
    }

  private:
    AnyRequests& request_;
};

class BeginTransfer : OnFile {
  public:
    BeginTransfer(MPI_File file, FileOperation operation, MPI_Count count, MPI_Datatype type) noexcept
        : OnFile(file, operation, IoOperationFlag::NonBlockingCollective, traffic::bytesOf(count, type)),
          file_(file) {}
    void finish(int result) const noexcept {
        if (issued(result)) keepSplit(file_, number_);
    }

  private:
    MPI_File file_;
};

template <class AnyStatuses>
class EndTransfer {
  public:
    EndTransfer(MPI_File file, AnyStatuses& status) noexcept : file_(file), status_(status) {}
    void finish(int result) const noexcept {
        const RequestId number = takeSplit(file_);
        if (number != 0) fileComplete(handleOf(file_), movedBytes(result, status_), number);
    }

  private:
    MPI_File file_;
    AnyStatuses& status_;
};

}  // namespace holos::tracing::mpi

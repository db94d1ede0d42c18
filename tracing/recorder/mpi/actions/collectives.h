// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <type_traits>

#include "tracing/recorder/core/events.h"
#include "tracing/recorder/mpi/actions/started.h"
#include "tracing/recorder/mpi/state/communicators.h"
#include "tracing/recorder/mpi/state/requests.h"
#include "tracing/recorder/mpi/state/traffic.h"
#include "tracing/recorder/mpi/state/world.h"
#include "tracing/recordings/format/waiting_notes.h"

/// Collective calls: operations, communicators, start and end of MPI.
namespace holos::tracing::mpi {

/// A blocking collective operation.
class Exchange {
  public:
    Exchange(Collective operation, MPI_Comm comm, auto root, traffic::Bytes bytes) noexcept
        : operation_(operation), comm_(refOf(comm)), root_(rootOf(root)), bytes_(bytes) {
        if (comm_ == 0) return;
        mpiCollectiveBegin();
        awaits(
            {root_, comm_, 0, awaitedCode(AwaitedKind::Collective, static_cast<std::uint32_t>(operation))});
    }
    void finish(int) const noexcept { finishIn(comm_); }
    /// Where others take part than was known when it began.
    void finishIn(CommRef comm) const noexcept {
        if (comm_ != 0)
            mpiCollectiveEnd(operation_, comm, bytes_.rootWord(root_), bytes_.sent, bytes_.received);
    }
    CommRef comm() const noexcept { return comm_; }

  private:
    Collective operation_;
    CommRef comm_;
    std::uint32_t root_;
    traffic::Bytes bytes_;
};

/// A communicator made by the members of `parent` together, or, where it connects them with another group, by
/// all that are its own. With MPI_COMM_NULL as parent only the new communicator's own members take part.
template <class AnyComms>
class NewComm {
  public:
    NewComm(MPI_Comm parent, AnyComms& made) noexcept
        : parent_(parent), exchange_(Collective::CreateHandle, parent, kNoRoot, {}), made_(made) {
        if (isOfMembers()) mpiCollectiveBegin();
    }
    void finish(int result) const noexcept {
        const bool isMade = result == MPI_SUCCESS;
        if (isMade) agreeOnComm(made_[0], parent_);
        if (isOfMembers()) return finishAmong(isMade ? refOf(made_[0]) : 0);
        exchange_.finishIn(isMade && connectsGroups() ? refOf(made_[0]) : exchange_.comm());
    }

  private:
    bool isOfMembers() const noexcept { return parent_ == MPI_COMM_NULL && refOf(MPI_COMM_SELF) != 0; }
    /// Where there are none, or they are not known, the process was alone.
    static void finishAmong(CommRef members) noexcept {
        mpiCollectiveEnd(Collective::CreateHandle, members != 0 ? members : refOf(MPI_COMM_SELF), kNoRoot, 0,
                         0);
    }
    bool connectsGroups() const noexcept {
        return exchange_.comm() != 0 && !isBetweenGroups(parent_) && isBetweenGroups(made_[0]) &&
               refOf(made_[0]) != 0;
    }

    MPI_Comm parent_;
    Exchange exchange_;
    AnyComms& made_;
};

/// Recorded as an operation that the members begin together and complete each by itself; the duplicate is
/// known also where nothing is recorded.
template <class AnyComms, class AnyRequests>
class Idup {
  public:
    Idup(MPI_Comm parent, AnyComms& made, AnyRequests& request) noexcept
        : handle_(request), request_(exchangeRequest(Collective::CreateHandle, parent, kNoRoot, {})) {
        request_.made = duplicateOf(parent);
        if (request_.made != 0 && recording()) recordStart(request_);
        request_.kind = RequestKind::Duplicate;
        request_.duplicate = made.pointer();
        request_.duplicateIsFortran = std::is_same_v<decltype(made.pointer()), MPI_Fint*>;
    }
    void finish(int result) const noexcept {
        if (result == MPI_SUCCESS && request_.made != 0) addRequest(handle_[0], request_);
    }

  private:
    AnyRequests& handle_;
    Request request_;
};

template <class AnyComms>
class FreeComm {
  public:
    explicit FreeComm(AnyComms& comm) noexcept
        : comm_(comm[0]), exchange_(Collective::DestroyHandle, comm_, kNoRoot, {}) {}
    void finish(int result) const noexcept {
        if (result == MPI_SUCCESS) forget(comm_);
        exchange_.finish(result);
    }

  private:
    MPI_Comm comm_;
    Exchange exchange_;
};

class Init {
  public:
    void finish(int result) const noexcept {
        if (result == MPI_SUCCESS) worldBegins();
    }
};

class Finish {
  public:
    Finish() noexcept { worldEnds(); }
    void finish(int) const noexcept {}
};

/// Communicators whose processes stand in a grid.

/// Defines the grid of a communicator that has one.
void defineGridOf(MPI_Comm comm) noexcept;

template <class AnyComms>
class NewGrid {
  public:
    NewGrid(MPI_Comm parent, AnyComms& made) noexcept : comm_(parent, made), made_(made) {}
    void finish(int result) const noexcept {
        comm_.finish(result);
        if (result == MPI_SUCCESS && made_[0] != MPI_COMM_NULL) defineGridOf(made_[0]);
    }

  private:
    NewComm<AnyComms> comm_;
    AnyComms& made_;
};

}  // namespace holos::tracing::mpi

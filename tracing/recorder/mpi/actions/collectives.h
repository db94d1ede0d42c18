// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <type_traits>
#include <utility>

#include "tracing/recorder/core/events.h"
#include "tracing/recorder/mpi/actions/messages.h"
#include "tracing/recorder/mpi/state/communicators.h"
#include "tracing/recorder/mpi/state/neighbours.h"
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

/// A blocking operation of those who are in the communicator that it makes: who they are is known at its end.
class AmongMembers {
  public:
    explicit AmongMembers(bool isSo = true) noexcept : isSo_(isSo && refOf(MPI_COMM_SELF) != 0) {
        if (isSo_) mpiCollectiveBegin();
    }
    explicit operator bool() const noexcept { return isSo_; }
    /// Where none was made, or it is not known, the process was alone.
    void finishIn(CommRef made) const noexcept {
        if (isSo_)
            mpiCollectiveEnd(Collective::CreateHandle, made != 0 ? made : refOf(MPI_COMM_SELF), kNoRoot, 0,
                             0);
    }

  private:
    bool isSo_;
};

/// A communicator made by the members of `parent` together, or, where it connects them with another group, by
/// all that are its own. With MPI_COMM_NULL as parent only the new communicator's own members take part.
template <class AnyComms>
class NewComm {
  public:
    NewComm(MPI_Comm parent, AnyComms& made) noexcept
        : parent_(parent),
          exchange_(Collective::CreateHandle, parent, kNoRoot, {}),
          members_(parent == MPI_COMM_NULL),
          made_(made) {}
    void finish(int result) const noexcept {
        const bool isMade = result == MPI_SUCCESS;
        if (isMade) agreeOnComm(made_[0], parent_);
        if (members_) return members_.finishIn(isMade ? refOf(made_[0]) : 0);
        exchange_.finishIn(isMade && connectsGroups() ? refOf(made_[0]) : exchange_.comm());
    }

  private:
    bool connectsGroups() const noexcept {
        return exchange_.comm() != 0 && !isBetweenGroups(parent_) && isBetweenGroups(made_[0]) &&
               refOf(made_[0]) != 0;
    }

    MPI_Comm parent_;
    Exchange exchange_;
    AmongMembers members_;
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

// Calls that make a communicator with processes of another world.

/// An operation of the parents: none of them comes back before the last one has come.
template <class AnyComms>
class Spawn {
  public:
    Spawn(MPI_Comm local, int root, AnyComms& made) noexcept
        : exchange_(Collective::CreateHandle, local, kNoRoot, {}), local_(local), root_(root), made_(made) {}
    void finish(int result) const noexcept {
        if (result == MPI_SUCCESS && made_[0] != MPI_COMM_NULL) meetChildren(local_, root_, made_[0]);
        exchange_.finish(result);
    }

  private:
    Exchange exchange_;
    MPI_Comm local_;
    int root_;
    AnyComms& made_;
};

template <class AnyComms>
class MeetAtPort {
  public:
    MeetAtPort(MPI_Comm local, int root, const char* port, bool accepts, AnyComms& made) noexcept
        : local_(local), root_(root), port_(port), accepts_(accepts), made_(made) {}
    void finish(int result) const noexcept {
        const bool isMade = result == MPI_SUCCESS && made_[0] != MPI_COMM_NULL;
        if (isMade) meetAtPort(local_, root_, port_, accepts_, made_[0]);
        members_.finishIn(isMade ? refOf(made_[0]) : 0);
    }

  private:
    AmongMembers members_;
    MPI_Comm local_;
    int root_;
    const char* port_;
    bool accepts_;
    AnyComms& made_;
};

template <class AnyComms>
class Join {
  public:
    Join(int descriptor, AnyComms& made) noexcept : ends_(endsOf(descriptor)), made_(made) {}
    void finish(int result) const noexcept {
        const bool isMade = result == MPI_SUCCESS && made_[0] != MPI_COMM_NULL;
        if (isMade) meetBySocket(ends_, made_[0]);
        members_.finishIn(isMade ? refOf(made_[0]) : 0);
    }

  private:
    AmongMembers members_;
    SocketEnds ends_;
    AnyComms& made_;
};

// Collective operations of neighbours: blocking, completed by a later call, persistent.

class WithNeighbours {
  public:
    WithNeighbours(MPI_Comm comm, NeighbourMessages messages) noexcept
        : comm_(refOf(comm)), messages_(std::move(messages)) {
        for (const auto& one : messages_.sent) mpiSend(one.rank, comm_, neighbourTag(), one.bytes);
    }
    void finish(int result) const noexcept {
        if (result != MPI_SUCCESS) return;
        for (const auto& one : messages_.received) mpiRecv(one.rank, comm_, neighbourTag(), one.bytes);
    }

  private:
    CommRef comm_;
    NeighbourMessages messages_;
};

/// Under a request whose `peer` is the number of its messages.
Request neighboursRequest(MPI_Comm comm, NeighbourMessages messages) noexcept;

template <class AnyRequests>
class StartWithNeighbours {
  public:
    StartWithNeighbours(MPI_Comm comm, NeighbourMessages messages, AnyRequests& request) noexcept
        : handle_(request), request_(neighboursRequest(comm, std::move(messages))) {
        recordStart(request_);
    }
    void finish(int result) const noexcept {
        if (request_.id != 0 && result == MPI_SUCCESS)
            addRequest(handle_[0], request_);
        else
            forgetNeighbours(request_.peer);
    }

  private:
    AnyRequests& handle_;
    Request request_;
};

template <class AnyRequests>
class PersistentWithNeighbours : public Persistent<AnyRequests> {
  public:
    PersistentWithNeighbours(MPI_Comm comm, NeighbourMessages messages, AnyRequests& request) noexcept
        : Persistent<AnyRequests>(true, request) {
        this->request_ = neighboursRequest(comm, std::move(messages));
    }
};

}  // namespace holos::tracing::mpi

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <utility>

#include "tracing/recorder/mpi/actions/started.h"
#include "tracing/recorder/mpi/state/communicators.h"
#include "tracing/recorder/mpi/state/neighbours.h"

/// Collective operations of neighbours: blocking, completed by a later call, persistent.
namespace holos::tracing::mpi {

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

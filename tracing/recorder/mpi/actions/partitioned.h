// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "tracing/recorder/mpi/actions/started.h"

/// Messages in partitions (MPI 4): persistent requests. The message is recorded as a whole, its send where
/// the last partition is ready: until then a receiver may have to wait. Sender and receiver may cut it
/// differently.
namespace holos::tracing::mpi {

template <class AnyRequests>
class PartitionedSend : public Persistent<AnyRequests> {
  public:
    PartitionedSend(MPI_Comm comm, int dest, int tag, int partitions, MPI_Count count, MPI_Datatype type,
                    AnyRequests& request) noexcept
        : Persistent<AnyRequests>(dest >= 0 && partitions > 0, request) {
        if (!this->isMessage_) return;
        this->request_ = sendRequest(comm, dest, tag, partitions * count, type);
        this->request_.kind = RequestKind::PartitionedSend;
        this->request_.partitions = static_cast<std::uint32_t>(partitions);
    }
};

template <class AnyRequests>
class PartitionedRecv : public Persistent<AnyRequests> {
  public:
    PartitionedRecv(MPI_Comm comm, int source, int tag, int partitions, MPI_Count count, MPI_Datatype type,
                    AnyRequests& request) noexcept
        : Persistent<AnyRequests>(source >= 0 && partitions > 0, request) {
        if (!this->isMessage_) return;
        this->request_ = sendRequest(comm, source, tag, partitions * count, type);
        this->request_.kind = RequestKind::PartitionedReceive;
    }
};

/// Counts the partitions of a send that are ready.
class Ready {
  public:
    Ready(MPI_Request request, int partitions) noexcept;
    void finish(int) const noexcept {}
};

}  // namespace holos::tracing::mpi

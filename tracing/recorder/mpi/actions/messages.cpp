// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/mpi/actions/messages.h"

#include <mutex>
#include <unordered_map>
#include <utility>

#include "tracing/recorder/mpi/actions/collectives.h"

namespace holos::tracing::mpi {
namespace {

struct Matched {
    std::mutex mutex;
    std::unordered_map<MPI_Message, MPI_Comm> comms;
};

Matched& matched() {
    static auto* const kMatched = new Matched;
    return *kMatched;
}

}  // namespace

void keepMatched(MPI_Message message, MPI_Comm comm) noexcept {
    if (message == MPI_MESSAGE_NO_PROC) return;  // of MPI_PROC_NULL: nothing will be received
    const std::scoped_lock lock(matched().mutex);
    matched().comms[message] = comm;
}

MPI_Comm takeMatched(MPI_Message message) noexcept {
    const std::scoped_lock lock(matched().mutex);
    const auto found = matched().comms.extract(message);
    return found.empty() ? MPI_COMM_NULL : found.mapped();
}

std::uint64_t bytesOf(const MPI_Status& status) noexcept {
    int bytes = 0;
    PMPI_Get_count(&status, MPI_BYTE, &bytes);
    if (bytes != MPI_UNDEFINED) return static_cast<std::uint64_t>(bytes);
    MPI_Count many = 0;
    PMPI_Get_elements_x(&status, MPI_BYTE, &many);
    return many > 0 ? static_cast<std::uint64_t>(many) : 0;
}

Request sendRequest(MPI_Comm comm, int dest, int tag, MPI_Count count, MPI_Datatype type) noexcept {
    Request request;
    request.kind = RequestKind::Send;
    request.comm = refOf(comm);
    request.peer = static_cast<std::uint32_t>(dest);
    request.tag = static_cast<std::uint32_t>(tag);
    request.bytes = static_cast<std::uint64_t>(count) * traffic::sizeOf(type);
    return request;
}

Request receiveRequest(MPI_Comm comm, int source, int tag) noexcept {
    Request request;
    request.kind = RequestKind::Receive;
    const Awaited message = messageFrom(refOf(comm), source, tag);
    request.comm = message.comm;
    request.peer = message.peer;
    request.tag = message.tag;
    return request;
}

Request exchangeRequest(Collective operation, MPI_Comm comm, std::uint32_t root,
                        traffic::Bytes bytes) noexcept {
    Request request;
    request.kind = RequestKind::Exchange;
    request.comm = refOf(comm);
    request.operation = operation;
    request.peer = root;
    request.bytes = bytes.sent;
    request.received = bytes.received;
    request.comesFromAll = bytes.comesFromAll;
    return request;
}

Request neighboursRequest(MPI_Comm comm, NeighbourMessages messages) noexcept {
    Request request;
    request.kind = RequestKind::Neighbours;
    request.comm = refOf(comm);
    request.peer = keepNeighbours(std::move(messages));
    return request;
}

void recordStart(Request& request) noexcept {
    request.ready = 0;
    request.id = request.comm != 0 ? newRequest() : 0;
    if (request.id == 0) return;
    switch (request.kind) {
        case RequestKind::Send:
            return mpiIsend(request.peer, request.comm, request.tag, request.bytes, request.id);
        case RequestKind::Exchange:
            return mpiCollectiveRequest(request.id, request.comm);
        case RequestKind::Neighbours:
            return startNeighbours(request.peer, request.comm);
        case RequestKind::PartitionedSend:
            return;  // when the last partition is ready
        default:
            return mpiIrecvRequest(request.id);
    }
}

Ready::Ready(MPI_Request handle, int partitions) noexcept {
    changeRequest(handle, [partitions](Request& request) {
        const bool isOpen = request.kind == RequestKind::PartitionedSend && request.active && request.id != 0;
        if (!isOpen || partitions <= 0 || request.ready >= request.partitions) return;
        request.ready += static_cast<std::uint32_t>(partitions);
        if (request.ready >= request.partitions)
            mpiIsend(request.peer, request.comm, request.tag, request.bytes, request.id);
    });
}

}  // namespace holos::tracing::mpi

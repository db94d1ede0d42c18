// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/mpi/actions/started.h"

namespace holos::tracing::mpi {

Request sendRequest(MPI_Comm comm, int dest, int tag, MPI_Count count, MPI_Datatype type) noexcept {
    Request request;
    request.kind = RequestKind::Send;
    request.comm = refOf(comm);
    request.peer = static_cast<std::uint32_t>(dest);
    request.tag = static_cast<std::uint32_t>(tag);
    request.bytes = static_cast<std::uint64_t>(count) * traffic::sizeOf(type);
    return request;
}

Request receiveRequest(MPI_Comm comm) noexcept {
    Request request;
    request.kind = RequestKind::Receive;
    request.comm = refOf(comm);
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
    return request;
}

void recordStart(Request& request) noexcept {
    request.id = request.comm != 0 ? newRequest() : 0;
    if (request.id == 0) return;
    if (request.kind == RequestKind::Send)
        mpiIsend(request.peer, request.comm, request.tag, request.bytes, request.id);
    else if (request.kind == RequestKind::Exchange)
        mpiCollectiveRequest(request.id);
    else
        mpiIrecvRequest(request.id);
}

}  // namespace holos::tracing::mpi

// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/mpi/actions/completions.h"

#include "tracing/recorder/core/events.h"
#include "tracing/recorder/mpi/actions/messages.h"
#include "tracing/recorder/mpi/state/communicators.h"
#include "tracing/recorder/mpi/state/neighbours.h"
#include "tracing/recorder/mpi/state/requests.h"
#include "tracing/recorder/mpi/state/windows.h"

namespace holos::tracing::mpi {
namespace {

bool wasCancelled(const Request& request, const MPI_Status* status) {
    int flag = 0;
    if (request.cancelled && status != nullptr) PMPI_Test_cancelled(status, &flag);
    return flag != 0;
}

void completeExchange(const Request& request) {
    const traffic::Bytes bytes{request.bytes, request.received, request.comesFromAll};
    mpiCollectiveComplete(request.operation, request.comm, bytes.rootWord(request.peer), bytes.sent,
                          bytes.received, request.id);
}

void completeDuplicate(const Request& request) {
    remember(request.duplicateIsFortran ? PMPI_Comm_f2c(*static_cast<const MPI_Fint*>(request.duplicate))
                                        : *static_cast<const MPI_Comm*>(request.duplicate),
             request.made);
    if (request.id != 0) completeExchange(request);
}

void completeBoth(const Request& request) {
    if (request.sendId != 0) mpiIsendComplete(request.sendId);
    mpiIrecv(request.peer, request.comm, request.tag, request.bytes, request.id);
}

void completeMessages(const Request& request) {
    completeNeighbours(request.peer, request.comm);
    if (!request.persistent) forgetNeighbours(request.peer);
}

}  // namespace

void recordCompletion(MPI_Request handle, Claim claim, const MPI_Status* status) noexcept {
    Request request;
    if (handle == MPI_REQUEST_NULL || !completeRequest(handle, claim, request)) return;
    if (request.kind == RequestKind::Duplicate) return completeDuplicate(request);
    if (request.id == 0) return;
    if (request.kind == RequestKind::Exchange) return completeExchange(request);
    if (request.kind == RequestKind::Neighbours) return completeMessages(request);
    if (request.kind == RequestKind::OneSided) return completeOperation(request.window, request.id);
    if (request.kind == RequestKind::SendReceive) return completeBoth(request);
    if (request.kind == RequestKind::PartitionedReceive)
        return mpiIrecv(request.peer, request.comm, request.tag, request.bytes, request.id);
    if (request.kind == RequestKind::File)
        return fileComplete(request.file, status != nullptr ? bytesOf(*status) : 0, request.id);
    if (wasCancelled(request, status))
        mpiRequestCancelled(request.id);
    else if (request.kind == RequestKind::Send || request.kind == RequestKind::PartitionedSend)
        mpiIsendComplete(request.id);
    else if (status != nullptr && isMessage(*status))
        mpiIrecv(static_cast<std::uint32_t>(status->MPI_SOURCE), request.comm,
                 static_cast<std::uint32_t>(status->MPI_TAG), bytesOf(*status), request.id);
}

Awaited awaitedBy(MPI_Request handle) noexcept {
    Awaited awaited{0, 0, 0, awaitedCode(AwaitedKind::Other)};
    changeRequest(handle, [&awaited](const Request& request) {
        switch (request.kind) {
            case RequestKind::Send:
            case RequestKind::PartitionedSend:
                awaited = {request.peer, request.comm, request.tag, awaitedCode(AwaitedKind::Send)};
                break;
            case RequestKind::Receive:
            case RequestKind::SendReceive:
            case RequestKind::PartitionedReceive:
                awaited = {request.peer, request.comm, request.tag, awaitedCode(AwaitedKind::Receive)};
                break;
            case RequestKind::Exchange:
                awaited = {
                    request.peer, request.comm, tagOf(request.id),
                    awaitedCode(AwaitedKind::Collective, static_cast<std::uint32_t>(request.operation))};
                break;
            default:
                break;
        }
    });
    return awaited;
}

bool isSent(MPI_Request handle, const Awaited& awaited, int& asked) noexcept {
    int flag = 0;
    if (awaited.code != awaitedCode(AwaitedKind::Send)) return false;
    ++asked;
    return PMPI_Request_get_status(handle, &flag, MPI_STATUS_IGNORE) == MPI_SUCCESS && flag != 0;
}

void recordTest(MPI_Request handle) noexcept {
    if (handle == MPI_REQUEST_NULL) return;
    changeRequest(handle, [](Request& request) {
        const bool isBegun =
            request.kind != RequestKind::PartitionedSend || request.ready >= request.partitions;
        if (request.active && isBegun && request.id != 0 && request.kind <= RequestKind::PartitionedReceive)
            mpiRequestTest(request.id);
        else if (request.active && request.kind == RequestKind::File)
            fileTested(request.file, request.id);
    });
}

}  // namespace holos::tracing::mpi

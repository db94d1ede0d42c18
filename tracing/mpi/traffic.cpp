// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/mpi/traffic.h"

#include "tracing/mpi/communicators.h"

namespace holos::tracing::mpi::traffic {
namespace {

std::uint64_t product(std::uint64_t processes, MPI_Count count, MPI_Datatype type) {
    return processes * static_cast<std::uint64_t>(count) * sizeOf(type);
}

/// Of all processes but `without` (-1: of all).
std::uint64_t sum(MPI_Comm comm, Counts counts, MPI_Datatype type, int without) {
    if (refOf(comm) == 0) return 0;  // between two groups the arrays have other lengths
    std::uint64_t elements = 0;
    const int size = processesIn(comm);
    for (int i = 0; i < size; ++i)
        if (i != without) elements += static_cast<std::uint64_t>(counts[i]);
    return elements * sizeOf(type);
}

std::uint64_t processes(MPI_Comm comm) {
    return static_cast<std::uint64_t>(processesIn(comm));
}

}  // namespace

std::uint64_t sizeOf(MPI_Datatype type) noexcept {
    int size = 0;
    if (type != MPI_DATATYPE_NULL) PMPI_Type_size(type, &size);
    return size > 0 ? static_cast<std::uint64_t>(size) : 0;
}

int rankIn(MPI_Comm comm) noexcept {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}

int processesIn(MPI_Comm comm) noexcept {
    int size = 0;
    PMPI_Comm_size(comm, &size);
    return size;
}

Bytes bcast(MPI_Comm comm, MPI_Count count, MPI_Datatype type, int root) noexcept {
    const std::uint64_t one = product(1, count, type);
    return {rankIn(comm) == root ? processes(comm) * one : 0, one};
}

Bytes gather(MPI_Comm comm, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
             MPI_Count recvcount, MPI_Datatype recvtype, int root) noexcept {
    const bool inPlace = isInPlace(sendbuf);
    Bytes bytes{inPlace ? 0 : product(1, sendcount, sendtype), 0};
    if (rankIn(comm) == root) bytes.received = product(processes(comm) - inPlace, recvcount, recvtype);
    return bytes;
}

Bytes gatherv(MPI_Comm comm, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
              Counts recvcounts, MPI_Datatype recvtype, int root) noexcept {
    const bool inPlace = isInPlace(sendbuf);
    Bytes bytes{inPlace ? 0 : product(1, sendcount, sendtype), 0};
    if (rankIn(comm) == root) bytes.received = sum(comm, recvcounts, recvtype, inPlace ? root : -1);
    return bytes;
}

Bytes scatter(MPI_Comm comm, MPI_Count sendcount, MPI_Datatype sendtype, const void* recvbuf,
              MPI_Count recvcount, MPI_Datatype recvtype, int root) noexcept {
    const bool inPlace = isInPlace(recvbuf);
    Bytes bytes{0, inPlace ? 0 : product(1, recvcount, recvtype)};
    if (rankIn(comm) == root) bytes.sent = product(processes(comm) - inPlace, sendcount, sendtype);
    return bytes;
}

Bytes scatterv(MPI_Comm comm, Counts sendcounts, MPI_Datatype sendtype, const void* recvbuf,
               MPI_Count recvcount, MPI_Datatype recvtype, int root) noexcept {
    const bool inPlace = isInPlace(recvbuf);
    Bytes bytes{0, inPlace ? 0 : product(1, recvcount, recvtype)};
    if (rankIn(comm) == root) bytes.sent = sum(comm, sendcounts, sendtype, inPlace ? root : -1);
    return bytes;
}

Bytes allgather(MPI_Comm comm, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                MPI_Count recvcount, MPI_Datatype recvtype) noexcept {
    const std::uint64_t size = processes(comm);
    if (isInPlace(sendbuf)) {
        const std::uint64_t others = product(size - 1, recvcount, recvtype);
        return {others, others};
    }
    return {product(size, sendcount, sendtype), product(size, recvcount, recvtype)};
}

Bytes allgatherv(MPI_Comm comm, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                 Counts recvcounts, MPI_Datatype recvtype) noexcept {
    const std::uint64_t size = processes(comm);
    if (isInPlace(sendbuf)) {
        const int own = rankIn(comm);
        return {product(size - 1, recvcounts[own], recvtype), sum(comm, recvcounts, recvtype, own)};
    }
    return {product(size, sendcount, sendtype), sum(comm, recvcounts, recvtype, -1)};
}

Bytes alltoall(MPI_Comm comm, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
               MPI_Count recvcount, MPI_Datatype recvtype) noexcept {
    return allgather(comm, sendbuf, sendcount, sendtype, recvcount, recvtype);
}

Bytes alltoallv(MPI_Comm comm, const void* sendbuf, Counts sendcounts, MPI_Datatype sendtype,
                Counts recvcounts, MPI_Datatype recvtype) noexcept {
    if (isInPlace(sendbuf)) {
        const std::uint64_t others = sum(comm, recvcounts, recvtype, rankIn(comm));
        return {others, others};
    }
    return {sum(comm, sendcounts, sendtype, -1), sum(comm, recvcounts, recvtype, -1)};
}

Bytes allreduce(MPI_Comm comm, const void* sendbuf, MPI_Count count, MPI_Datatype type) noexcept {
    const std::uint64_t bytes = product(processes(comm) - isInPlace(sendbuf), count, type);
    return {bytes, bytes};
}

Bytes reduce(MPI_Comm comm, const void* sendbuf, MPI_Count count, MPI_Datatype type, int root) noexcept {
    const bool inPlace = isInPlace(sendbuf);
    return {inPlace ? 0 : product(1, count, type),
            rankIn(comm) == root ? product(processes(comm) - inPlace, count, type) : 0};
}

Bytes reduceScatter(MPI_Comm comm, const void* sendbuf, Counts recvcounts, MPI_Datatype type) noexcept {
    const bool inPlace = isInPlace(sendbuf);
    const int own = rankIn(comm);
    return {sum(comm, recvcounts, type, inPlace ? own : -1),
            product(processes(comm) - inPlace, recvcounts[own], type)};
}

Bytes reduceScatterBlock(MPI_Comm comm, const void* sendbuf, MPI_Count recvcount,
                         MPI_Datatype type) noexcept {
    return allreduce(comm, sendbuf, recvcount, type);
}

Bytes scan(MPI_Comm comm, const void* sendbuf, MPI_Count count, MPI_Datatype type) noexcept {
    const auto own = static_cast<std::uint64_t>(rankIn(comm));
    const bool inPlace = isInPlace(sendbuf);
    return {product(processes(comm) - own - inPlace, count, type), product(own + !inPlace, count, type)};
}

Bytes exscan(MPI_Comm comm, MPI_Count count, MPI_Datatype type) noexcept {
    const auto own = static_cast<std::uint64_t>(rankIn(comm));
    return {product(processes(comm) - own - 1, count, type), product(own, count, type)};
}

}  // namespace holos::tracing::mpi::traffic

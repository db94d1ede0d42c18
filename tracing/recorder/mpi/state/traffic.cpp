// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/mpi/state/traffic.h"

namespace holos::tracing::mpi::traffic {
namespace {

std::uint64_t product(std::uint64_t processes, MPI_Count count, MPI_Datatype type) {
    return processes * static_cast<std::uint64_t>(count) * sizeOf(type);
}

/// Of so many processes but `without` (-1: of all).
std::uint64_t sum(int processes, Counts counts, MPI_Datatype type, int without) {
    std::uint64_t elements = 0;
    for (int i = 0; i < processes; ++i)
        if (i != without) elements += static_cast<std::uint64_t>(counts[i]);
    return elements * sizeOf(type);
}

/// From all of so many processes but `own`.
bool comesFromAll(int processes, Counts counts, MPI_Datatype type, int own) {
    for (int i = 0; i < processes; ++i)
        if (i != own && counts[i] == 0) return false;
    return sizeOf(type) != 0;
}

std::uint64_t partners(MPI_Comm comm) {
    return static_cast<std::uint64_t>(partnersIn(comm));
}

/// What a process does in an operation with a root. Between two groups, those of the root's group but the
/// root itself do nothing, and their other arguments mean nothing.
struct Part {
    bool isRoot;
    bool isServed;  ///< the root sends to it, or receives from it
};
Part partOf(MPI_Comm comm, int root) {
    if (root == MPI_ROOT) return {true, false};
    if (root == MPI_PROC_NULL) return {false, false};
    int isInter = 0;
    PMPI_Comm_test_inter(comm, &isInter);
    return {isInter == 0 && rankIn(comm) == root, true};
}

bool isNamed(MPI_Datatype type) {
    int integers = 0, addresses = 0, types = 0, combiner = 0;
    return PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) == MPI_SUCCESS &&
           combiner == MPI_COMBINER_NAMED;
}

}  // namespace

constinit thread_local KnownTypes knownTypes[1U << kKnownTypesBits] = {};

std::uint64_t askForSize(MPI_Datatype type) noexcept {
    MPI_Count size = 0;  // of one element, which may be 2 GB and more
    if (type == MPI_DATATYPE_NULL || PMPI_Type_size_x(type, &size) != MPI_SUCCESS || size <= 0) return 0;
    const auto bytes = static_cast<std::uint64_t>(size);
    KnownTypes& known = knownTypesWith(type);
    if (type == known.derived) return bytes;
    if (isNamed(type)) {
        known.named = type;
        known.bytes = bytes;
    } else {
        known.derived = type;
    }
    return bytes;
}

int rankIn(MPI_Comm comm) noexcept {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return rank;
}

int ownPartnerIn(MPI_Comm comm) noexcept {
    int isInter = 0;
    PMPI_Comm_test_inter(comm, &isInter);
    return isInter == 0 ? rankIn(comm) : -1;
}

int processesIn(MPI_Comm comm) noexcept {
    int size = 0;
    PMPI_Comm_size(comm, &size);
    return size;
}

int partnersIn(MPI_Comm comm) noexcept {
    int isInter = 0;
    int size = 0;
    PMPI_Comm_test_inter(comm, &isInter);
    if (isInter == 0) return processesIn(comm);
    PMPI_Comm_remote_size(comm, &size);
    return size;
}

Bytes bcast(MPI_Comm comm, MPI_Count count, MPI_Datatype type, int root) noexcept {
    const Part part = partOf(comm, root);
    return {part.isRoot ? product(partners(comm), count, type) : 0,
            part.isServed ? product(1, count, type) : 0};
}

Bytes gather(MPI_Comm comm, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
             MPI_Count recvcount, MPI_Datatype recvtype, int root) noexcept {
    const Part part = partOf(comm, root);
    const bool inPlace = part.isServed && isInPlace(sendbuf);
    return {part.isServed && !inPlace ? product(1, sendcount, sendtype) : 0,
            part.isRoot ? product(partners(comm) - inPlace, recvcount, recvtype) : 0};
}

Bytes gatherv(MPI_Comm comm, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
              Counts recvcounts, MPI_Datatype recvtype, int root) noexcept {
    const Part part = partOf(comm, root);
    const bool inPlace = part.isServed && isInPlace(sendbuf);
    return {part.isServed && !inPlace ? product(1, sendcount, sendtype) : 0,
            part.isRoot ? sum(partnersIn(comm), recvcounts, recvtype, inPlace ? root : -1) : 0};
}

Bytes scatter(MPI_Comm comm, MPI_Count sendcount, MPI_Datatype sendtype, const void* recvbuf,
              MPI_Count recvcount, MPI_Datatype recvtype, int root) noexcept {
    const Part part = partOf(comm, root);
    const bool inPlace = part.isServed && isInPlace(recvbuf);
    return {part.isRoot ? product(partners(comm) - inPlace, sendcount, sendtype) : 0,
            part.isServed && !inPlace ? product(1, recvcount, recvtype) : 0};
}

Bytes scatterv(MPI_Comm comm, Counts sendcounts, MPI_Datatype sendtype, const void* recvbuf,
               MPI_Count recvcount, MPI_Datatype recvtype, int root) noexcept {
    const Part part = partOf(comm, root);
    const bool inPlace = part.isServed && isInPlace(recvbuf);
    return {part.isRoot ? sum(partnersIn(comm), sendcounts, sendtype, inPlace ? root : -1) : 0,
            part.isServed && !inPlace ? product(1, recvcount, recvtype) : 0};
}

Bytes allgather(MPI_Comm comm, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                MPI_Count recvcount, MPI_Datatype recvtype) noexcept {
    const std::uint64_t size = partners(comm);
    if (isInPlace(sendbuf)) {
        const std::uint64_t others = product(size - 1, recvcount, recvtype);
        return {others, others};
    }
    return {product(size, sendcount, sendtype), product(size, recvcount, recvtype)};
}

Bytes allgatherv(MPI_Comm comm, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                 Counts recvcounts, MPI_Datatype recvtype) noexcept {
    const std::uint64_t size = partners(comm);
    if (isInPlace(sendbuf)) {
        const int own = rankIn(comm);
        return {product(size - 1, recvcounts[own], recvtype),
                sum(processesIn(comm), recvcounts, recvtype, own)};
    }
    return {product(size, sendcount, sendtype), sum(partnersIn(comm), recvcounts, recvtype, -1)};
}

Bytes alltoall(MPI_Comm comm, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
               MPI_Count recvcount, MPI_Datatype recvtype) noexcept {
    return allgather(comm, sendbuf, sendcount, sendtype, recvcount, recvtype);
}

Bytes alltoallv(MPI_Comm comm, const void* sendbuf, Counts sendcounts, MPI_Datatype sendtype,
                Counts recvcounts, MPI_Datatype recvtype) noexcept {
    if (isInPlace(sendbuf)) {
        const int all = processesIn(comm), own = rankIn(comm);
        const std::uint64_t others = sum(all, recvcounts, recvtype, own);
        return {others, others, comesFromAll(all, recvcounts, recvtype, own)};
    }
    const int all = partnersIn(comm);
    return {sum(all, sendcounts, sendtype, -1), sum(all, recvcounts, recvtype, -1),
            comesFromAll(all, recvcounts, recvtype, ownPartnerIn(comm))};
}

Bytes allreduce(MPI_Comm comm, const void* sendbuf, MPI_Count count, MPI_Datatype type) noexcept {
    const std::uint64_t bytes = product(partners(comm) - isInPlace(sendbuf), count, type);
    return {bytes, bytes};
}

Bytes reduce(MPI_Comm comm, const void* sendbuf, MPI_Count count, MPI_Datatype type, int root) noexcept {
    const Part part = partOf(comm, root);
    const bool inPlace = part.isServed && isInPlace(sendbuf);
    return {part.isServed && !inPlace ? product(1, count, type) : 0,
            part.isRoot ? product(partners(comm) - inPlace, count, type) : 0};
}

/// The counts are those of the own group, also where the vector comes from another one.
Bytes reduceScatter(MPI_Comm comm, const void* sendbuf, Counts recvcounts, MPI_Datatype type) noexcept {
    const bool inPlace = isInPlace(sendbuf);
    const int own = rankIn(comm);
    return {sum(processesIn(comm), recvcounts, type, inPlace ? own : -1),
            product(partners(comm) - inPlace, recvcounts[own], type)};
}

Bytes reduceScatterBlock(MPI_Comm comm, const void* sendbuf, MPI_Count recvcount,
                         MPI_Datatype type) noexcept {
    const bool inPlace = isInPlace(sendbuf);
    const auto own = static_cast<std::uint64_t>(processesIn(comm));
    return {product(own - inPlace, recvcount, type), product(partners(comm) - inPlace, recvcount, type)};
}

Bytes scan(MPI_Comm comm, const void* sendbuf, MPI_Count count, MPI_Datatype type) noexcept {
    const auto own = static_cast<std::uint64_t>(rankIn(comm));
    const bool inPlace = isInPlace(sendbuf);
    return {product(partners(comm) - own - inPlace, count, type), product(own + !inPlace, count, type)};
}

Bytes exscan(MPI_Comm comm, MPI_Count count, MPI_Datatype type) noexcept {
    const auto own = static_cast<std::uint64_t>(rankIn(comm));
    return {product(partners(comm) - own - 1, count, type), product(own, count, type)};
}

}  // namespace holos::tracing::mpi::traffic

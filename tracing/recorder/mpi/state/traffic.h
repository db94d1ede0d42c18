// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>

#include "tracing/recorder/mpi/state/communicators.h"
#include "tracing/recorder/mpi/state/views.h"

/// Bytes that a process sends and receives in a collective operation, counted as if every process sent to
/// every other one directly, itself included (a broadcast's root sends to all n processes and receives its
/// own copy). Between two groups every process sends to those of the other one. With MPI_IN_PLACE what a
/// process would send to itself is not counted. These are the numbers that Score-P writes and Scalasca's
/// definitions of wait states rely on.
namespace holos::tracing::mpi::traffic {

/// Numbers of elements, which `MPI_..._c` functions give as MPI_Count.
class Counts {
  public:
    Counts(const int* counts) noexcept : small_(counts) {}        // NOLINT: as an argument
    Counts(const MPI_Count* counts) noexcept : large_(counts) {}  // NOLINT: as an argument
    MPI_Count operator[](int i) const noexcept { return large_ != nullptr ? large_[i] : small_[i]; }

  private:
    const int* small_ = nullptr;
    const MPI_Count* large_ = nullptr;
};

struct Bytes {
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
    bool comesFromAll =
        false;  ///< something of it from every other process, where that depends on the program

    /// As events have it.
    std::uint64_t rootWord(std::uint32_t root) const noexcept {
        return root | (comesFromAll ? kReceivesFromAll : 0);
    }
};

/// What a thread knows of types: MPI's own are never freed, so that their handles mean nothing else. One of a
/// program's own may become another such type, but never one of MPI's.
struct KnownTypes {
    MPI_Datatype named;
    std::uint64_t bytes;  ///< of `named`
    MPI_Datatype derived;
};
inline constexpr unsigned kKnownTypesBits = 3;
extern constinit thread_local KnownTypes knownTypes[1U << kKnownTypesBits]
    __attribute__((tls_model("initial-exec")));
inline KnownTypes& knownTypesWith(MPI_Datatype type) noexcept {
    return knownTypes[(std::hash<MPI_Datatype>{}(type)*0x9E3779B97F4A7C15U) >> (64 - kKnownTypesBits)];
}
std::uint64_t askForSize(MPI_Datatype type) noexcept;
inline std::uint64_t sizeOf(MPI_Datatype type) noexcept {
    const KnownTypes& known = knownTypesWith(type);
    return type == known.named ? known.bytes : askForSize(type);
}

inline std::uint64_t bytesOf(MPI_Count count, MPI_Datatype type) noexcept {
    return static_cast<std::uint64_t>(count) * sizeOf(type);
}

inline Bytes nothing() noexcept {
    return {};
}
Bytes bcast(MPI_Comm comm, MPI_Count count, MPI_Datatype type, int root) noexcept;
Bytes gather(MPI_Comm comm, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
             MPI_Count recvcount, MPI_Datatype recvtype, int root) noexcept;
Bytes gatherv(MPI_Comm comm, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
              Counts recvcounts, MPI_Datatype recvtype, int root) noexcept;
Bytes scatter(MPI_Comm comm, MPI_Count sendcount, MPI_Datatype sendtype, const void* recvbuf,
              MPI_Count recvcount, MPI_Datatype recvtype, int root) noexcept;
Bytes scatterv(MPI_Comm comm, Counts sendcounts, MPI_Datatype sendtype, const void* recvbuf,
               MPI_Count recvcount, MPI_Datatype recvtype, int root) noexcept;
Bytes allgather(MPI_Comm comm, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                MPI_Count recvcount, MPI_Datatype recvtype) noexcept;
Bytes allgatherv(MPI_Comm comm, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                 Counts recvcounts, MPI_Datatype recvtype) noexcept;
Bytes alltoall(MPI_Comm comm, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
               MPI_Count recvcount, MPI_Datatype recvtype) noexcept;
Bytes alltoallv(MPI_Comm comm, const void* sendbuf, Counts sendcounts, MPI_Datatype sendtype,
                Counts recvcounts, MPI_Datatype recvtype) noexcept;
Bytes allreduce(MPI_Comm comm, const void* sendbuf, MPI_Count count, MPI_Datatype type) noexcept;
Bytes reduce(MPI_Comm comm, const void* sendbuf, MPI_Count count, MPI_Datatype type, int root) noexcept;
Bytes reduceScatter(MPI_Comm comm, const void* sendbuf, Counts recvcounts, MPI_Datatype type) noexcept;
Bytes reduceScatterBlock(MPI_Comm comm, const void* sendbuf, MPI_Count recvcount, MPI_Datatype type) noexcept;
Bytes scan(MPI_Comm comm, const void* sendbuf, MPI_Count count, MPI_Datatype type) noexcept;
Bytes exscan(MPI_Comm comm, MPI_Count count, MPI_Datatype type) noexcept;

int rankIn(MPI_Comm comm) noexcept;
/// The own one among those that data come from, or -1: between two groups it is none of them.
int ownPartnerIn(MPI_Comm comm) noexcept;
int processesIn(MPI_Comm comm) noexcept;
/// The processes that data come from and go to: of a communicator between two groups, the processes of the
/// other one.
int partnersIn(MPI_Comm comm) noexcept;

template <class AnyTypes>
Bytes alltoallw(MPI_Comm comm, const void* sendbuf, Counts sendcounts, const AnyTypes& sendtypes,
                Counts recvcounts, const AnyTypes& recvtypes) noexcept {
    const int size = partnersIn(comm);
    const int own = ownPartnerIn(comm);
    const bool inPlace = isInPlace(sendbuf);
    Bytes bytes;
    bytes.comesFromAll = true;
    for (int i = 0; i < size; ++i) {
        if (inPlace && i == own) continue;
        const std::uint64_t received = static_cast<std::uint64_t>(recvcounts[i]) * sizeOf(recvtypes[i]);
        bytes.received += received;
        if (received == 0 && i != own) bytes.comesFromAll = false;
        if (!inPlace) bytes.sent += static_cast<std::uint64_t>(sendcounts[i]) * sizeOf(sendtypes[i]);
    }
    if (inPlace) bytes.sent = bytes.received;
    return bytes;
}

}  // namespace holos::tracing::mpi::traffic

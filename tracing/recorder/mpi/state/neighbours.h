// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "tracing/recorder/core/events.h"
#include "tracing/recorder/mpi/state/traffic.h"

/// Collective operations of neighbours are messages: each process sends to those after it in the topology,
/// and receives from those before it, in the order of the neighbours (MPI 3.1, section 7.6). Written so, they
/// tell who exchanges with whom, which no record of a collective operation does.
namespace holos::tracing::mpi {

struct NeighbourMessage {
    std::uint32_t rank = 0;
    std::uint64_t bytes = 0;
    RequestId request = 0;  ///< of operations that a later call completes
};
struct NeighbourMessages {
    std::vector<NeighbourMessage> sent;
    std::vector<NeighbourMessage> received;
};

/// The neighbours of the calling process by their ranks; MPI_PROC_NULL where a grid ends.
struct Neighbours {
    std::vector<int> sources;
    std::vector<int> destinations;
};
Neighbours neighboursIn(MPI_Comm comm);

/// The tag of all these messages: the largest that MPI has, which programs leave alone.
std::uint32_t neighbourTag() noexcept;

namespace neighbours {

/// `sent(i)` bytes to the i-th destination, `received(i)` from the i-th source.
template <class Sent, class Received>
NeighbourMessages messages(MPI_Comm comm, Sent sent, Received received) noexcept try {
    const auto list = [](const std::vector<int>& ranks, const auto& bytes) {
        std::vector<NeighbourMessage> all;
        for (std::size_t i = 0; i < ranks.size(); ++i)
            if (ranks[i] >= 0)
                all.push_back({static_cast<std::uint32_t>(ranks[i]), bytes(static_cast<int>(i))});
        return all;
    };
    const Neighbours all = neighboursIn(comm);
    return {list(all.destinations, sent), list(all.sources, received)};
} catch (...) {
    return {};
}

inline NeighbourMessages equal(MPI_Comm comm, MPI_Count sendcount, MPI_Datatype sendtype, MPI_Count recvcount,
                               MPI_Datatype recvtype) noexcept {
    const auto sent = traffic::bytesOf(sendcount, sendtype);
    const auto received = traffic::bytesOf(recvcount, recvtype);
    return messages(
        comm, [=](int) { return sent; }, [=](int) { return received; });
}
inline NeighbourMessages allgatherv(MPI_Comm comm, MPI_Count sendcount, MPI_Datatype sendtype,
                                    traffic::Counts recvcounts, MPI_Datatype recvtype) noexcept {
    const auto sent = traffic::bytesOf(sendcount, sendtype);
    return messages(
        comm, [=](int) { return sent; },
        [=, size = traffic::sizeOf(recvtype)](int i) {
            return static_cast<std::uint64_t>(recvcounts[i]) * size;
        });
}
inline NeighbourMessages alltoallv(MPI_Comm comm, traffic::Counts sendcounts, MPI_Datatype sendtype,
                                   traffic::Counts recvcounts, MPI_Datatype recvtype) noexcept {
    const auto bytes = [](traffic::Counts counts, MPI_Datatype type) {
        return [counts, size = traffic::sizeOf(type)](int i) {
            return static_cast<std::uint64_t>(counts[i]) * size;
        };
    };
    return messages(comm, bytes(sendcounts, sendtype), bytes(recvcounts, recvtype));
}
template <class AnyTypes>
NeighbourMessages alltoallw(MPI_Comm comm, traffic::Counts sendcounts, const AnyTypes& sendtypes,
                            traffic::Counts recvcounts, const AnyTypes& recvtypes) noexcept {
    const auto bytes = [](traffic::Counts counts, const AnyTypes& types) {
        return [counts, &types](int i) { return traffic::bytesOf(counts[i], types[i]); };
    };
    return messages(comm, bytes(sendcounts, sendtypes), bytes(recvcounts, recvtypes));
}

}  // namespace neighbours

/// Messages of operations that a later call completes, by number; 0 is none.
///
/// Thread safety: safe.
std::uint32_t keepNeighbours(NeighbourMessages messages) noexcept;
void forgetNeighbours(std::uint32_t kept) noexcept;
/// Record their start and their end.
void startNeighbours(std::uint32_t kept, CommRef comm) noexcept;
void completeNeighbours(std::uint32_t kept, CommRef comm) noexcept;

}  // namespace holos::tracing::mpi

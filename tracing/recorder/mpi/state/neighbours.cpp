// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/mpi/state/neighbours.h"

#include <mutex>
#include <unordered_map>
#include <utility>

namespace holos::tracing::mpi {
namespace {

/// The one before and the one after in each dimension, as sources and as destinations.
Neighbours inGrid(MPI_Comm comm) {
    int dimensions = 0;
    PMPI_Cartdim_get(comm, &dimensions);
    std::vector<int> ranks;
    for (int i = 0; i < dimensions; ++i) {
        int before = MPI_PROC_NULL;
        int after = MPI_PROC_NULL;
        PMPI_Cart_shift(comm, i, 1, &before, &after);
        ranks.push_back(before);
        ranks.push_back(after);
    }
    return {ranks, ranks};
}

Neighbours inGraph(MPI_Comm comm) {
    const int own = traffic::rankIn(comm);
    int count = 0;
    PMPI_Graph_neighbors_count(comm, own, &count);
    std::vector<int> ranks(static_cast<std::size_t>(count));
    PMPI_Graph_neighbors(comm, own, count, ranks.data());
    return {ranks, ranks};
}

Neighbours inDistributedGraph(MPI_Comm comm) {
    int sources = 0;
    int destinations = 0;
    int isWeighted = 0;
    PMPI_Dist_graph_neighbors_count(comm, &sources, &destinations, &isWeighted);
    Neighbours all{std::vector<int>(static_cast<std::size_t>(sources)),
                   std::vector<int>(static_cast<std::size_t>(destinations))};
    std::vector<int> weights(all.sources.size() + all.destinations.size());
    PMPI_Dist_graph_neighbors(comm, sources, all.sources.data(), weights.data(), destinations,
                              all.destinations.data(), weights.data() + sources);
    return all;
}

struct Kept {
    std::mutex mutex;
    std::unordered_map<std::uint32_t, NeighbourMessages> messages;
    std::uint32_t last = 0;
};

/// Never destroyed: threads may still communicate while the process ends.
Kept& kept() {
    static auto* const kKept = new Kept;
    return *kKept;
}

/// Calls `work(NeighbourMessages&)` for what is kept under a number.
template <class Work>
void withKept(std::uint32_t number, Work work) {
    const std::scoped_lock lock(kept().mutex);
    if (const auto found = kept().messages.find(number); found != kept().messages.end()) work(found->second);
}

}  // namespace

Neighbours neighboursIn(MPI_Comm comm) {
    int topology = MPI_UNDEFINED;
    PMPI_Topo_test(comm, &topology);
    if (topology == MPI_CART) return inGrid(comm);
    if (topology == MPI_GRAPH) return inGraph(comm);
    return topology == MPI_DIST_GRAPH ? inDistributedGraph(comm) : Neighbours{};
}

std::uint32_t neighbourTag() noexcept {
    static const std::uint32_t kTag = [] {
        constexpr std::uint32_t kLeast = 32767;  // that the standard allows for the largest
        const int* largest = nullptr;
        int isKnown = 0;
        PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&largest), &isKnown);
        return isKnown != 0 ? static_cast<std::uint32_t>(*largest) : kLeast;
    }();
    return kTag;
}

std::uint32_t keepNeighbours(NeighbourMessages messages) noexcept try {
    const std::scoped_lock lock(kept().mutex);
    kept().messages.emplace(++kept().last, std::move(messages));
    return kept().last;
} catch (...) {
    return 0;
}

void forgetNeighbours(std::uint32_t number) noexcept {
    const std::scoped_lock lock(kept().mutex);
    kept().messages.erase(number);
}

void startNeighbours(std::uint32_t number, CommRef comm) noexcept {
    withKept(number, [comm](NeighbourMessages& messages) {
        for (auto& one : messages.received) mpiIrecvRequest(one.request = newRequest());
        for (auto& one : messages.sent)
            mpiIsend(one.rank, comm, neighbourTag(), one.bytes, one.request = newRequest());
    });
}

void completeNeighbours(std::uint32_t number, CommRef comm) noexcept {
    withKept(number, [comm](const NeighbourMessages& messages) {
        for (const auto& one : messages.sent) mpiIsendComplete(one.request);
        for (const auto& one : messages.received)
            mpiIrecv(one.rank, comm, neighbourTag(), one.bytes, one.request);
    });
}

}  // namespace holos::tracing::mpi

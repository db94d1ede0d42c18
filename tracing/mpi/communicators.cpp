// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/mpi/communicators.h"

#include <atomic>
#include <mutex>
#include <numeric>
#include <unordered_map>
#include <vector>

#include "tracing/mpi/traffic.h"

namespace holos::tracing::mpi {
namespace {

/// Numbers that a process gives to communicators whose rank 0 it is: 0 and 1 are those of world and self.
/// The upper half is for duplicates made by MPI_Comm_idup.
constexpr std::uint32_t kFirstNumber = 2;
constexpr std::uint32_t kDuplicates = 0x80000000U;

struct Known {
    CommRef ref = 0;
    std::uint32_t root = 0;
    std::uint32_t number = 0;
    std::uint32_t duplicates = 0;
};

struct Registry {
    std::mutex mutex;
    std::unordered_map<MPI_Comm, Known> known;
    std::unordered_map<CommRef, Known> duplicates;  ///< made, but their handle is not known yet
    std::uint32_t nextNumber = kFirstNumber;
    MPI_Group world = MPI_GROUP_NULL;
};

/// Never destroyed: threads may still communicate while the process ends.
Registry& registry() {
    static auto* const kRegistry = new Registry;
    return *kRegistry;
}

std::atomic<CommRef> worldRef{0};
/// Counts changes, so that what threads remember of the registry can be seen to be out of date.
std::atomic<std::uint32_t> changes{1};

struct Remembered {
    MPI_Comm comm;
    CommRef ref;
    std::uint32_t changes;
};
constexpr unsigned kRememberedBits = 3;
constexpr std::size_t kRemembered = 1U << kRememberedBits;
thread_local Remembered remembered[kRemembered] __attribute__((tls_model("initial-exec")));

std::size_t slotOf(MPI_Comm comm) {
    return (std::hash<MPI_Comm>{}(comm)*0x9E3779B97F4A7C15U) >> (64 - kRememberedBits);
}

std::vector<std::uint32_t> worldRanks(MPI_Comm comm) {
    MPI_Group group = MPI_GROUP_NULL;
    PMPI_Comm_group(comm, &group);
    std::vector<std::uint32_t> ranks = worldRanksOf(group);
    PMPI_Group_free(&group);
    return ranks;
}

/// The members are written by one of them: what all ranks write together must not grow with their square.
Known define(const char* name, std::uint32_t root, std::uint32_t number,
             const std::vector<std::uint32_t>& ranks) {
    const bool writesMembers = static_cast<std::uint32_t>(traffic::rankIn(MPI_COMM_WORLD)) == ranks.front();
    const CommDefinition definition{name, root, number, writesMembers ? ranks.data() : nullptr,
                                    static_cast<std::uint32_t>(ranks.size())};
    return {defineComm(definition), root, number, 0};
}

void store(MPI_Comm comm, const Known& known) {
    const std::scoped_lock lock(registry().mutex);
    registry().known[comm] = known;
    changes.fetch_add(1, std::memory_order_release);
}

}  // namespace

std::vector<std::uint32_t> worldRanksOf(MPI_Group group) {
    int size = 0;
    PMPI_Group_size(group, &size);
    std::vector<int> own(static_cast<std::size_t>(size));
    std::vector<int> world(own.size());
    std::iota(own.begin(), own.end(), 0);
    PMPI_Group_translate_ranks(group, size, own.data(), registry().world, world.data());
    std::vector<std::uint32_t> ranks;
    for (const int rank : world) {
        if (rank == MPI_UNDEFINED) return {};
        ranks.push_back(static_cast<std::uint32_t>(rank));
    }
    return ranks;
}

CommRef refOf(MPI_Comm comm) noexcept {
    if (comm == MPI_COMM_WORLD) return worldRef.load(std::memory_order_relaxed);
    const std::uint32_t now = changes.load(std::memory_order_acquire);
    Remembered& entry = remembered[slotOf(comm)];
    if (entry.comm == comm && entry.changes == now) return entry.ref;
    const std::scoped_lock lock(registry().mutex);
    const auto found = registry().known.find(comm);
    entry = {comm, found != registry().known.end() ? found->second.ref : 0, now};
    return entry.ref;
}

void defineWorld() noexcept {
    PMPI_Comm_group(MPI_COMM_WORLD, &registry().world);
    const std::vector<std::uint32_t> world = worldRanks(MPI_COMM_WORLD);
    const auto own = static_cast<std::uint32_t>(traffic::rankIn(MPI_COMM_WORLD));
    mpiWorld(own, static_cast<std::uint32_t>(world.size()));
    const Known known = define("MPI_COMM_WORLD", 0, 0, world);
    worldRef = known.ref;
    store(MPI_COMM_WORLD, known);
    store(MPI_COMM_SELF, define("MPI_COMM_SELF", own, 1, {own}));
}

void agreeOnComm(MPI_Comm comm) noexcept {
    int isInter = 0;
    PMPI_Comm_test_inter(comm, &isInter);
    if (isInter != 0 || worldRef.load(std::memory_order_relaxed) == 0) return;
    std::uint32_t identity[2] = {0, 0};
    if (traffic::rankIn(comm) == 0) {
        const std::scoped_lock lock(registry().mutex);
        identity[0] = static_cast<std::uint32_t>(traffic::rankIn(MPI_COMM_WORLD));
        identity[1] = registry().nextNumber++;
    }
    PMPI_Bcast(identity, 2, MPI_UINT32_T, 0, comm);
    const std::vector<std::uint32_t> ranks = worldRanks(comm);
    if (!ranks.empty()) store(comm, define(nullptr, identity[0], identity[1], ranks));
}

CommRef duplicateOf(MPI_Comm comm) noexcept {
    const std::vector<std::uint32_t> ranks =
        refOf(comm) != 0 ? worldRanks(comm) : std::vector<std::uint32_t>{};
    if (ranks.empty()) return 0;
    const std::scoped_lock lock(registry().mutex);
    Known& parent = registry().known[comm];
    // 2^12 duplicates of each of 2^19 communicators; beyond that identities could be those of others.
    if (parent.number >= 1U << 19 || parent.duplicates >= 1U << 12) return 0;
    const std::uint32_t number = kDuplicates | parent.number << 12 | parent.duplicates++;
    const Known made = define(nullptr, ranks[0], number, ranks);
    registry().duplicates[made.ref] = made;
    return made.ref;
}

void remember(MPI_Comm comm, CommRef ref) noexcept {
    Known known{ref, 0, kDuplicates, 0};
    {
        const std::scoped_lock lock(registry().mutex);
        if (const auto made = registry().duplicates.extract(ref); !made.empty()) known = made.mapped();
    }
    store(comm, known);
}

void forget(MPI_Comm comm) noexcept {
    const std::scoped_lock lock(registry().mutex);
    registry().known.erase(comm);
    changes.fetch_add(1, std::memory_order_release);
}

}  // namespace holos::tracing::mpi

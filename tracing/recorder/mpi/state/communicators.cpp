// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/mpi/state/communicators.h"

#include <atomic>
#include <mutex>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <vector>

#include "tracing/recorder/mpi/state/traffic.h"

namespace holos::tracing::mpi {
namespace {

/// Numbers that a process gives to communicators whose rank 0 it is: 0 and 1 are those of world and self, 2
/// that with the processes that started this world. The upper half is for duplicates made by MPI_Comm_idup.
constexpr std::uint32_t kParents = 2;
constexpr std::uint32_t kFirstNumber = 3;
constexpr std::uint32_t kDuplicates = 0x80000000U;

struct Known {
    CommRef ref = 0;
    std::uint32_t root = 0;
    std::uint32_t number = 0;
    std::uint32_t duplicates = 0;
    bool isMixed = false;    ///< has, or may have, processes of several worlds
    bool isInFirst = true;   ///< of those with two sides: the caller's is the first
    std::uint32_t made = 0;  ///< communicators made of it, while it is mixed
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

std::vector<std::uint32_t> takeWorldRanks(MPI_Group group) {
    std::vector<std::uint32_t> ranks = worldRanksOf(group);
    PMPI_Group_free(&group);
    return ranks;
}

/// The members by their world ranks. Of two groups that one is the first whose rank 0 comes first in the
/// world, which all members find without asking.
struct Members {
    std::vector<std::uint32_t> ranks;  ///< empty when some are of another world
    std::uint32_t remoteSize = 0;      ///< so many of them, the last, are the second group
    std::uint32_t place = 0;           ///< the caller's
    bool isInFirst = true;

    std::uint32_t root() const { return ranks.front(); }
    std::uint32_t size() const { return static_cast<std::uint32_t>(ranks.size()) - remoteSize; }
};

Members membersOf(MPI_Comm comm) {
    MPI_Group group = MPI_GROUP_NULL;
    PMPI_Comm_group(comm, &group);
    Members members{takeWorldRanks(group), 0, static_cast<std::uint32_t>(traffic::rankIn(comm)), true};
    if (!isBetweenGroups(comm)) return members;
    PMPI_Comm_remote_group(comm, &group);
    std::vector<std::uint32_t> others = takeWorldRanks(group);
    if (members.ranks.empty() || others.empty()) return {};
    members.isInFirst = members.ranks.front() < others.front();
    if (!members.isInFirst) {
        members.place += static_cast<std::uint32_t>(others.size());
        members.ranks.swap(others);
    }
    members.remoteSize = static_cast<std::uint32_t>(others.size());
    members.ranks.insert(members.ranks.end(), others.begin(), others.end());
    return members;
}

/// The members are written by one of them: what all ranks write together must not grow with their square.
Known define(const char* name, std::uint32_t root, std::uint32_t number, const Members& members) {
    const bool writesMembers = members.place == 0;
    const CommDefinition definition{name,           root,
                                    number,         writesMembers ? members.ranks.data() : nullptr,
                                    members.size(), members.remoteSize,
                                    members.place};
    return {.ref = defineComm(definition), .root = root, .number = number};
}

/// What the first group's rank 0 has in `identity` is known to all afterwards. Between groups, it goes to the
/// second one and back.
void share(std::uint32_t (&identity)[2], MPI_Comm comm, const Members& members) {
    constexpr int kSize = 2;
    if (members.remoteSize == 0) {
        PMPI_Bcast(identity, kSize, MPI_UINT32_T, 0, comm);
        return;
    }
    const int ownRoot = traffic::rankIn(comm) == 0 ? MPI_ROOT : MPI_PROC_NULL;
    PMPI_Bcast(identity, kSize, MPI_UINT32_T, members.isInFirst ? ownRoot : 0, comm);
    PMPI_Bcast(identity, kSize, MPI_UINT32_T, members.isInFirst ? 0 : ownRoot, comm);
}

void store(MPI_Comm comm, const Known& known) {
    const std::scoped_lock lock(registry().mutex);
    registry().known[comm] = known;
    changes.fetch_add(1, std::memory_order_release);
}

/// The places that members of `group` have among all those of a mixed communicator, those of its first side
/// in front.
std::vector<std::uint32_t> placesIn(MPI_Comm parent, const Known& known, MPI_Group group) {
    int size = 0;
    PMPI_Group_size(group, &size);
    std::vector<int> own(static_cast<std::size_t>(size));
    std::iota(own.begin(), own.end(), 0);
    std::vector<std::uint32_t> places(own.size(), 0);
    MPI_Group sides[2] = {MPI_GROUP_NULL, MPI_GROUP_NULL};
    PMPI_Comm_group(parent, &sides[known.isInFirst ? 0 : 1]);
    if (isBetweenGroups(parent)) PMPI_Comm_remote_group(parent, &sides[known.isInFirst ? 1 : 0]);
    std::uint32_t first = 0;
    for (MPI_Group& side : sides) {
        if (side == MPI_GROUP_NULL) continue;
        std::vector<int> there(own.size());
        PMPI_Group_translate_ranks(group, size, own.data(), side, there.data());
        for (std::size_t i = 0; i < there.size(); ++i)
            if (there[i] != MPI_UNDEFINED) places[i] = first + static_cast<std::uint32_t>(there[i]);
        int members = 0;
        PMPI_Group_size(side, &members);
        first += static_cast<std::uint32_t>(members);
        PMPI_Group_free(&side);
    }
    return places;
}

/// One that was made of a mixed communicator. All members of that count what is made of it, so that no
/// message is needed.
void defineDerived(MPI_Comm comm, MPI_Comm parent, const Known& known, std::uint32_t count) {
    MPI_Group group = MPI_GROUP_NULL;
    PMPI_Comm_group(comm, &group);
    std::vector<std::uint32_t> members = placesIn(parent, known, group);
    PMPI_Group_free(&group);
    auto place = static_cast<std::uint32_t>(traffic::rankIn(comm));
    std::uint32_t remoteSize = 0;
    const bool isInFirst = !isBetweenGroups(comm) || known.isInFirst;
    if (isBetweenGroups(comm)) {
        PMPI_Comm_remote_group(comm, &group);
        std::vector<std::uint32_t> others = placesIn(parent, known, group);
        PMPI_Group_free(&group);
        if (!isInFirst) {
            place += static_cast<std::uint32_t>(others.size());
            members.swap(others);
        }
        remoteSize = static_cast<std::uint32_t>(others.size());
        members.insert(members.end(), others.begin(), others.end());
    }
    const auto size = static_cast<std::uint32_t>(members.size()) - remoteSize;
    const CommRef ref = defineDerivedComm(
        {known.ref, count, members.front(), place == 0 ? members.data() : nullptr, size, remoteSize, place});
    store(comm, {.ref = ref, .isMixed = true, .isInFirst = isInFirst});
}

}  // namespace

bool isBetweenGroups(MPI_Comm comm) noexcept {
    int flag = 0;
    if (comm != MPI_COMM_NULL) PMPI_Comm_test_inter(comm, &flag);
    return flag != 0;
}

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

std::atomic<CommRef> worldRef{0};

CommRef refOfOther(MPI_Comm comm) noexcept {
    const std::uint32_t now = changes.load(std::memory_order_acquire);
    Remembered& entry = remembered[slotOf(comm)];
    if (entry.comm == comm && entry.changes == now) return entry.ref;
    const std::scoped_lock lock(registry().mutex);
    const auto found = registry().known.find(comm);
    entry = {comm, found != registry().known.end() ? found->second.ref : 0, now};
    return entry.ref;
}

void defineWorld(std::uint64_t id) noexcept {
    PMPI_Comm_group(MPI_COMM_WORLD, &registry().world);
    const Members world = membersOf(MPI_COMM_WORLD);
    mpiWorld({world.place, world.size(), id});
    const Known known = define("MPI_COMM_WORLD", 0, 0, world);
    worldRef = known.ref;
    store(MPI_COMM_WORLD, known);
    store(MPI_COMM_SELF, define("MPI_COMM_SELF", world.place, 1, {{world.place}, 0, 0, true}));
}

CommRef refInWorld(MPI_Comm comm) noexcept {
    const std::scoped_lock lock(registry().mutex);
    const auto found = registry().known.find(comm);
    return found != registry().known.end() && !found->second.isMixed ? found->second.ref : 0;
}

std::uint32_t worldRankIn(MPI_Comm comm, int rank) noexcept {
    MPI_Group group = MPI_GROUP_NULL;
    int worldRank = 0;
    PMPI_Comm_group(comm, &group);
    PMPI_Group_translate_ranks(group, 1, &rank, registry().world, &worldRank);
    PMPI_Group_free(&group);
    return static_cast<std::uint32_t>(worldRank);
}

void defineMeetingOf(MPI_Comm local, MPI_Comm made, MeetingSide side, const char* key) noexcept {
    if (refInWorld(local) == 0) return;
    MPI_Group group = MPI_GROUP_NULL;
    PMPI_Comm_group(made, &group);
    const std::vector<std::uint32_t> ranks = takeWorldRanks(group);
    if (ranks.empty()) return;
    const auto place = static_cast<std::uint32_t>(traffic::rankIn(made));
    std::uint32_t number = kParents;
    if (side != MeetingSide::Child) {
        if (place == 0) {
            const std::scoped_lock lock(registry().mutex);
            number = registry().nextNumber++;
        }
        PMPI_Bcast(&number, 1, MPI_UINT32_T, 0, local);
    }
    int remoteSize = 0;
    PMPI_Comm_remote_size(made, &remoteSize);
    const CommRef ref = defineMeeting({ranks.front(), number, side, key, place == 0 ? ranks.data() : nullptr,
                                       static_cast<std::uint32_t>(ranks.size()),
                                       static_cast<std::uint32_t>(remoteSize), place});
    const bool isFirst =
        side == MeetingSide::Parent || side == MeetingSide::Acceptor || side == MeetingSide::LowerSocket;
    store(made, {.ref = ref, .isMixed = true, .isInFirst = isFirst});
}

namespace {

/// What the registry has of a mixed communicator of which one is made, which it counts; nothing of others.
std::optional<Known> countDerived(MPI_Comm parent) {
    const std::scoped_lock lock(registry().mutex);
    const auto found = registry().known.find(parent);
    if (found == registry().known.end() || !found->second.isMixed) return std::nullopt;
    const Known known = found->second;
    ++found->second.made;
    return known;
}

}  // namespace

void agreeOnComm(MPI_Comm comm, MPI_Comm parent) noexcept {
    if (worldRef.load(std::memory_order_relaxed) == 0) return;
    const std::optional<Known> mixed = countDerived(parent);
    if (comm == MPI_COMM_NULL) return;
    if (mixed) return defineDerived(comm, parent, *mixed, mixed->made);
    // Processes of another world need not be recorded, and would never answer.
    const Members members = membersOf(comm);
    if (members.ranks.empty()) return;
    std::uint32_t identity[2] = {members.root(), 0};
    if (members.place == 0) {
        const std::scoped_lock lock(registry().mutex);
        identity[1] = registry().nextNumber++;
    }
    share(identity, comm, members);
    store(comm, define(nullptr, identity[0], identity[1], members));
}

CommRef duplicateOf(MPI_Comm comm) noexcept {
    if (countDerived(comm) || refOf(comm) == 0) return 0;
    const Members members = membersOf(comm);
    const std::scoped_lock lock(registry().mutex);
    Known& parent = registry().known[comm];
    // 2^12 duplicates of each of 2^19 communicators; beyond that identities could be those of others.
    if (parent.number >= 1U << 19 || parent.duplicates >= 1U << 12) return 0;
    const std::uint32_t number = kDuplicates | parent.number << 12 | parent.duplicates++;
    const Known made = define(nullptr, members.root(), number, members);
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

void defineGridOf(MPI_Comm comm) noexcept {
    int dimensions = 0;
    if (PMPI_Cartdim_get(comm, &dimensions) != MPI_SUCCESS || dimensions <= 0) return;
    std::vector<int> sizes(static_cast<std::size_t>(dimensions));
    std::vector<int> periods(sizes.size());
    std::vector<int> place(sizes.size());
    PMPI_Cart_get(comm, dimensions, sizes.data(), periods.data(), place.data());
    std::vector<GridDimension> grid;
    for (std::size_t i = 0; i < sizes.size(); ++i)
        grid.push_back({static_cast<std::uint32_t>(sizes[i]), periods[i] != 0});
    defineGrid(refOf(comm), grid.data(), static_cast<std::uint32_t>(dimensions));
}

void forget(MPI_Comm comm) noexcept {
    const std::scoped_lock lock(registry().mutex);
    registry().known.erase(comm);
    changes.fetch_add(1, std::memory_order_release);
}

}  // namespace holos::tracing::mpi

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analyzer/trace/definitions.h"

namespace holos::analyzer::trace {

/// Whether a communicator can be a team of threads: one of OpenMP, or one whose members share a process.
bool canBeTeam(const Comm& comm, const Definitions& definitions);
/// By location: whether it is a member of a team of OpenMP.
std::vector<char> membersOfTeams(const Definitions& definitions);

/// The process that a rank of a communicator means for an event at `self`; nothing when there is no such
/// rank.
std::optional<ProcessId> peerProcess(const Definitions& definitions, std::uint32_t comm, LocationId self,
                                     std::uint32_t rank);

/// Ranks of processes in communicators, looked up without searching.
/// Thread safety: one thread.
class Ranks {
  public:
    explicit Ranks(const Definitions& definitions) : definitions_(definitions) {}

    /// Of a location's process; the number of ranks when it is none of them.
    std::size_t of(std::uint32_t comm, LocationId location) {
        const std::vector<LocationId>& members = definitions_.comms[comm].members;
        const auto [known, isNew] = byComm_.try_emplace(comm);
        if (isNew)
            for (std::size_t rank = 0; rank < members.size(); ++rank)
                known->second.emplace(definitions_[members[rank]].process.index(), rank);
        const auto found = known->second.find(definitions_[location].process.index());
        return found != known->second.end() ? found->second : members.size();
    }

  private:
    const Definitions& definitions_;
    std::unordered_map<std::uint32_t, std::unordered_map<std::size_t, std::size_t>> byComm_;
};

/// The MPI_COMM_WORLD of each process. A trace has several where processes started others, or met them: each
/// world begins and ends MPI by itself.
class Worlds {
  public:
    explicit Worlds(const Definitions& definitions)
        : definitions_(definitions), ofProcess_(definitions.processes.size(), kNone) {
        for (const Comm& comm : definitions.comms)
            if (comm.paradigm == Paradigm::Mpi && comm.name == "MPI_COMM_WORLD") add(comm.members);
    }

    /// At least one.
    std::uint32_t count() const { return std::max(count_, 1U); }
    /// Below `count()`; 0 also for processes without MPI.
    std::uint32_t of(LocationId location) const {
        const std::uint32_t world = ofProcess_[definitions_[location].process.index()];
        return world == kNone ? 0 : world;
    }

  private:
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};

    /// Others may have the name of a world, too: duplicates of it.
    void add(const std::vector<LocationId>& members) {
        const auto world = [this](LocationId member) -> std::uint32_t& {
            return ofProcess_[definitions_[member].process.index()];
        };
        const auto isKnown = [&](LocationId member) { return world(member) != kNone; };
        if (members.empty() || std::ranges::any_of(members, isKnown)) return;
        for (const LocationId member : members) world(member) = count_;
        ++count_;
    }

    const Definitions& definitions_;
    std::vector<std::uint32_t> ofProcess_;
    std::uint32_t count_ = 0;
};

}  // namespace holos::analyzer::trace

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <unordered_map>

#include "analyzer/trace/definitions.h"

namespace holos::analyzer::trace {

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

}  // namespace holos::analyzer::trace

// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/workers/shares.h"

#include <algorithm>
#include <numeric>

#include "analyzer/trace/teams.h"

namespace holos::analyzer::workers {

namespace {

using trace::LocationId;

/// To open and close a location's files takes as long as to read so many events.
constexpr std::uint64_t kOpening = 1000;

/// Locations that are in a team with each other, by the smallest one of them.
class Families {
  public:
    explicit Families(const trace::Definitions& definitions) : parent_(definitions.locations.size()) {
        std::iota(parent_.begin(), parent_.end(), std::size_t{0});
        for (const trace::Comm& comm : definitions.comms)
            if (trace::canBeTeam(comm, definitions))
                for (const LocationId member : comm.members) join(member.index(), comm.members[0].index());
    }

    std::size_t of(std::size_t location) {
        while (parent_[location] != location) location = parent_[location] = parent_[parent_[location]];
        return location;
    }

  private:
    void join(std::size_t a, std::size_t b) {
        a = of(a);
        b = of(b);
        parent_[std::max(a, b)] = std::min(a, b);
    }
    std::vector<std::size_t> parent_;
};

}  // namespace

Shares::Shares(const trace::Definitions& definitions, unsigned ranks)
    : readers_(definitions.locations.size(), 0) {
    Families families(definitions);
    std::vector<std::uint64_t> sizes(readers_.size(), 0);  // by family
    for (std::size_t i = 0; i < readers_.size(); ++i)
        sizes[families.of(i)] += definitions.locations[i].events + kOpening;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < readers_.size(); ++i)
        if (families.of(i) == i) order.push_back(i);
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
    std::vector<std::uint64_t> loads(ranks, 0);
    for (const std::size_t family : order) {
        const auto least = std::ranges::min_element(loads);
        *least += sizes[family];
        readers_[family] = static_cast<unsigned>(least - loads.begin());
    }
    for (std::size_t i = 0; i < readers_.size(); ++i) readers_[i] = readers_[families.of(i)];
}

std::vector<LocationId> Shares::of(unsigned rank) const {
    std::vector<LocationId> locations;
    for (std::size_t i = 0; i < readers_.size(); ++i)
        if (readers_[i] == rank) locations.emplace_back(i);
    return locations;
}

}  // namespace holos::analyzer::workers

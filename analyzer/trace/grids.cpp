// SPDX-License-Identifier: BSD-3-Clause
// Cartesian topologies.
#include <algorithm>
#include <functional>

#include "analyzer/trace/definitions_builder.h"

namespace holos::analyzer::trace {

void DefinitionsBuilder::addGridDimension(OTF2_CartDimensionRef self, Grid::Dimension dimension) {
    gridDimensions_[self] = std::move(dimension);
}

void DefinitionsBuilder::addGrid(OTF2_CartTopologyRef self, OTF2_StringRef name, OTF2_CommRef comm,
                                 std::vector<OTF2_CartDimensionRef> dimensions) {
    pendingGrids_[self] = {name, comm, std::move(dimensions), {}};
}

void DefinitionsBuilder::addPlace(OTF2_CartTopologyRef grid, std::uint32_t rank,
                                  std::vector<std::uint32_t> position) {
    if (const auto found = pendingGrids_.find(grid); found != pendingGrids_.end())
        found->second.places[rank] = std::move(position);
}

/// Nothing where it refers to what is not defined, or a place lies outside.
std::optional<Grid> DefinitionsBuilder::resolve(const PendingGrid& pending) const {
    const auto comm = definitions_.commOf.find(pending.comm);
    if (!comm) return std::nullopt;
    const Comm& members = definitions_[*comm];
    Grid grid{text(pending.name), members.paradigm, {}, {}};
    for (const auto reference : pending.dimensions) {
        const auto dimension = gridDimensions_.find(reference);
        if (dimension == gridDimensions_.end()) return std::nullopt;
        grid.dimensions.push_back(dimension->second);
    }
    const auto isOutside = [](std::uint32_t at, const Grid::Dimension& along) { return at >= along.size; };
    for (const auto& [rank, position] : pending.places) {
        if (rank >= members.members.size() || position.size() != grid.dimensions.size() ||
            !std::equal(position.begin(), position.end(), grid.dimensions.begin(), std::not_fn(isOutside)))
            return std::nullopt;
        grid.places.push_back({members.members[rank], position});
    }
    return grid;
}

void DefinitionsBuilder::resolveGrids() {
    for (const auto& [self, pending] : pendingGrids_) {
        if (auto grid = resolve(pending))
            definitions_.grids.push_back(std::move(*grid));
        else
            definitions_.problems.push_back("topology " + std::to_string(self) +
                                            " is incomplete and was left out");
    }
}

}  // namespace holos::analyzer::trace

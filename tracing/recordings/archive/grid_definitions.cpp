// SPDX-License-Identifier: BSD-3-Clause
// Grids of processes as OTF2's Cartesian topologies.
#include <limits>
#include <string_view>

#include "tracing/recordings/archive/definitions_writer.h"
#include "tracing/recordings/archive/otf2_check.h"

namespace holos::archive {
namespace {

using Grid = std::vector<tracing::GridDimension>;

/// Where a rank stands: the last coordinate changes first (MPI 3.1, section 7.5).
std::vector<std::uint32_t> placeOf(std::uint32_t rank, const Grid& grid) {
    std::vector<std::uint32_t> place(grid.size());
    for (std::size_t i = grid.size(); i-- > 0; rank /= grid[i].size) place[i] = rank % grid[i].size;
    return place;
}

/// A grid that OTF2 can hold, with one place for each of the members.
bool fits(const Grid& grid, std::size_t members) {
    std::uint64_t places = 1;
    for (const auto& dimension : grid) {
        if (dimension.size == 0) return false;
        places *= dimension.size;
        if (places > members) return false;
    }
    return !grid.empty() && grid.size() <= std::numeric_limits<std::uint8_t>::max() && places == members;
}

/// MPI has no names: letters for a grid of space.
std::string dimensionName(std::size_t at, std::size_t dimensions) {
    constexpr std::string_view kLetters = "xyz";
    return dimensions <= kLetters.size() ? std::string(1, kLetters[at]) : "d" + std::to_string(at);
}

}  // namespace

void DefinitionsWriter::writeGrids() {
    OTF2_CartDimensionRef nextDimension = 0;
    OTF2_CartTopologyRef self = 0;
    for (const auto& [comm, grid] : plan_.grids) {
        const auto members = static_cast<std::uint32_t>(plan_.comms[comm].group.members.size());
        if (!fits(grid, members)) continue;
        std::vector<OTF2_CartDimensionRef> dimensions;
        for (std::size_t i = 0; i < grid.size(); ++i) {
            check(OTF2_GlobalDefWriter_WriteCartDimension(
                      out_, nextDimension, string(dimensionName(i, grid.size())), grid[i].size,
                      grid[i].isPeriodic ? OTF2_CART_PERIODIC_TRUE : OTF2_CART_PERIODIC_FALSE),
                  "a grid's dimension");
            dimensions.push_back(nextDimension++);
        }
        const auto count = static_cast<std::uint8_t>(grid.size());
        check(OTF2_GlobalDefWriter_WriteCartTopology(out_, self, string("MPI grid " + std::to_string(self)),
                                                     comm, count, dimensions.data()),
              "a grid");
        for (std::uint32_t rank = 0; rank < members; ++rank)
            check(
                OTF2_GlobalDefWriter_WriteCartCoordinate(out_, self, rank, count, placeOf(rank, grid).data()),
                "a place in a grid");
        ++self;
    }
}

}  // namespace holos::archive

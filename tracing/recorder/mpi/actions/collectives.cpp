// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/mpi/actions/collectives.h"

#include <vector>

namespace holos::tracing::mpi {

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

}  // namespace holos::tracing::mpi

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <otf2/otf2.h>

#include <string>
#include <string_view>

namespace holos::testing {

/// What a recorder would write about a region.
struct RegionKind {
    OTF2_Paradigm paradigm = OTF2_PARADIGM_COMPILER;
    OTF2_RegionRole role = OTF2_REGION_ROLE_FUNCTION;
    std::string file;
};

/// By its name: MPI functions, OpenMP constructs (`!$omp …`) and lock functions as Score-P defines them,
/// everything else as a function that the compiler instrumented.
RegionKind kindOf(std::string_view regionName);

/// The MPI function that does a collective operation: `MPI_Bcast`.
std::string functionOf(OTF2_CollectiveOp operation);

}  // namespace holos::testing

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "algebra/model/ids.h"

namespace holos::algebra {

/// A Cartesian grid on which processes or locations have places (CUBE's `<cart>`).
struct Topology {
    struct Dimension {
        std::string name;
        std::uint64_t size = 0;
        bool periodic = false;
    };
    /// One place of one process or location; both may have several.
    struct Coordinate {
        std::variant<LocationId, ProcessId> resource;
        std::vector<std::uint64_t> position;  ///< one number below `size` per dimension
    };
    std::string name;
    std::vector<Dimension> dimensions;
    std::vector<Coordinate> coordinates;
};

}  // namespace holos::algebra

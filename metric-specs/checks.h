// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>

#include "metric-specs/sources.h"

namespace holos::specs {

/// Where the parser found what.
struct Origins {
    using Names = std::map<std::string_view, Position, std::less<>>;
    std::vector<const Statement*> definitions;  ///< by index of Specification::definitions
    std::vector<const Statement*> findings;     ///< by index of Specification::findings
    Names defined;  ///< names of all definitions, also of those that could not be read
    Names findingNames;
    Names units;
    Names descriptions;
    Names trust;
};

/// What each line alone cannot show: cycles, metrics with two parents, names that are nowhere defined, sets
/// that cannot be counted, annotations of nothing.
void check(const Specification& specification, const Origins& origins, Problems& problems);

}  // namespace holos::specs

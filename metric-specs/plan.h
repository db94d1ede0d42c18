// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "base/chosen.h"
#include "metric-specs/specification.h"

namespace holos::specs {

struct Uncovered {
    std::string metric;
    std::string why;
};

/// Runs of the program that together measure what is wanted.
struct Plan {
    std::vector<std::vector<std::string>> runs;  ///< the events of each
    std::size_t atLeast = 0;           ///< no plan has fewer runs; equal to theirs when it is proven
    std::vector<Uncovered> uncovered;  ///< what no run can measure
};

struct PlanRequest {
    /// Names of metrics or events; with `/` behind, everything below as well; or all that the
    /// file defines.
    Chosen<std::string> wanted = kAll;
    std::optional<std::size_t> registers;  ///< instead of the number that the file gives
    /// Which computations may have their terms measured in several runs. Those left out are not covered.
    enum class Split : unsigned char {
        None,
        TooLarge,  ///< those that no run can hold
        Any,
    };
    Split split = Split::None;
};

/// The fewest runs in which everything wanted is measured. A metric is measured by its counter where it has
/// one, otherwise by the terms of its first definition that can be counted. The terms of a `compute` stay in
/// one run unless it may be split, others need not. Exact by branch and bound while the search is short;
/// otherwise a good plan, with the bound in `atLeast`. Throws Error for an unknown name.
Plan plan(const Specification& specification, const PlanRequest& request);

}  // namespace holos::specs

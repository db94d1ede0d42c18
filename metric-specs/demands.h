// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "metric-specs/plan.h"

namespace holos::specs {

/// What has to be counted for what is wanted.
struct Demands {
    std::vector<std::vector<std::string>>
        groups;  ///< events that must be in one run, sorted; none in another
    std::vector<Uncovered> uncovered;
};

/// `registers` as they are for this plan.
Demands demandsOf(const Specification& specification, const Registers& registers, const PlanRequest& request);

/// Why the events cannot be one run, also where which event goes on which register is known only from the
/// sets of the file.
std::optional<std::string> whyNoRun(const Specification& specification, const Registers& registers,
                                    const std::vector<std::string>& events);

}  // namespace holos::specs

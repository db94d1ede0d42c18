// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "cli/terminal/terminal.h"
#include "metric-specs/plan.h"
#include "metric-specs/specification.h"

namespace holos::cli {

/// The whole of a specification: hierarchies as trees, ratios, findings, measurement sets as tables.
std::string specificationText(const specs::Specification& specification, const Style& style);

/// One line for each measurement set, with its events.
std::string setList(const specs::Specification& specification, const Style& style);

/// The measurement sets in the manner of the KOJAK paper's appendix A.1: what each derives from its counters.
/// `=` measures, `+` contributes to a sum, `≐` computes; `~` in front of what the set completes only in part.
std::string setTables(const specs::Specification& specification, const Style& style);

/// The runs as measurement sets, which can be put into a specification.
std::string planText(const specs::Plan& plan);

}  // namespace holos::cli

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "analyzer/trace/definitions.h"

namespace holos::analyzer::trace {

/// A part of a run that was asked for, within the run: from 0 to the trace's length at most.
struct PartOfRun {
    Ticks from = 0;
    Ticks to = 0;
};

/// By seconds since the run began, of any size; where one is missing, the run's begin or end. Throws
/// `WrongRequest` where nothing of the run is between them.
PartOfRun partOfRun(const Definitions& definitions, std::optional<double> from, std::optional<double> to);

}  // namespace holos::analyzer::trace

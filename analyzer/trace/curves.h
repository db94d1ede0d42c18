// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/trace/definitions.h"

/// Metrics over time: as much as a picture can show, whatever the trace's size. Memory grows with the number
/// of metrics and of parts, not with the events.
namespace holos::analyzer::trace {

/// A stretch of time in equal parts.
struct TimeGrid {
    Ticks from = 0;
    Ticks to = 0;
    std::size_t parts = 1;
};

/// A metric of a location: what accumulates, by its growth per second; a state, from its sample to the next.
struct Curve {
    MemberId member;
    LocationId location;
    std::vector<double> means;  ///< of each part, weighted by time; NaN where nothing is known
    std::vector<double> known;  ///< how much of each part is known: 0 to 1
};

struct Curves {
    std::vector<Curve> curves;  ///< of metrics with at least one value, in the order of their definitions
    std::optional<std::string> problem;
};

/// Stretches of time, in their order.
using Stretches = std::vector<std::pair<Ticks, Ticks>>;

/// Reads a location's metrics. Growth between two samples is spread evenly over the time between them.
/// `only`: nothing is known outside of these. Damaged files never throw: `problem` says what is missing.
/// Thread safety: one thread for each location.
Curves readCurves(const std::filesystem::path& anchor, const Definitions& definitions, LocationId location,
                  const TimeGrid& grid, const Stretches* only = nullptr);

}  // namespace holos::analyzer::trace

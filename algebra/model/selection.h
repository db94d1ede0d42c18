// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "algebra/model/queries.h"

namespace holos::algebra {

/// What a query asks for, apart from the metric: which part of call tree and system tree, and what stays
/// apart. A result has one value per lane.
struct Selection {
    enum class By : unsigned char {
        Location,  ///< a lane per location
        CallPath,  ///< a lane per call path
        Group,     ///< a lane per group of locations
        Nothing,   ///< one lane
    };
    By by = By::Nothing;
    ChosenPaths paths = kAll;               ///< not for CallPath
    Extent callExtent = Extent::Inclusive;  ///< for CallPath
    ChosenLocations locations = kAll;       ///< for CallPath and Nothing
    LocationGroups groups = {};             ///< for Group

    std::size_t lanes(const Experiment&) const;
    /// This part of the trees with every call path in this extent.
    Selection with(Extent extent, const CallTree& tree) const;
};

/// The values of one table for a selection; the table is exclusive along the call tree. Sums, or for
/// MinDouble and MaxDouble the extreme, NaN where there is no value. A call path that is chosen twice counts
/// once.
std::vector<double> reduce(const SeverityTable& table, ValueType type, const Selection& selection,
                           const Experiment& experiment);

/// As `reduce`, for a metric whose values are stored. Large ones are read row by row, by all processor cores,
/// and only the rows that are asked for; bit for bit what their table would give.
std::vector<double> reduceStored(MetricId metric, const Selection& selection, const Experiment& experiment);

/// False when `reduceStored` would have to read more than some megabytes.
bool isReducedQuickly(MetricId metric, const Selection& selection, const Experiment& experiment);

}  // namespace holos::algebra

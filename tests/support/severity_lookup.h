// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string_view>

#include "algebra/model/experiment.h"

namespace holos::testing {

/// The call path of these regions from a root, as `main/MPI_Recv`.
std::optional<algebra::CallPathId> callPath(const algebra::Experiment&, std::string_view path);

/// The first call path whose regions end in these, as `runhyd/glblmax`, wherever it begins.
std::optional<algebra::CallPathId> callPathEnding(const algebra::Experiment&, std::string_view path);

/// The value stored for this call path alone and this location; 0 where nothing is stored. Throws
/// `std::out_of_range` when there is no such metric or call path at all.
double severity(const algebra::Experiment&, std::string_view metric, std::string_view path,
                algebra::LocationId);

/// The sum of the values stored for all call paths of the region, wherever it was called, and this location.
/// Throws when there is no such metric or no such call path.
double severityOfRegion(const algebra::Experiment&, std::string_view metric, std::string_view region,
                        algebra::LocationId);

/// Sum of the stored values over all call paths and locations; 0 when there is no such metric.
double total(const algebra::Experiment&, std::string_view metric);

}  // namespace holos::testing

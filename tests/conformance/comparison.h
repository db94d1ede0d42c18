// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "algebra/model/experiment.h"

namespace holos::testing {

/// The call paths by name, in the order of ids: `/main/MPI_Recv`.
std::vector<std::string> callPathNames(const algebra::Experiment& experiment);

/// All values of `expected` that `actual` does not have within 1e-9 + 1e-6 relative, and call paths that only
/// one of them has, each in words; at most a few per metric. Call paths are matched by name, locations by
/// process and thread, metrics by unique name; a metric that `actual` lacks counts as zero. Parents of
/// metrics are compared where `expected` has any. `ignored`: a regular expression for unique names that are
/// not compared.
std::vector<std::string> differences(const algebra::Experiment& expected, const algebra::Experiment& actual,
                                     const std::string& ignored);

}  // namespace holos::testing

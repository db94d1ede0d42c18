// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>

#include "tests/support/large_experiment.h"

namespace holos::testing {

/// Whether sums stand behind the values, as in files of Holos, or not, as in those of other programs.
enum class HollowSums : unsigned char { Stored, None };

/// Writes an experiment of that shape (its density and seed do not matter) whose values are holes in the
/// file: it is as long as a real one, and takes hardly any room or time. Metric M has the value M + 1 at the
/// first location of the first call path and M + 2 at the last of the last, and zero everywhere else. False
/// where the file system has no holes, or no files of this size.
[[nodiscard]] bool writeHollowExperiment(const LargeExperimentShape& shape, const std::filesystem::path& file,
                                         HollowSums sums);

}  // namespace holos::testing

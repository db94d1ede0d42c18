// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace holos::algebra {

/// How many measurements the values of a metric are the mean of, per location. Kept with the metric as an
/// attribute, so that averages of averages weigh every measurement once and merging is associative.
/// Text form: runs of equal counts, `COUNT` or `COUNT*LENGTH`, separated by commas; empty when all are 1.

/// Counts for that many locations; all 1 for a text that does not fit them.
std::vector<double> parseRepetitions(std::string_view text, std::size_t locations);
std::string formatRepetitions(const std::vector<double>& counts);

}  // namespace holos::algebra

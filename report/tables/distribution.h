// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace holos::tables {

/// Quartiles, mean, imbalance and a small histogram of the values of all locations; nothing for fewer than
/// two.
std::string distributionText(const std::vector<double>& values, const std::string& unit);

}  // namespace holos::tables

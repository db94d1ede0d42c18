// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace holos::report {

/// Four digits and a prefix of the unit, such as `25.91 T` or `638.0 n`; whole numbers below 10,000 as they
/// are. What has no number is `–`.
std::string engineering(double value);

/// Seconds as people write them: `914.0 ms`, `12.50 s`.
std::string shownSeconds(double value);

/// A number of four digits without a prefix, for percentages.
std::string fourDigits(double value);

}  // namespace holos::report

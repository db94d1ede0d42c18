// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace holos::gui {

/// How values are spread: what a box plot and a histogram need. Values that are undefined do not count.
struct Distribution {
    std::size_t count = 0;
    double minimum = 0.0, lowerQuartile = 0.0, median = 0.0, upperQuartile = 0.0, maximum = 0.0;
    double mean = 0.0;
    double deviation = 0.0;         ///< of the values themselves: the denominator is `count`
    std::vector<std::size_t> bins;  ///< of equal width from minimum to maximum; one bin when these are equal

    /// The bin that a value between minimum and maximum falls into.
    std::size_t binOf(double value) const;
};

/// Quartiles are interpolated linearly between neighbours. Nothing when no value is defined.
std::optional<Distribution> distributionOf(std::vector<double> values, std::size_t bins);

}  // namespace holos::gui

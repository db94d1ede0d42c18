// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstddef>

namespace holos {

/// Mean, and standard deviation with n - 1; exact for equal values.
struct Moments {
    double mean = 0.0;
    double deviation = 0.0;  ///< 0 for one value
};

/// Of `count` values, at least one, that `valueAt` gives by their number from 0.
template <class ValueAt>
Moments momentsOf(std::size_t count, ValueAt valueAt) {
    const double first = valueAt(0);
    Moments moments{first, 0.0};
    const auto n = static_cast<double>(count);
    for (std::size_t i = 1; i < count; ++i) moments.mean += (valueAt(i) - first) / n;
    if (count == 1) return moments;
    for (std::size_t i = 0; i < count; ++i)
        moments.deviation += (valueAt(i) - moments.mean) * (valueAt(i) - moments.mean);
    moments.deviation = std::sqrt(moments.deviation / (n - 1.0));
    return moments;
}

}  // namespace holos

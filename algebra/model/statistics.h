// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "algebra/model/structure.h"

namespace holos::algebra {

/// How values are distributed, such as those of a metric over the locations (`perLocation`). Undefined values
/// (NaN) and infinite ones are left out; without any value everything but `count` and `sum` is NaN.
struct Statistics {
    std::size_t count = 0;
    double sum = 0.0;
    double mean = 0.0;
    double standardDeviation = 0.0;  ///< of these values, which are all there are: divided by `count`
    double minimum = 0.0;
    double lowerQuartile = 0.0;  ///< interpolated between neighbours, as the median and the upper quartile
    double median = 0.0;
    double upperQuartile = 0.0;
    double maximum = 0.0;
    /// `maximum / mean - 1`: what the largest has above the mean; NaN unless the mean is positive.
    double imbalance = 0.0;
};
Statistics statisticsOf(std::vector<double> values);

/// Which of `bins` equal parts from the minimum to the maximum a value between them lies in; the first when
/// they are equal.
std::size_t binOf(double value, double minimum, double maximum, std::size_t bins);

/// How many values lie in each of `bins` equal parts from the minimum to the maximum; all in the first when
/// they are equal. Undefined and infinite values are left out.
std::vector<std::size_t> histogramOf(const std::vector<double>& values, std::size_t bins);

/// Whether a location runs the program. Others only carry counters or samples, or are streams of an
/// accelerator.
bool isThread(const Location&);

/// Whose values of one metric are compared with each other, averaged and counted: the program's threads, by
/// LocationId. Locations that are no threads are compared only where no thread has a value and they have one,
/// such as those with the memory of each process.
std::vector<bool> comparedLocations(const SystemTree&, const std::vector<double>& valueOfEach);
/// As `comparedLocations`, of processes: those of the program, and not the groups that only hold counters or
/// accelerators.
std::vector<bool> comparedProcesses(const SystemTree&, const std::vector<double>& valueOfEach);

/// The values, with NaN in place of each that is not compared: statistics leave these out.
std::vector<double> onlyCompared(std::vector<double> values, const std::vector<bool>& isCompared);

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

}  // namespace holos::algebra

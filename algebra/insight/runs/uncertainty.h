// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

namespace holos::algebra {

/// Means of something that was measured in one or several runs of two versions.
struct MeanDifference {
    double first = 0;
    double second = 0;
    std::optional<double>
        error;  ///< so much more or less, in 95 of 100 such studies; nothing where no version was repeated

    double difference() const { return second - first; }
    /// It is no more than what runs of one version differ by.
    bool isWithinError() const;
};

/// By Welch's form of Student's t test. A version with one run is taken to vary as the other one does. Both
/// need a value.
MeanDifference differenceOfMeans(const std::vector<double>& first, const std::vector<double>& second);

/// Of the mean of repeated measurements; nothing for a single one.
std::optional<double> errorOfMean(const std::vector<double>& values);

}  // namespace holos::algebra

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

namespace holos::algebra::scaling {

/// Columns of numbers of one length: the functions that are added up, at each measured point.
using Columns = std::vector<std::vector<double>>;

/// The factors with which columns add up to values, as well as may be.
struct Fit {
    std::vector<double> coefficients;  ///< by column
    std::vector<double> residuals;     ///< by point: value - fitted, in standard deviations of the point
    /// Residuals where the point itself was left out of the fit (leave-one-out cross-validation); infinite
    /// for a point without which nothing can be fitted.
    std::vector<double> crossResiduals;
    Columns triangle;  ///< R of the QR decomposition, by column

    double sumOfSquares() const;
    /// The standard deviation of what is fitted where the columns have these values, in units of the points'.
    double deviationAt(const std::vector<double>& columns) const;
};

/// Least squares with a standard deviation for each value, by Gram-Schmidt orthogonalisation. Nothing when
/// there are fewer points than columns, or when columns depend on each other. Pure.
std::optional<Fit> fitColumns(const Columns& columns, const std::vector<double>& values,
                              const std::vector<double>& deviations);

}  // namespace holos::algebra::scaling

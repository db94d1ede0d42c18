// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/scaling/least_squares.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace holos::algebra::scaling {

namespace {

double product(const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void subtract(std::vector<double>& from, double factor, const std::vector<double>& what) {
    for (std::size_t i = 0; i < from.size(); ++i) from[i] -= factor * what[i];
}

std::vector<double> divided(std::vector<double> values, const std::vector<double>& by) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] /= by[i];
    return values;
}

double squares(const std::vector<double>& values) {
    return product(values, values);
}

/// Makes columns orthogonal and of length 1; the triangle says how the given ones are made of them. Nothing
/// when one of them is made of the others.
std::optional<Columns> orthogonalize(Columns& columns) {
    constexpr double kIndependent = 1e-7;  // of a column's length: how much of it must be its own
    Columns triangle(columns.size(), std::vector<double>(columns.size(), 0.0));
    for (std::size_t at = 0; at < columns.size(); ++at) {
        const double length = std::sqrt(squares(columns[at]));
        for (std::size_t before = 0; before < at; ++before) {
            triangle[at][before] = product(columns[before], columns[at]);
            subtract(columns[at], triangle[at][before], columns[before]);
        }
        const double own = std::sqrt(squares(columns[at]));
        if (!(own > kIndependent * length) || !std::isfinite(own)) return std::nullopt;
        for (double& value : columns[at]) value /= own;
        triangle[at][at] = own;
    }
    return triangle;
}

std::vector<double> coefficientsOf(const Columns& triangle, std::vector<double> projections) {
    for (std::size_t at = projections.size(); at-- > 0;) {
        projections[at] /= triangle[at][at];
        for (std::size_t before = 0; before < at; ++before)
            projections[before] -= triangle[at][before] * projections[at];
    }
    return projections;
}

}  // namespace

double Fit::sumOfSquares() const {
    return squares(residuals);
}

double Fit::deviationAt(const std::vector<double>& columns) const {
    double variance = 0;
    std::vector<double> parts(columns.size());
    for (std::size_t at = 0; at < columns.size(); ++at) {
        double rest = columns[at];
        for (std::size_t before = 0; before < at; ++before) rest -= triangle[at][before] * parts[before];
        parts[at] = rest / triangle[at][at];
        variance += parts[at] * parts[at];
    }
    return std::sqrt(variance);
}

std::optional<Fit> fitColumns(const Columns& columns, const std::vector<double>& values,
                              const std::vector<double>& deviations) {
    if (values.size() < columns.size()) return std::nullopt;
    Columns directions;
    for (const std::vector<double>& column : columns) directions.push_back(divided(column, deviations));
    auto triangle = orthogonalize(directions);
    if (!triangle) return std::nullopt;
    Fit fit;
    fit.residuals = divided(values, deviations);
    std::vector<double> projections;
    for (const std::vector<double>& direction : directions) {
        projections.push_back(product(direction, fit.residuals));
        subtract(fit.residuals, projections.back(), direction);
    }
    fit.coefficients = coefficientsOf(*triangle, std::move(projections));
    for (std::size_t point = 0; point < values.size(); ++point) {
        double own = 1;  // part of the point's residual that is left when the fit follows the point
        for (const std::vector<double>& direction : directions) own -= direction[point] * direction[point];
        constexpr double kAlone = 1e-9;
        fit.crossResiduals.push_back(own > kAlone ? fit.residuals[point] / own
                                                  : std::numeric_limits<double>::infinity());
    }
    fit.triangle = std::move(*triangle);
    return fit;
}

}  // namespace holos::algebra::scaling

// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/operators/rows/row_arithmetic.h"

#include <algorithm>
#include <cstddef>

namespace holos::algebra {

void addWeighted(std::span<double> into, std::span<const double> values, std::span<const double> factors) {
    if (factors.empty())
        for (std::size_t at = 0; at < values.size(); ++at) into[at] += values[at];
    else
        for (std::size_t at = 0; at < values.size(); ++at) into[at] += factors[at] * values[at];
}

void subtract(std::span<double> into, std::span<const double> values) {
    for (std::size_t at = 0; at < values.size(); ++at) into[at] -= values[at];
}

void divide(std::span<double> into, std::span<const double> divisors) {
    for (std::size_t at = 0; at < divisors.size(); ++at) into[at] /= divisors[at];
}

void keepEqual(std::span<double> into, std::span<const std::span<const double>> rows) {
    const auto lacking = [](std::span<const double> row) { return row.empty(); };
    if (rows.empty() || std::ranges::any_of(rows, lacking)) return;
    for (std::size_t at = 0; at < into.size(); ++at) {
        const double first = rows.front()[at];
        bool equal = true;
        for (const auto& row : rows) equal = equal && row[at] == first;
        if (equal) into[at] = first;
    }
}

}  // namespace holos::algebra

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/model/experiment.h"
#include "algebra/operators/unite/inputs.h"

namespace holos::algebra {

/// What a ratio is in a difference.
enum class DifferenceOfRatios : std::uint8_t {
    Subtracted,    ///< the ratio of the first minus that of the second (`diff.cpp`)
    OfWhatIsLeft,  ///< of the differences: where the second is a part of the first, such as its earlier state
};

/// `minuend - subtrahend` for every value; what one of them lacks counts as 0. The result is signed: unsigned
/// types become the next larger signed one. A minimum or maximum has a difference where both have a value.
/// Composed and computed metrics are evaluated on the differences where both carry the same specification,
/// and subtracted themselves where not; other expressions are kept.
Experiment diff(const Experiment& minuend, const Experiment& subtrahend, const Matching& matching = {},
                DifferenceOfRatios = DifferenceOfRatios::Subtracted);

}  // namespace holos::algebra

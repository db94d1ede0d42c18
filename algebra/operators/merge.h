// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "algebra/operators/unite/inputs.h"

namespace holos::specs {
struct Specification;
}

namespace holos::algebra {

/// Unifies experiments of the same program that measured different things (KOJAK paper, sections 2.3 and 4).
///
/// Only measured values are taken from the inputs. A metric that several inputs measured gets the mean of
/// their values; a call path that one of them did not visit counts as 0 there, a location that it did not
/// have is left out of the mean. Every measurement weighs the same, also when inputs are merged experiments
/// themselves. Composed and computed metrics are derived afterwards, so that what one input lacks is
/// completed by another, by `specification`, or without one by the first that an input carries.
///
/// Commutative up to the order of parts, associative and idempotent up to rounding. Throws Error for no
/// inputs, for values that cannot be read and for a damaged specification in an input.
Experiment merge(const Inputs& inputs, const specs::Specification* specification = nullptr,
                 const Matching& matching = {});

}  // namespace holos::algebra

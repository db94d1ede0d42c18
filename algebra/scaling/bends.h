// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <vector>

#include "algebra/scaling/growth.h"

namespace holos::algebra::scaling {

/// The terms of a law beside its constant: one with a bend, and at most one without.
using BentLaw = std::vector<Growth>;

/// Laws of one parameter that change at some size: a step, where another algorithm begins; a kink, where a
/// resource is exhausted; the end of a growth. Places are between the sizes that were measured; those of
/// saturation also around them. Pure.
std::vector<BentLaw> bentLaws(const std::set<double>& sizes);

}  // namespace holos::algebra::scaling

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "metric-specs/formula.h"

namespace holos::specs {

/// The number with all its digits and without exponent.
std::string textOf(double number);

/// The formula as a specification spells it.
std::string textOf(const Formula& formula);

}  // namespace holos::specs

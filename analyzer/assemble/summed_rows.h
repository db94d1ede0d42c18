// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "algebra/model/rows.h"

namespace holos::analyzer::assemble {

/// Values that are added to others.
struct Summand {
    algebra::RowsPtr rows;
    double factor = 1;
};

/// Their sum, made row by row when it is asked for, and in their order: nothing is kept. At least one.
algebra::RowSource summed(std::vector<Summand> summands);

}  // namespace holos::analyzer::assemble

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "validation/validation.h"

namespace holos::validation {

/// A picture of what one microbenchmark says of one event: reported counts over predicted ones, as figures 9,
/// 12, 13, 15, 17, 20 and 22 of the validity study have them.
struct Plot {
    std::string name;  ///< for a file: event and microbenchmark, without characters that files may not have
    std::string svg;
};

/// One for each event and microbenchmark, with a line for each processor that was observed. Both axes are
/// logarithmic: bars reach one standard deviation up and down, the dashed line is the prediction, and what
/// stands at its foot is the error's class.
std::vector<Plot> plotsOf(const Validation& validation);

}  // namespace holos::validation

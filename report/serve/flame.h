// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "algebra/model/structure.h"

namespace holos::serve {

/// A call path in a flame graph whose roots are at the top. Places are parts of the whole width.
struct FlameBox {
    algebra::CallPathId path;
    std::size_t row = 0;
    double start = 0.0;
    double width = 0.0;
    double value = 0.0;  ///< what the width stands for
};

struct Flame {
    std::vector<FlameBox> boxes;  ///< callers before those they call
    double whole = 0.0;           ///< what the whole width stands for
    std::size_t narrow = 0;  ///< boxes that are less than a pixel wide; they and all below them are left out
};

/// The call tree, or what is below `top` with those that lead to it, on so many pixels. `own`: what each call
/// path has without what is below it. Values are magnitudes: in a difference what cancels out has its width,
/// too; what is undefined has none.
Flame flameOf(const algebra::CallTree& tree, const std::vector<double>& own,
              std::optional<algebra::CallPathId> top, std::size_t pixels);

}  // namespace holos::serve

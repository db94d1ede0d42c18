// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "algebra/insight/findings/roofline.h"
#include "report/plot/curves.h"

namespace holos::plot {

/// The roofline model on two logarithmic axes, which end at powers of ten.
struct RooflineAxes {
    LogarithmicAxis across;  ///< floating-point operations per byte
    LogarithmicAxis up;      ///< floating-point operations per second

    RooflineAxes(const algebra::Roofline& roofline, const algebra::Roofs& roofs);
};

/// The roof from the left end of the axes over the ridge to the right one; empty unless both parts are known.
std::vector<PlacedValue> roofLine(const RooflineAxes& axes, const algebra::Roofs& roofs);

/// Of a point with this part of the time of all points: its area grows with the time.
double rooflineRadius(double share);

/// A picture that needs no other file; `names`: of the points, in their order. Those with most time are
/// named beside it.
std::string svgOf(const algebra::Roofline& roofline, const algebra::Roofs& roofs,
                  const std::vector<std::string>& names);

}  // namespace holos::plot

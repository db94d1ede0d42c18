// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "algebra/insight/scaling/growing_paths.h"
#include "report/plot/curves.h"

namespace holos::plot {

/// How a metric grows with the first parameter of the study, from its smallest value to `at`. Other
/// parameters have the values of the largest runs, and beyond them those of `at`.
Curve curveOf(const algebra::scaling::Study& study, const algebra::scaling::Growing& growing,
              const algebra::scaling::Point& at, std::string name);

/// `time (s)`, of a metric that the runs have.
std::string withUnit(const algebra::scaling::Study& study, const std::string& metric);

}  // namespace holos::plot

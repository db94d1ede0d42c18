// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>

#include "metric-specs/specification.h"

namespace holos::specs {

using Values = std::map<std::string, double>;

/// The display names (`~` in front while incomplete) and values of all available metrics, for one value per
/// measurement and a processor of `hertz`. A ratio that is undefined is left out.
Values shownValues(const Specification& specification, const Values& measured, double hertz = 1e9);

}  // namespace holos::specs

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "algebra/model/experiment.h"

namespace holos::tables {

/// That much computation stands at functions known from call paths, though others that they called may have
/// done it, and how to find out. Nothing where it is little, where samples tell it already, and where the
/// program was compiled so that each function is known.
std::optional<std::string> unsampledText(const algebra::Experiment& experiment);

}  // namespace holos::tables

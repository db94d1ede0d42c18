// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>

#include "algebra/model/experiment.h"

namespace holos::analyzer {

/// Adds what `measurement.json` says of a run, and how long `main` took, to the attributes of its experiment;
/// what is not known is left out.
void addConfiguration(algebra::Experiment& experiment, const nlohmann::json& measurement);

}  // namespace holos::analyzer

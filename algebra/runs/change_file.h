// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"
#include "algebra/runs/change.h"

namespace holos::algebra {

/// For programs: the sentences and the numbers in them.
nlohmann::ordered_json objectOf(const Change& change);

/// Keeps the change in the experiment of the difference.
void keepChange(const Change& change, Experiment& difference);

/// What `keepChange` kept, as JSON with at least its `sentences`. Nothing for other experiments, and for what
/// was made of a difference.
std::optional<nlohmann::ordered_json> changeIn(const Experiment& difference);

}  // namespace holos::algebra

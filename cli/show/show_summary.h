// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "algebra/insight/summary/summary.h"
#include "algebra/model/experiment.h"
#include "cli/show/show_formats.h"

namespace holos::cli {

/// What a difference is in plain words, as text that ends with an empty line. Empty for other experiments.
std::string changeText(const algebra::Experiment& experiment, const Style& style);

/// The run in plain words, as text that ends with an empty line. Empty where there is nothing to say of the
/// experiment.
std::string summaryText(const algebra::Experiment& experiment, const std::string& file, const Style& style);

/// A run's summary for scripts; null where there is nothing to say.
nlohmann::ordered_json summaryObject(const algebra::Experiment& experiment);

}  // namespace holos::cli

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "algebra/model/experiment.h"
#include "algebra/summary/summary.h"
#include "cli/show/show_formats.h"

namespace holos::cli {

/// The run in plain words, as text that ends with an empty line. Empty where there is nothing to say of the
/// experiment.
std::string summaryText(const algebra::Experiment& experiment, const std::string& file, const Style& style);

/// The same for scripts; null where there is nothing to say.
nlohmann::ordered_json summaryObject(const algebra::Experiment& experiment);

/// One of its problems, counted from 1, with the values that it rests on, as text or JSON. Throws
/// `holos::Error` where there is none of this number.
std::string showProblem(const algebra::Experiment& experiment, const ShowRequest& request, std::size_t number,
                        const Style& style);

}  // namespace holos::cli

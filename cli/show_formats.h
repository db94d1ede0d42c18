// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "algebra/model/experiment.h"
#include "cli/terminal.h"

namespace holos::cli {

struct ShowRequest {
    std::string file;
    std::optional<algebra::MetricId> metric;  ///< nothing: the whole experiment
    std::size_t top = 10;                     ///< how many call paths and wait states; 0: all
    bool zeros = false;                       ///< in text: list metrics and locations with value zero, too
};

/// The whole experiment (metric trees, largest wait states) or one metric (call paths, locations) in each
/// format.
std::string showText(const algebra::Experiment& experiment, const ShowRequest& request, const Style& style);
std::string showCsv(const algebra::Experiment& experiment, const ShowRequest& request);
std::string showJson(const algebra::Experiment& experiment, const ShowRequest& request);

}  // namespace holos::cli

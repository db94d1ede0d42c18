// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algebra/scaling/growing_paths.h"
#include "algebra/scaling/scalability.h"
#include "cli/terminal.h"

namespace holos::cli {

/// What is predicted for other sizes.
struct ScalingModels {
    algebra::scaling::Point at;
    std::vector<algebra::scaling::Growing> metrics;  ///< of the whole program
    std::vector<algebra::scaling::Growing> paths;    ///< the largest prediction first
};

/// What `holos scaling` says.
struct ScalingReport {
    const algebra::scaling::Study& study;
    algebra::scaling::ScalabilityTable table;
    std::optional<ScalingModels> models;
    std::string withoutModels;  ///< why there are no models
    std::size_t top = 0;        ///< call paths to list; 0: all
};

std::string scalingText(const ScalingReport& report, const Style& style);
/// The models, one in a line; with `sizes` the table of sizes.
std::string scalingCsv(const ScalingReport& report, bool sizes);
std::string scalingJson(const ScalingReport& report);

/// `time`, or `time main/solve`.
std::string nameOf(const algebra::scaling::Growing& growing, const algebra::Experiment& program);

/// The models of call paths that are listed.
std::vector<algebra::scaling::Growing> listedPaths(const ScalingReport& report);

}  // namespace holos::cli

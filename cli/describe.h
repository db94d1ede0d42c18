// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

#include "algebra/model/experiment.h"
#include "cli/terminal.h"

namespace holos::cli {

/// What an experiment consists of: attributes, metrics, call tree, system, topologies, additional files.
std::string describeExperiment(const algebra::Experiment& experiment, const std::string& file,
                               const Style& style);

/// What the folder of a trace holds: its files, and what `measurement.json` says about the run. Throws
/// `holos::Error` for a damaged `measurement.json`.
std::string describeTrace(const std::filesystem::path& folder, const Style& style);

}  // namespace holos::cli

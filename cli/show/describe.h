// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>

#include "algebra/model/experiment.h"
#include "cli/terminal/terminal.h"

namespace holos::cli {

/// What an experiment consists of: attributes, metrics, call tree, system, topologies, additional files.
std::string describeExperiment(const algebra::Experiment& experiment, const std::string& file,
                               const Style& style);

/// What an OTF2 archive (its folder, or its `.otf2` file) holds: its files, who wrote it, what its
/// definitions and `measurement.json` say; of the latter also each process, thread and machine where
/// `inDetail`. Throws `holos::Error` where there is no archive, or a damaged `measurement.json`.
std::string describeTrace(const std::filesystem::path& archiveOrDirectory, bool inDetail, const Style& style);

/// Lines on what the global definitions of an archive say: events, processes, regions, metrics, or that they
/// are damaged.
std::string describeDefinitions(const std::filesystem::path& anchor);

}  // namespace holos::cli

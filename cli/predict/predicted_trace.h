// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analyzer/predictor.h"

namespace holos::cli {

/// The trace of a predicted run, and where it comes from.
struct PredictedTrace {
    std::filesystem::path recorded;       ///< the folder of the recorded run
    std::filesystem::path folder;         ///< what is made: not there yet, or empty
    std::vector<std::string> conditions;  ///< as they were given
};

/// Throws `holos::Error` where the folder has something in it.
void requireNewFolder(const std::filesystem::path& folder);

/// Writes a folder like that of a recording, with `measurement.json` where the recorded one has it. It
/// appears under its name only when it is complete. Returns how many events were left out, of kinds that are
/// not known.
std::uint64_t writePredictedTrace(const PredictedTrace& trace, const analyzer::Predictor& predictor,
                                  const analyzer::Prediction& prediction,
                                  const analyzer::AnalysisOptions& options);

}  // namespace holos::cli

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>

#include "analyzer/predictor.h"

namespace holos::analyzer {

/// Adds to the experiment of a trace how long each call path takes on an ideal network, in each location
/// (`algebra::kIdealNetworkTime`): the run is replayed with communication that takes no time, so that only
/// computation and waiting for others are left. Reads the trace twice. Only threads and progress of the
/// options count. Throws `holos::Error`, also where the trace is not the one that was analyzed, and where the
/// options name a part of the run.
void addIdealNetwork(algebra::Experiment& experiment, const std::filesystem::path& archiveOrDirectory,
                     const AnalysisOptions& options = {});

/// Of a run that a predictor has read already.
void addIdealNetwork(algebra::Experiment& experiment, const Predictor& predictor,
                     const std::filesystem::path& archiveOrDirectory, const AnalysisOptions& options);

}  // namespace holos::analyzer

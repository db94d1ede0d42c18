// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "algebra/model/experiment.h"

namespace holos::tables {

/// An analysis of what a run has recorded so far.
struct RecordedSoFar {
    algebra::Experiment experiment;
    std::string text;         ///< when it was, and how old the newest event is; empty: it is the whole run
    bool isWholeRun = false;  ///< nothing comes after it
};

/// Of a recording that goes on, which is not touched; or of the trace of a run that has ended. Takes one
/// thread. `check` is called now and then, what it throws ends it. Throws `holos::Error`.
RecordedSoFar recordedSoFar(const std::filesystem::path& folder, const std::function<void()>& check);

}  // namespace holos::tables

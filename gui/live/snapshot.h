// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <atomic>
#include <filesystem>

#include "gui/models/value_cache.h"

namespace holos::gui {

/// An analysis of what a run has recorded so far.
struct Snapshot {
    ExperimentPtr experiment;
    ExperimentPtr change;     ///< since the one before; null: this is the first one
    QString time;             ///< of the newest event, in words
    bool isWholeRun = false;  ///< nothing comes after it
};

/// Of a recording that goes on, which is not touched; or of the trace of a run that has ended. Takes one
/// thread. Throws `holos::Error`, also soon after it is not wanted any more.
Snapshot takeSnapshot(const std::filesystem::path& folder, const std::atomic<bool>& isWanted);

}  // namespace holos::gui

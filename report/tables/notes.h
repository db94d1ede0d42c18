// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "algebra/model/experiment.h"
#include "tracing/recordings/archive/conversion.h"

namespace holos::tables {

/// When a snapshot was taken, and how old what is in it was: `2026-11-24 14:03:05 UTC; the newest event was
/// 0.02 s old, and process 17 on node5 had …`.
std::string snapshotText(const archive::Snapshot& snapshot);

/// Writes it into the experiment, where `snapshotText` finds it.
void markAsSnapshot(algebra::Experiment& experiment, const archive::Snapshot& snapshot);

/// A sentence for who reads an experiment of a snapshot; nothing where a whole run was analyzed.
std::optional<std::string> snapshotText(const algebra::Experiment& experiment);

/// Says that much computation stands at functions known from call paths, though others that they called may
/// have done it, and how to find out. Nothing where it is little, where samples tell it already, and where
/// the program was compiled so that each function is known, or a law of recordings is broken.
std::optional<std::string> unsampledText(const algebra::Experiment& experiment);

/// What is to be said of threads that slept in a way that the recorder did not see, so that it counts as
/// their computation: a sentence for each of the worst, and one for threads of which it is not known. Nothing
/// where it is little, or a law of recordings is broken.
std::vector<std::string> unseenSleepTexts(const algebra::Experiment& experiment);

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

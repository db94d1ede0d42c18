// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "algebra/model/experiment.h"
#include "tracing/archive/snapshot.h"

namespace holos::cli {

/// Where a run that goes on has its trace meanwhile: not beside the recording, whose room it would take.
std::filesystem::path snapshotPlace();

/// Says when a snapshot was taken, what is in it, and how old that was.
void report(const archive::Snapshot& snapshot);

/// Has the experiment say the same as long as it exists.
void markAsSnapshot(algebra::Experiment& experiment, const archive::Snapshot& snapshot);

/// A sentence for who reads an experiment of a snapshot; nothing where a whole run was analyzed.
std::optional<std::string> snapshotText(const algebra::Experiment& experiment);

}  // namespace holos::cli

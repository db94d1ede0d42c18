// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>

#include "tracing/archive/snapshot.h"

namespace holos::cli {

/// Where a run that goes on has its trace meanwhile: not beside the recording, whose room it would take.
std::filesystem::path snapshotPlace();

/// Says when a snapshot was taken, what is in it, and how old that was.
void report(const archive::Snapshot& snapshot);

}  // namespace holos::cli

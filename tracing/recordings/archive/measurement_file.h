// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

#include "tracing/recordings/archive/archive.h"

/// What a folder's `measurement.json` says, which `measurement.h` writes.
namespace holos::archive {

/// The id of the run that `measurement.json` in a folder is of; empty where it says nothing.
std::string recordedRun(const fs::path& folder);

/// How many further MPI jobs the run had, by the `measurement.json` of the first; 0 where it says nothing.
std::size_t recordedFurtherJobs(const fs::path& folder);

}  // namespace holos::archive

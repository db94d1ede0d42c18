// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "tracing/recordings/archive/folder/run_identity.h"

namespace holos::launch {

/// What a launcher such as mpirun says of this process in the environment.
struct LaunchedRank {
    long rank = 0;
    long size = 1;
    archive::Job job;
};

/// Nothing when no launcher started this process.
std::optional<LaunchedRank> launchedRank();

}  // namespace holos::launch

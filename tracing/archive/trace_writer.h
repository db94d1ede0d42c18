// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>

#include "tracing/archive/archive.h"
#include "tracing/archive/plan.h"
#include "tracing/archive/timeline.h"

namespace holos::archive {

/// Writes the archive `traces` into `folder`, one location after the other. Adds to the plan what was found
/// in the events: notes, and where threads ran.
Result writeTrace(const fs::path& folder, TracePlan& plan, const Timeline& timeline);

}  // namespace holos::archive

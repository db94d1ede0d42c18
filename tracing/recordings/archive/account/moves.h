// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "tracing/recordings/archive/plan/trace_plan.h"

namespace holos::archive {

/// How many threads moved between cores while they were recorded, and which did so most often, in a sentence;
/// empty when none did. For a plan whose events were read.
std::string describeMoves(const TracePlan& plan);

}  // namespace holos::archive

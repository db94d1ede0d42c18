// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "tracing/recordings/archive/plan/trace_plan.h"
#include "tracing/recordings/format/settings.h"

namespace holos::archive {

/// Interfaces for other tools, among the wanted ones, whose library is part of a program, so that the
/// recorder cannot stand in front of it and hear what the program says: a sentence for each, with what to do.
/// A library that is part of a stripped program does not tell.
std::vector<std::string> unheardAnnotations(const TracePlan& plan, tracing::Annotations wanted);

}  // namespace holos::archive

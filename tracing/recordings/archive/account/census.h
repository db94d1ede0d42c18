// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tracing/recordings/archive/account/result.h"
#include "tracing/recordings/archive/plan/trace_plan.h"
#include "tracing/recordings/archive/process/process_ends.h"

namespace holos::archive {

/// Counts the processes that started, by what they and others say of them, and those that are recorded; the
/// others are named with the reason: `312 processes started, 309 recorded, 3 not: 3 of shells, launchers and
/// the like (sh)`. Nothing where nobody kept account. The law does not hold where processes are missing for a
/// reason that is not known. `others`: the processes of other MPI jobs of the run.
std::optional<Law> processesLaw(const TracePlan& plan, const std::vector<RecordedProcess>& processes,
                                const LifeRecords& records,
                                std::span<const std::vector<RecordedProcess>> others);

/// What is to be said of children that recorded programs forked and that ran no program, beside those of
/// which the notes of their parents say it; empty where there are none.
std::string noteOfForked(const std::vector<RecordedProcess>& processes, const LifeRecords& records,
                         std::span<const std::vector<RecordedProcess>> others);

}  // namespace holos::archive

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tracing/recordings/archive/account/result.h"
#include "tracing/recordings/archive/folder/measurement_folder.h"
#include "tracing/recordings/archive/plan/trace_plan.h"
#include "tracing/recordings/archive/process/process_ends.h"

namespace holos::archive {

/// How the processes of a trace ended, in a sentence, those that did not end in order first: `Rank 0 was
/// ended by signal 9 (SIGKILL), 7.93 s after its last event; ranks 1 and 2 exited with code 0`; then those
/// that are not in the trace and that a signal ended. Among them, the command that was recorded, where it is
/// none of them, as a shell: `The command sh exited with code 3; the program sleep exited with code 0`; not
/// where all ended with code 0. `others`: the processes of
/// other MPI jobs of the run. Once the events were written.
std::string endsOf(const TracePlan& plan, const std::vector<RecordedProcess>& processes,
                   const LifeRecords& records, std::span<const std::vector<RecordedProcess>> others);

/// Whether all of them ended in order and no one said that it failed.
bool endedWell(const TracePlan& plan, const std::vector<RecordedProcess>& processes,
               const LifeRecords& records, std::span<const std::vector<RecordedProcess>> others);

/// How many threads moved between cores while they were recorded, and which did so most often, in a sentence;
/// empty when none did. For a plan whose events were read.
std::string describeMoves(const TracePlan& plan);

/// Writes `measurement.json` into `folder`: hosts, processors, clock, command, environment, counters,
/// versions, where threads ran, lost events, and what is missing. `processes`: all that were recorded, of
/// which the plan may have left out some.
void writeMeasurement(const fs::path& folder, const fs::path& recording, const TracePlan& plan,
                      const std::vector<RecordedProcess>& processes, const Result& result);

}  // namespace holos::archive

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tracing/recordings/archive/process/recorded_process.h"
#include "tracing/recordings/archive/run/meetings.h"

namespace holos::archive {

/// The processes of a recording by job, as the jobs began. Worlds that met are of one job. Processes that
/// never called MPI_Init are with the first.
std::vector<std::vector<RecordedProcess>> byJob(std::vector<RecordedProcess> processes,
                                                const Meetings& meetings = {});

/// For people: the program of a job and how many processes it had.
std::string describeJob(const std::vector<RecordedProcess>& processes);

}  // namespace holos::archive

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "tracing/recordings/archive/process/recorded_process.h"
#include "tracing/recordings/measurement/measurement.h"

namespace holos::archive {

/// What is to be said of threads of a process that have no location, each a sentence without its subject: `:
/// 2 threads are not in the trace (…)`. Those of runtime systems only where they took a share of the
/// processors.
std::vector<std::string> notesOfOtherThreads(const RecordedProcess& process);

/// The threads of a process that have no location, but for the recorder's own.
std::vector<measurement::OtherThread> otherThreadsOf(const RecordedProcess& process);

}  // namespace holos::archive

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tracing/recordings/archive/process/recorded_process.h"
#include "tracing/recordings/archive/run/unification.h"

namespace holos::archive {

/// Communicators with processes of several worlds: made by MPI_Comm_spawn, by MPI_Comm_accept and
/// MPI_Comm_connect, or by MPI_Comm_join. The recorder sends no message to processes of other worlds, which
/// need not be recorded. Each side says what it knows, and here the sides that belong together are found.
///
///     world 1   rank 0: spawned 2, k-th time  ┐
///     world 2   ranks 0, 1: my parent is      ┴─▶ a communicator between {1: 0} and {2: 0, 1}
///                  │ MPI_Intercomm_merge
///                  ▼ the first that is made of it: {1: 0, 2: 0, 2: 1}

/// Whether a process called MPI_Init and left what its trace needs.
bool isRank(const RecordedProcess& process);

/// Worlds that met, by their keys (`World::key`).
using Meetings = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// Gives communicators with processes of several worlds their numbers, which `processes` get, and adds notes
/// on sides whose other one was not found.
Meetings joinWorlds(Recording& recording);

/// The processes of a recording by job, as the jobs began. Worlds that met are of one job. Processes that
/// never called MPI_Init are with the first.
std::vector<std::vector<RecordedProcess>> byJob(std::vector<RecordedProcess> processes,
                                                const Meetings& meetings = {});

/// For people: the program of a job and how many processes it had.
std::string describeJob(const std::vector<RecordedProcess>& processes);

}  // namespace holos::archive

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tracing/recordings/archive/process/recorded_process.h"

namespace holos::archive {

/// The program, its process and host, for people.
std::string programText(const RecordedProcess& process);

/// Processes that are not in the trace, each with the reason.
class LeftOut {
  public:
    /// `reason`: what stands behind "it", or "they", and a verb in the past: `recorded no events`.
    void add(const RecordedProcess& process, const std::string& reason);

    /// One sentence for each reason: a single process is described, of many the programs are counted.
    std::vector<std::string> notes() const;

  private:
    std::map<std::string, std::vector<const RecordedProcess*>> byReason_;
};

/// One MPI_COMM_WORLD: its ranks are consecutive in the trace.
struct TraceWorld {
    std::uint64_t key = 0;    ///< `World::key`
    std::uint32_t first = 0;  ///< the number of its rank 0 in the trace
    std::uint32_t size = 0;
};

/// What a trace is made of.
struct Selection {
    std::vector<const RecordedProcess*> processes;
    std::vector<TraceWorld> worlds;  ///< none without MPI
};

/// Which of the recorded processes make up the trace. Where any called MPI_Init, the ranks of their worlds,
/// in their order; a rank that left nothing is a null pointer. Else all with events, in the order of their
/// ranks given by a launcher, then of their start; of a launcher's rank, or a run, in which none has any,
/// all. Those that are left out are noted.
Selection selectProcesses(const std::vector<RecordedProcess>& all, std::vector<std::string>& notes);

}  // namespace holos::archive

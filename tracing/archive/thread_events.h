// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>

#include "tracing/archive/location_writer.h"
#include "tracing/archive/open_regions.h"
#include "tracing/archive/plan.h"

namespace holos::archive {

/// A location's events of threads: their lives, teams, explicit tasks and locks.
class ThreadEvents {
  public:
    ThreadEvents(LocationWriter& out, OpenRegions& open, const TraceProcess& process)
        : out_(out), open_(open), process_(process) {}

    void translateTeams(const Record& record);
    void translateTasks(const Record& record);
    void translateLocks(const Record& record);
    void translateLives(const Record& record);

  private:
    std::optional<std::uint32_t> teamOf(const Record& record);

    LocationWriter& out_;
    OpenRegions& open_;
    const TraceProcess& process_;
};

}  // namespace holos::archive

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/recordings/archive/events/location_writer.h"
#include "tracing/recordings/archive/events/open_regions.h"
#include "tracing/recordings/archive/plan/trace_plan.h"

/// Each writes the event of a location that a record of its kind is.
namespace holos::archive {

/// MPI's messages and collective operations.
void translateMessage(LocationWriter& out, const TracePlan& plan, const TraceProcess& process,
                      const Record& record);

/// MPI's windows.
void translateOneSided(LocationWriter& out, const TraceProcess& process, const Record& record);

/// MPI's files.
void translateFile(LocationWriter& out, OpenRegions& open, const TraceProcess& process, const Record& record);

/// Teams of threads, their explicit tasks, the lives of threads that begin and end by themselves, and locks.
void translateTeams(LocationWriter& out, OpenRegions& open, const TraceProcess& process,
                    const Record& record);
void translateTasks(LocationWriter& out, OpenRegions& open, const TraceProcess& process,
                    const Record& record);
void translateLives(LocationWriter& out, OpenRegions& open, const TraceProcess& process,
                    const Record& record);
void translateLocks(LocationWriter& out, const Record& record);

}  // namespace holos::archive

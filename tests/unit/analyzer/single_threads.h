// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analyzer/trace/definitions.h"

namespace holos::analyzer {

/// Defines processes of one thread each, and a communicator of all of them.
inline void addSingleThreads(trace::Definitions& definitions, std::size_t processes) {
    trace::Comm world;
    world.name = "world";
    for (std::size_t i = 0; i < processes; ++i) {
        trace::Process process;
        process.threads.emplace_back(i);
        definitions.processes.push_back(process);
        trace::Location location;
        location.process = trace::ProcessId(i);
        definitions.locations.push_back(location);
        world.members.emplace_back(i);
    }
    definitions.comms.push_back(world);
}

}  // namespace holos::analyzer

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace holos::counters {

/// What perf_event_open needs for an event.
struct PerfEvent {
    std::string name;
    std::string description;
    std::string unit;
    std::uint32_t type = 0;
    std::uint64_t config = 0;
    /// Counted by the kernel on its own behalf: counting the program's part alone gives nothing.
    bool kernelOnly = false;
};

/// The events that have a name of their own.
const std::vector<PerfEvent>& namedPerfEvents();

/// A named event, or `rXXXX`: a raw event of the processor by its hexadecimal code.
std::optional<PerfEvent> findPerfEvent(const std::string& name);

}  // namespace holos::counters

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace holos::specs {

/// What libpfm4 knows of the events of a processor.
struct EventTable {
    std::map<std::string, std::uint64_t> names;  ///< with the counters that can count it; 0: not restricted
    std::size_t counters = 0;                    ///< general ones and fixed ones together
};

/// `events/NAME.txt`. Throws std::runtime_error when it cannot be read.
EventTable listedEvents(const std::string& name);

/// True when libpfm4 was found at build time and starts.
bool libpfmWorks();

/// General and fixed counters of a processor (`skx`), of this machine or not. Nothing for an unknown one.
std::optional<std::size_t> libpfmCounters(const std::string& pmu);

/// True when libpfm4 knows the event, with its unit masks and modifiers, on this processor, or, for a name
/// with a unit of its own (`skx_unc_imc0::…`, `perf_raw::…`), on that unit.
bool libpfmKnows(const std::string& pmu, const std::string& event);

}  // namespace holos::specs

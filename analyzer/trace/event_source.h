// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "analyzer/trace/definitions.h"

namespace holos::analyzer::replay {
class LocationReplay;
}

namespace holos::analyzer::trace {

/// How the reading of one location went.
struct ReadOutcome {
    std::uint64_t events = 0;            ///< that were delivered
    std::optional<std::string> problem;  ///< why there are not more
};

/// Called with the number of further events that were delivered.
using EventProgress = std::function<void(std::uint64_t)>;

/// Hands all events of a location to `target`, with the location's id maps and clock offsets applied.
/// Opens files of its own, so that any number of threads may read different locations at the same time.
/// Never throws for damaged files: what could be read was delivered, and `problem` says why it ended.
ReadOutcome readEvents(const std::filesystem::path& anchor, const Definitions& definitions,
                       LocationId location, replay::LocationReplay& target, const EventProgress& progress);

}  // namespace holos::analyzer::trace

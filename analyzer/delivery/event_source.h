// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <vector>

#include "analyzer/trace/copied_archive.h"
#include "analyzer/trace/event_file.h"
#include "analyzer/trace/quiet_calls.h"

namespace holos::analyzer::replay {
class LocationReplay;
}

namespace holos::analyzer::delivery {

/// Hands all events of a location to `target`, with the location's id maps and clock offsets applied.
/// Opens files of its own. Never throws for damaged files: what could be read was delivered, and `problem`
/// says why it ended. `passed`: what need not be told where the target can pass over it; `shortened`: where a
/// file without it can be made, or null.
/// Thread safety: one thread for each location.
trace::ReadOutcome readEvents(const std::filesystem::path& anchor, const trace::Definitions& definitions,
                              trace::LocationId location, replay::LocationReplay& target,
                              const trace::EventProgress& progress,
                              const std::vector<trace::QuietCalls>& passed = {},
                              const trace::ShortenedArchive* shortened = nullptr);

}  // namespace holos::analyzer::delivery

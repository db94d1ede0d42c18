// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/trace/definitions.h"
#include "analyzer/trace/event_handlers.h"

namespace holos::testing {

/// All that the events of a location say, as numbers one after the other, and how the reading ended.
struct EventLog {
    std::vector<std::uint64_t> numbers;
    std::uint64_t events = 0;
    std::optional<std::string> problem;
    bool operator==(const EventLog&) const = default;
};

/// Notes everything in `numbers`, which is the functions' user: a `std::vector<std::uint64_t>`.
analyzer::trace::EventHandlers notingHandlers();

/// As an analysis reads them.
EventLog readEvents(const std::filesystem::path& anchor, const analyzer::trace::Definitions& definitions,
                    analyzer::trace::LocationId location);
/// By OTF2's own reader.
EventLog readEventsByLibrary(const std::filesystem::path& anchor,
                             const analyzer::trace::Definitions& definitions,
                             analyzer::trace::LocationId location);

/// Of each location whose events are read in two different ways, its number and both ends; empty where all
/// are the same.
std::vector<std::string> differencesOfReaders(const std::filesystem::path& anchor);

}  // namespace holos::testing

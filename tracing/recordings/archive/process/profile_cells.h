// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "tracing/recordings/archive/process/recorded_process.h"
#include "tracing/recordings/format/cells.h"

namespace holos::archive {

/// What one location has added up, as it lies in its process's file of events.
struct ProfileCells {
    template <class Cell>
    struct Counted {
        Cell cell;
        std::vector<std::uint64_t> counters;
    };
    std::optional<tracing::profile::State> state;
    std::vector<std::uint64_t> reading;                  ///< the newest one of counters
    std::vector<std::uint64_t> pending;                  ///< what counters counted since the last event
    std::vector<Counted<tracing::profile::Node>> nodes;  ///< by number; parents come first
    std::vector<Counted<tracing::profile::Way>> ways;    ///< between nodes that there are
    std::vector<tracing::profile::Traffic> traffic;      ///< of nodes that there are
    bool isDamaged = false;                              ///< something is left out

    bool isUsable() const { return state && !nodes.empty(); }
    /// Of the node that the location is in, the outermost first, without the root.
    std::vector<std::uint32_t> open() const;
};

/// Reads the cells of a location; `counters`: how many the process has. Without any where none were written.
ProfileCells readProfileCells(const RecordedProcess& process, std::uint32_t location, std::size_t counters);

/// Reads the cells from chunks of a location that are known.
ProfileCells readProfileCells(const std::filesystem::path& events, std::span<const ChunkPlace> chunks,
                              std::size_t counters);

/// Whether a process has added up what happened in it.
bool hasProfile(const RecordedProcess& process);

}  // namespace holos::archive

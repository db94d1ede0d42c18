// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <vector>

namespace holos::archive {

/// Where a chunk lies in its file.
struct ChunkPlace {
    std::uint64_t offset;
    std::size_t bytes;
    /// So many of the bytes are read, with the head of the chunk: what is behind may still change.
    std::size_t settled = std::numeric_limits<std::size_t>::max();
};

/// The chunks of each location in a process's file of events, by the location's number. A missing file has
/// none. `end`: no chunk begins there or behind it.
using ChunkPlaces = std::map<std::uint32_t, std::vector<ChunkPlace>>;
ChunkPlaces chunkPlaces(const std::filesystem::path& events,
                        std::uint64_t end = std::numeric_limits<std::uint64_t>::max());

/// The same of a file that a process may be writing to: those that are there at a moment of the call.
ChunkPlaces chunkPlacesNow(const std::filesystem::path& events);

}  // namespace holos::archive

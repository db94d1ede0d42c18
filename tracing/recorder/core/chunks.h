// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

namespace holos::tracing::core {

/// Where a chunk lies in the file of events.
struct ChunkPlace {
    std::uint64_t offset = 0;
    std::size_t bytes = 0;
};

/// A place behind all others, and memory for it. Where the file is mapped, those of one unit, of which
/// programs with many threads need many, are pieces of a mapping that they share. Returns 0 or an errno.
int newChunk(std::size_t bytes, ChunkPlace& place, void** memory) noexcept;

/// Memory for a place that is used again.
int mapChunk(const ChunkPlace& place, void** memory) noexcept;

/// Gives back the memory of either.
void releaseChunk(void* memory, std::size_t bytes) noexcept;

}  // namespace holos::tracing::core

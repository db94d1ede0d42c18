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

/// What a chunk must have in the file when the trace is made. File systems may take what is written and lose
/// it later: where the server, the quota or the disk refuses it (FUSE, NFS), or where an error of the device
/// comes to light. So the number of each chunk's words and their sum go to the definitions, and the number of
/// bytes of those and their sum to the status.
struct ChunkPlace;
struct KeptPlace;

/// Of the words behind the head. Nothing is claimed of no words.
struct ChunkProof {
    std::uint32_t words = 0;
    std::uint64_t sum = 0;
};

/// Of the records between the head of the chunk and `end`.
ChunkProof proofOf(const std::uint64_t* chunk, const std::uint64_t* end) noexcept;

/// Has it written, where there is something to claim. `kept`: the place where it stays until the end, as the
/// chunk may be used again; null where it may not.
void noteProof(std::uint32_t location, const ChunkPlace& place, KeptPlace* kept,
               const ChunkProof& proof) noexcept;

/// Writes those of places that were kept to the end, and, where the file is mapped, of the chunks that are
/// not full. Called when nothing more is recorded; a thread that is still writing one record does no harm.
void writeLastProofs() noexcept;

/// Puts what proves the definitions into the status, of at most so many bytes of them: the last thing before
/// the program's end is noted.
void proveDefinitions(std::size_t most) noexcept;

}  // namespace holos::tracing::core

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <vector>

namespace holos::archive {

/// What a chunk has behind its head, as the program noted when it had written it (`core/chunk_proof.h`).
struct ChunkProof {
    std::uint32_t location;  ///< with `kTableBit`, where it is set
    std::size_t bytes;       ///< of the chunk
    std::size_t words;
    std::uint64_t sum;  ///< of the words (`tracing/recordings/format/word_sum.h`)
};
/// By the offset of the chunk.
using ChunkProofs = std::map<std::uint64_t, ChunkProof>;

/// Where a chunk lies in its file.
struct ChunkPlace {
    std::uint64_t offset;
    std::size_t bytes;
    /// How many of the bytes are read, with the head of the chunk: what is behind may still change.
    static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
    std::size_t settled = kAll;
    /// Of it, where that is known.
    std::optional<ChunkProof> proof = {};
};

/// The chunks of each location in a process's file of events, by the location's number. A missing file has
/// none but those that are known from their `proofs`. `end`: no chunk begins there or behind it.
using ChunkPlaces = std::map<std::uint32_t, std::vector<ChunkPlace>>;
ChunkPlaces chunkPlaces(const std::filesystem::path& events,
                        std::uint64_t end = std::numeric_limits<std::uint64_t>::max(),
                        const ChunkProofs& proofs = {});

/// The chunks of a file that a process may be writing to: those that are there at a moment of the call.
ChunkPlaces chunkPlacesNow(const std::filesystem::path& events);

}  // namespace holos::archive

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/descriptor.h"

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

/// Finds the chunks of a file of events, from head to head, and unit by unit where no chunk is. A process may
/// be writing to the file, and more of it may be looked at later.
class ChunkScan {
  public:
    /// `proofs`: chunks that are known to have been written; their places are known whatever the file has
    /// there.
    explicit ChunkScan(ChunkProofs proofs = {}) : proofs_(std::move(proofs)) {}

    /// Looks at what was not looked at before. `end`: no chunk begins there or behind it.
    void goOn(const Descriptor& file, std::uint64_t end);

    /// Looks again where a chunk has begun meanwhile, and behind: words of it may have been taken for heads
    /// before. False when none has.
    bool catchUp(const Descriptor& file);
    /// Leaves out where a chunk has begun meanwhile, and what is behind.
    void stayBehind(const Descriptor& file);

    /// In the order of the file, with their locations.
    const std::vector<std::pair<std::uint32_t, ChunkPlace>>& found() const { return found_; }

  private:
    /// Units that are of no chunk.
    struct Gap {
        std::uint64_t begin;
        std::uint64_t end;
    };
    bool takeChunk(const Descriptor& file);
    void addGap(std::uint64_t end);
    std::optional<std::uint64_t> firstBegun(const Descriptor& file) const;
    void forgetFrom(std::uint64_t at);

    ChunkProofs proofs_;
    std::uint64_t next_ = 0;  ///< what is before it was looked at
    std::vector<std::pair<std::uint32_t, ChunkPlace>> found_;
    std::vector<Gap> gaps_;
};

}  // namespace holos::archive

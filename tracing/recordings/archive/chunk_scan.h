// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "tracing/recordings/archive/chunk_places.h"

namespace holos::archive {

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

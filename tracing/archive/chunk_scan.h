// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "tracing/archive/chunk_places.h"

namespace holos::archive {

/// Finds the chunks of a file of events, from head to head, and unit by unit where no chunk is. A process may
/// be writing to the file, and more of it may be looked at later.
class ChunkScan {
  public:
    /// A word of the file; nothing behind its end.
    using WordAt = std::function<std::optional<std::uint64_t>(std::uint64_t offset)>;

    /// Looks at what was not looked at before. `end`: no chunk begins there or behind it.
    void goOn(const WordAt& wordAt, std::uint64_t end);

    /// Looks again where a chunk has begun meanwhile, and behind: words of it may have been taken for heads
    /// before. False when none has.
    bool catchUp(const WordAt& wordAt);
    /// Leaves out where a chunk has begun meanwhile, and what is behind.
    void stayBehind(const WordAt& wordAt);

    /// In the order of the file, with their locations.
    const std::vector<std::pair<std::uint32_t, ChunkPlace>>& found() const { return found_; }

  private:
    std::optional<std::uint64_t> firstBegun(const WordAt& wordAt) const;
    void forgetFrom(std::uint64_t at);

    std::uint64_t next_ = 0;  ///< what is before it was looked at
    std::vector<std::pair<std::uint32_t, ChunkPlace>> found_;
    std::vector<std::uint64_t> gaps_;  ///< units that are of no chunk
};

}  // namespace holos::archive

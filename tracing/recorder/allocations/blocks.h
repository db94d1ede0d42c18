// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace holos::tracing::allocations {

/// A block that is in use.
struct Block {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint32_t path = 0;    ///< of the calls that allocated it; 0: not known
    std::uint32_t number = 0;  ///< from 1; a block that comes to the same place later has another one
};

/// Blocks by their addresses. They do not overlap: a new one takes the place of what was there.
///
/// Thread safety: one thread.
class Blocks {
  public:
    void add(std::uint64_t begin, std::uint64_t bytes, std::uint32_t path);
    /// The one that was added with this address, which goes away.
    std::optional<Block> remove(std::uint64_t begin);
    /// A block that was removed, and is there after all.
    void restore(const Block& block);
    /// Nothing is in this range any more: blocks that lie in it in part lose that part.
    void clear(std::uint64_t begin, std::uint64_t end);
    /// The one that an address lies in.
    std::optional<Block> at(std::uint64_t address) const;

  private:
    std::map<std::uint64_t, Block> byBegin_;
    std::uint32_t last_ = 0;
};

}  // namespace holos::tracing::allocations

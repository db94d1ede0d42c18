// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
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

/// The blocks of memory that the program has in use.

/// Smaller ones are not followed: programs have too many.
inline constexpr std::size_t kLeastBytes = 4096;

/// From now on blocks are followed. Called once, when the recording begins.
void watchBlocks() noexcept;

/// The block that an address lies in; nothing where none is known, or the table is in use for too long.
/// Async-signal-safe in a thread that is not inside the recorder.
std::optional<Block> blockAt(std::uint64_t address) noexcept;

}  // namespace holos::tracing::allocations

/// For `libholos-allocations.so`.
extern "C" {
#define HOLOS_FOR_ALLOCATIONS __attribute__((visibility("default")))
/// The function that the program would have called; null where there is none.
HOLOS_FOR_ALLOCATIONS void* holos_next_allocator(const char* name);
/// A block came. `frame`: of the function that was called, as `HOLOS_OWN_FRAME` has it.
HOLOS_FOR_ALLOCATIONS void holos_allocated(const void* block, std::size_t bytes, const void* frame);
/// A block is about to be freed.
HOLOS_FOR_ALLOCATIONS void holos_freed(const void* block);
/// A block was about to be freed, and was not.
HOLOS_FOR_ALLOCATIONS void holos_kept(const void* block);
/// What is mapped there is about to go away.
HOLOS_FOR_ALLOCATIONS void holos_unmapped(const void* begin, std::size_t bytes);
#undef HOLOS_FOR_ALLOCATIONS
}

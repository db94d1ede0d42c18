// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "tracing/recorder/allocations/blocks.h"

/// The blocks of memory that the program has in use.
namespace holos::tracing::allocations {

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

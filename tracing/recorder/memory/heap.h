// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

/// The recorder's own heap, in pages that nothing else uses. How a program's heap grows and shrinks is part
/// of what is measured: one block of ours at its end would keep it from giving memory back.
///
/// No function here takes a lock, so that the child of a fork and a signal handler find the heap usable
/// whatever the other threads were doing. Small blocks are kept for use again and never given back; large
/// ones are. All functions leave errno alone.
namespace holos::tracing::heap {

/// A block, aligned to 16 bytes; null when there is no memory.
void* allocate(std::size_t bytes) noexcept;

/// A block with an alignment, a power of two; null when it is as large as a page.
void* allocateAligned(std::size_t alignment, std::size_t bytes) noexcept;

/// Whether a block was made here and not by the C library. `block` is not null.
bool owns(const void* block) noexcept;

/// The bytes that a block of this heap has room for.
std::size_t sizeOf(const void* block) noexcept;

/// Gives back a block of this heap.
void release(void* block) noexcept;

}  // namespace holos::tracing::heap

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

/// The few file operations of the recorder. None keeps a file open, so that the program finds its file
/// numbers as without the recorder. All return 0 or an errno, and leave errno alone.
namespace holos::tracing::core {

/// Maps `bytes` at `offset` of the file, and makes the first `usable` of them exist on disk, so that a full
/// disk shows here, not as a signal on a later write to memory. The others must not be touched.
int mapChunk(const char* path, std::uint64_t offset, std::size_t bytes, std::size_t usable,
             void** address) noexcept;
/// Makes all bytes of a chunk usable, of which the first `usable` are.
int extendChunk(const char* path, std::uint64_t offset, std::size_t bytes, std::size_t usable,
                void* address) noexcept;
void unmapChunk(void* address, std::size_t bytes) noexcept;

/// Appends in one write; the file is made when it is missing.
int appendToFile(const char* path, const void* data, std::size_t bytes) noexcept;

}  // namespace holos::tracing::core

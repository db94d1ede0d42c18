// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

/// How much memory the recorder may use for events that wait to be copied to the disk. It is memory of the
/// job: where a control group limits that, the kernel kills a process of it when there is no more.
namespace holos::tracing::core {

/// Bytes that processes of this control group can still take: of the node, and of all groups around it that
/// have a limit. What the kernel keeps of files counts as free, as it gives that up. `root`: the folder in
/// which `/proc` and `/sys` are; empty but in tests. Opens files.
std::uint64_t freeMemory(const char* root) noexcept;

/// Processes that the launcher has started on this node, by its variables; 1 where it does not tell.
std::uint64_t processesOfNode() noexcept;

/// What a process keeps in memory.
struct CopyRoom {
    std::size_t waitingBytes;  ///< at most, of chunks that wait to be copied
    std::size_t chunkBytes;    ///< of the largest chunk of a thread
};

/// A small part of what is free, in equal shares; a little in any case, and no more than is of use.
CopyRoom copyRoomOf(std::uint64_t freeBytes, std::uint64_t processes) noexcept;

}  // namespace holos::tracing::core

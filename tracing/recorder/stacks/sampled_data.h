// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "tracing/code/loaded/frame_rules.h"
#include "tracing/counters/memory_access.h"

namespace holos::tracing::stacks {

/// What an address of the program's memory belongs to.
struct AccessedData {
    counters::MemoryPart part = counters::MemoryPart::Other;
    std::uint32_t path = 0;   ///< of the calls that allocated it, where that is known
    std::uint32_t block = 0;  ///< its number; 0: of no block that is known
};

/// For a thread with this stack. The file that the address is of is among the definitions then. While a
/// `FileTableUse` lives. Async-signal-safe.
AccessedData accessedData(std::uint64_t address, const code::Stack& own) noexcept;

/// Where the innermost function of an interrupted thread was when it did an access that it is interrupted
/// for: some instructions further back, unless the thread has left that function since then.
/// Async-signal-safe.
std::uint64_t placeOfAccess(std::uint64_t interrupted, std::uint64_t access) noexcept;

}  // namespace holos::tracing::stacks

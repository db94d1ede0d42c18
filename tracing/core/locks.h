// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>

#include "tracing/core/events.h"

/// Locks and critical sections of the program, with the order in which they were acquired.
namespace holos::tracing {

/// What the recorder knows of a lock. Everything but `id` belongs to the thread that holds the lock: the
/// lock itself protects it.
struct Lock {
    const void* address;
    std::uint32_t id;
    std::uint32_t order;    ///< of the present or last acquisition, from 1
    std::uint32_t nesting;  ///< times that the holder of a nestable lock acquired it
    RegionRef region;       ///< of a critical section: what its holder entered, and the block inside
    RegionRef block;
    Lock* next;  ///< in the table's chain
};

/// The lock at an address; made at the first call. A lock that another one replaces at the same address is
/// taken for the same. Null only when there is no memory.
Lock* lockAt(const void* address) noexcept;

/// Records that the calling thread acquired the lock: call while holding it. The holder of a nestable lock
/// may acquire it again.
void recordAcquired(Lock* lock, bool isNestable, Paradigm paradigm = Paradigm::OpenMp) noexcept;
/// Records that the calling thread is about to release the lock: call while still holding it.
void recordReleased(Lock* lock, Paradigm paradigm = Paradigm::OpenMp) noexcept;

}  // namespace holos::tracing

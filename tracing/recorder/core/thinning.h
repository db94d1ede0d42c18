// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tracing/recorder/core/thread.h"

/// What records have in common that stand for several calls and change (`polls.h`, `locks.h`).
namespace holos::tracing::core {

inline bool mayRecord(const Thread& thread) noexcept {
    return thread.state == 0 && recordingIsOn.load(std::memory_order_relaxed);
}

/// The location of a thread that records and counts nothing; else null. What a thread lacked of processors is
/// told with its next record, and not within one that changes: so where it may have lacked some, null.
inline Location* thinnedLocation(const Thread& thread) noexcept {
    const bool isThinned = mayRecord(thread) && thread.counters == nullptr && !hasLostMark();
    return isThinned ? thread.location : nullptr;
}

/// Others may read the record meanwhile: what is set before is there, then.
inline void set(std::uint64_t* record, std::size_t word, std::uint64_t value) noexcept {
    __atomic_store_n(record + word, value, __ATOMIC_RELEASE);
}
inline void add(std::uint64_t* record, std::size_t word, std::uint64_t more) noexcept {
    set(record, word, record[word] + more);
}

}  // namespace holos::tracing::core

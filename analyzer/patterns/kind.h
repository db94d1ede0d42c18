// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

namespace holos::analyzer::patterns {

/// What happens at a synchronization point. Those up to `OmpIdle` are the kinds of waiting that have costs.
enum class Kind : std::uint8_t {
    LateSender,
    LateReceiver,
    Barrier,
    NToOne,
    OneToN,
    NToN,
    Scan,        ///< in a prefix reduction
    RmaWindow,   ///< at the creation, the end or a fence of a window
    RmaActive,   ///< for a target or an origin of one-sided communication
    RmaPassive,  ///< for a lock of a window, or for progress
    FileIo,      ///< in a collective operation on a file
    Finalize,
    OmpBarrier,
    OmpLock,  ///< for a critical section or a lock that another thread has
    PthreadLock,
    ThreadEnd,  ///< for the end of a thread that is joined
    OmpIdle,
    Peer,  ///< the other end of a wait of two: it is waited for
    Fork,  ///< the start of a parallel region on one of its threads
    Init,
    ThreadCreate,  ///< another thread of the process is made
    ThreadBegin,   ///< the start of such a thread
};
inline constexpr std::size_t kWaitKinds = static_cast<std::size_t>(Kind::OmpIdle) + 1;

inline bool isLock(Kind kind) {
    return kind == Kind::OmpLock || kind == Kind::PthreadLock;
}

/// Waits for each other of two threads of one process.
inline bool isOfThreads(Kind kind) {
    return isLock(kind) || kind == Kind::ThreadEnd;
}

}  // namespace holos::analyzer::patterns

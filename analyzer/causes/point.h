// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "analyzer/replay/records.h"

namespace holos::analyzer::causes {

using trace::Ticks;

inline constexpr std::uint32_t kNone = replay::kNone;

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
    OmpIdle,
    Peer,  ///< the other end of a wait of two: it is waited for
    Fork,  ///< the begin of a parallel region on one of its threads
    Init,
    ThreadCreate,  ///< another thread of the process is made
    ThreadBegin,   ///< the begin of such a thread
};
inline constexpr std::size_t kWaitKinds = static_cast<std::size_t>(Kind::OmpIdle) + 1;

/// Waits for each other of threads of one process.
inline bool isLock(Kind kind) {
    return kind == Kind::OmpLock || kind == Kind::PthreadLock;
}

struct PointRef {
    std::uint32_t location = kNone;
    std::uint32_t index = kNone;
};

/// One event at which a location waits, or others wait for it, or all come together.
struct Point {
    std::uint64_t event = 0;        ///< number in the location
    Ticks wait = 0;                 ///< of this location
    Ticks before = 0;               ///< duration of the call around it up to the end of the waiting
    Ticks arrival = 0;              ///< where several of MPI come together: when this location came
    std::uint32_t slice = 0;        ///< of the profile: begins with the call around it
    std::uint32_t path = kNone;     ///< position of the call path of that call
    std::uint32_t meeting = kNone;  ///< where several come together: its number
    std::uint32_t from = kNone;     ///< of a wait: the last point common with the causer
    PointRef partner;               ///< of a message or another wait of two: the other end
    std::uint32_t process = kNone;  ///< that of the other end
    Kind kind = Kind::Peer;
    bool isWaitedFor = false;  ///< at a team's barrier: others wait for this location

    bool isCreation() const { return kind == Kind::ThreadCreate || kind == Kind::ThreadBegin; }
    bool isOmp() const { return kind == Kind::OmpBarrier || kind == Kind::Fork; }
};

}  // namespace holos::analyzer::causes

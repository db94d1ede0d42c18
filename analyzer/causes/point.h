// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "analyzer/patterns/kind.h"
#include "analyzer/replay/records.h"

namespace holos::analyzer::causes {

using trace::Ticks;

inline constexpr std::uint32_t kNone = replay::kNone;

using patterns::Between;
using patterns::Chain;
using patterns::isOfThreads;
using patterns::Kind;
using patterns::kWaitKinds;
using patterns::traitsOf;

struct PointRef {
    std::uint32_t location = kNone;
    std::uint32_t index = kNone;
};

/// One event at which a location waits, or others wait for it, or all come together.
struct Point {
    std::uint64_t event = 0;  ///< number in the location
    Ticks wait = 0;           ///< of this location
    Ticks before = 0;         ///< duration of the call around it up to the end of the waiting
    /// Where several of MPI come together: when this location came. Of a wait for one other: how long it did
    /// other things before that ended.
    Ticks arrival = 0;
    std::uint32_t slice = 0;        ///< of the profile: begins with the call around it
    std::uint32_t path = kNone;     ///< position of the call path of that call
    std::uint32_t meeting = kNone;  ///< where several come together: its number
    std::uint32_t from = kNone;     ///< of a wait: the last point common with the causer
    PointRef partner;               ///< of a message or another wait of two: the other end
    std::uint32_t process = kNone;  ///< that of the other end
    Kind kind = Kind::Peer;
    bool isWaitedFor = false;  ///< at a team's barrier: others wait for this location
    bool isInBarrier = false;  ///< of a team, which is the last such point before it

    bool isCreation() const { return kind == Kind::ThreadCreate || kind == Kind::ThreadBegin; }
    bool isOmp() const { return kind == Kind::OmpBarrier || kind == Kind::Fork; }
};

}  // namespace holos::analyzer::causes

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "analyzer/collate/call_tree_merge.h"
#include "analyzer/replay/replayed_trace.h"
#include "analyzer/workers/workers.h"

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
    RmaWindow,   ///< at the creation, the end or a fence of a window
    RmaActive,   ///< for a target or an origin of one-sided communication
    RmaPassive,  ///< for a lock of a window, or for progress
    FileIo,      ///< in a collective operation on a file
    OmpBarrier,
    OmpIdle,
    Peer,  ///< the other end of a wait of two: it is waited for
    Fork,  ///< the begin of a parallel region on one of its threads
    Init,
    Finalize,
};
inline constexpr std::size_t kWaitKinds = static_cast<std::size_t>(Kind::OmpIdle) + 1;

struct PointRef {
    std::uint32_t location = kNone;
    std::uint32_t index = kNone;
};

/// One event at which a location waits, or others wait for it, or all come together.
struct Point {
    std::uint64_t event = 0;        ///< number in the location
    Ticks wait = 0;                 ///< of this location
    Ticks before = 0;               ///< duration of the call around it up to the end of the waiting
    Ticks arrival = 0;              ///< where several come together: when this location came
    std::uint32_t slice = 0;        ///< of the profile: begins with the call around it
    std::uint32_t path = kNone;     ///< position of the call path of that call
    std::uint32_t meeting = kNone;  ///< where several come together: its number
    std::uint32_t from = kNone;     ///< of a wait: the last point common with the causer
    PointRef partner;               ///< of a message or another wait of two: the other end
    std::uint32_t process = kNone;  ///< that of the other end
    Kind kind = Kind::Peer;

    bool isOmp() const { return kind == Kind::OmpBarrier || kind == Kind::Fork; }
};

/// Points that belong together: a collective operation, a barrier of a team, a fork, the initialization.
struct Meeting {
    std::size_t first = 0;       ///< position of its members in `Points::members`
    std::uint32_t size = 0;      ///< how many there are
    std::uint32_t causer = 0;    ///< which of them came last
    std::uint32_t comm = kNone;  ///< of MPI: the communicator; `kNone` for all processes
    bool everybody = true;       ///< all ranks of the communicator synchronize with each other
};

/// The graph of a run: each location's points in the order of its events, and what connects them.
struct Points {
    explicit Points(std::size_t locations, Memory memory)
        : byLocation(recordsByLocation<Point>(locations, memory)), meetings(memory), members(memory) {}

    std::vector<Records<Point>> byLocation;
    Records<Meeting> meetings;
    Records<PointRef> members;  ///< of all meetings; of one, those of MPI by rank, of a team the master first

    std::span<const PointRef> membersOf(const Meeting& meeting) const {
        return {members.data() + meeting.first, meeting.size};
    }
    PointRef causerOf(const Meeting& meeting) const { return members[meeting.first + meeting.causer]; }
    const Point& operator[](PointRef ref) const { return byLocation[ref.location][ref.index]; }
    Point& operator[](PointRef ref) { return byLocation[ref.location][ref.index]; }
};

/// Rules in which Scalasca departs from the published definitions (Böhme et al., TOPC 3(2):11, 2016), so that
/// results can be compared with its own.
struct Rules {
    bool asScalasca = false;
};

/// The points of all messages that are waited for, of collective operations and teams; kept in `memory`.
/// Takes barriers of threads, of which there may be very many, out of the trace.
Points findPoints(replay::ReplayedTrace& trace, const collate::MergedTree& merged, workers::Workers& workers,
                  Rules rules, Memory memory);

}  // namespace holos::analyzer::causes

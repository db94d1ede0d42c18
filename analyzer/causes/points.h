// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "analyzer/causes/point_list.h"
#include "analyzer/collate/call_tree_merge.h"
#include "analyzer/matching/teams.h"
#include "analyzer/replay/replayed_trace.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::causes {

/// Points that belong together: a collective operation, a barrier of a team, a fork, the initialization.
struct Meeting {
    std::size_t first = 0;     ///< position of its members in `Points::members`
    std::uint32_t size = 0;    ///< how many there are
    std::uint32_t causer = 0;  ///< which of them came last
};

/// What is known besides of a meeting of MPI.
struct Participants {
    std::uint32_t comm = kNone;  ///< the communicator; `kNone` for all processes
    bool everybody = true;       ///< all its ranks synchronize with each other
};

/// The graph of a run: each location's points in the order of its events, and what connects them.
struct Points {
    Points(std::size_t locations, Memory memory) : meetings(memory), participants(memory), members(memory) {
        byLocation.reserve(locations);
        while (byLocation.size() < locations) byLocation.emplace_back(memory);
    }

    std::vector<PointList> byLocation;
    Records<Meeting> meetings;           ///< those of MPI first
    Records<Participants> participants;  ///< of those
    Records<PointRef> members;  ///< of all meetings; of one, those of MPI by rank, of a team the master first

    std::span<const PointRef> membersOf(const Meeting& meeting) const {
        return {members.data() + meeting.first, meeting.size};
    }
    PointRef causerOf(const Meeting& meeting) const { return members[meeting.first + meeting.causer]; }
    Point operator[](PointRef ref) const { return byLocation[ref.location][ref.index]; }
    /// To write to: not of a team.
    Point& other(PointRef ref) { return byLocation[ref.location].other(ref.index); }
    Kind kindOf(PointRef ref) const { return byLocation[ref.location].kind(ref.index); }
    Ticks waitOf(PointRef ref) const { return byLocation[ref.location].wait(ref.index); }
    Ticks arrivalOf(PointRef ref) const { return byLocation[ref.location].arrival(ref.index); }
};

/// Rules in which Scalasca departs from the published definitions (Böhme et al., TOPC 3(2):11, 2016), so that
/// results can be compared with its own.
struct Rules {
    bool asScalasca = false;
};

/// The points of all messages that are waited for, of collective operations and teams; kept in `memory`.
/// Takes barriers of threads, of which there may be very many, out of the trace.
Points findPoints(replay::ReplayedTrace& trace, matching::ForkedStays stays,
                  const collate::MergedTree& merged, workers::Workers& workers, Rules rules, Memory memory);

}  // namespace holos::analyzer::causes

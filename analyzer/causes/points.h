// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <vector>

#include "analyzer/causes/point_list.h"
#include "analyzer/paths/call_tree_merge.h"
#include "analyzer/patterns/waits.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::causes {

/// Points that belong together: a collective operation, a barrier of a team, a fork, the initialization.
struct Meeting {
    std::uint64_t first : 40 = 0;  ///< position of its members in `Points::members`
    std::uint64_t later : 24 = 0;  ///< of a team's barrier: they are so many points later than these
    std::uint32_t size = 0;        ///< how many there are
    std::uint32_t causer = 0;  ///< which of them came last; of a fork, the master; not of a barrier of a team
};

/// The points of a meeting, by location.
class Members {
  public:
    Members(const PointRef* first, const Meeting& meeting)
        : first_(first), size_(meeting.size), later_(static_cast<std::uint32_t>(meeting.later)) {}

    class Iterator {
      public:
        Iterator(const PointRef* at, std::uint32_t later) : at_(at), later_(later) {}
        PointRef operator*() const { return {at_->location, at_->index + later_}; }
        Iterator& operator++() {
            ++at_;
            return *this;
        }
        bool operator==(const Iterator& other) const { return at_ == other.at_; }

      private:
        const PointRef* at_;
        std::uint32_t later_;
    };
    Iterator begin() const { return {first_, later_}; }
    Iterator end() const { return {first_ + size_, later_}; }
    std::uint32_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    PointRef operator[](std::size_t i) const { return *Iterator(first_ + i, later_); }
    bool hasLocation(std::uint32_t location) const {
        const PointRef* const last = first_ + size_;
        const PointRef* const found = std::lower_bound(
            first_, last, location, [](PointRef member, std::uint32_t l) { return member.location < l; });
        return found != last && found->location == location;
    }

  private:
    const PointRef* first_;
    std::uint32_t size_;
    std::uint32_t later_;
};

/// What is known besides of a meeting of MPI.
struct Participants {
    std::uint32_t comm = kNone;    ///< the communicator; `kNone` for all processes
    std::uint32_t causer = kNone;  ///< the location that came last
    bool everybody = true;         ///< all its ranks synchronize with each other
    bool doWait = false;           ///< some of them
};

/// The graph of a run: each location's points in the order of its events, and what connects them.
struct Points {
    Points(std::size_t locations, Memory memory)
        : byLocation(locations, memory), meetings(memory), participants(memory), members(memory) {}

    ByLocation<PointList> byLocation;
    Records<Meeting> meetings;           ///< those of MPI first
    Records<Participants> participants;  ///< of those
    /// Of meetings; of a team's barriers only where they do not follow the fork.
    Records<PointRef> members;

    Members membersOf(const Meeting& meeting) const { return {members.data() + meeting.first, meeting}; }
    PointRef causerOf(const Meeting& meeting) const { return membersOf(meeting)[meeting.causer]; }
    Point operator[](PointRef ref) const { return byLocation[ref.location][ref.index]; }
    /// To write to: not of a team.
    Point& other(PointRef ref) { return byLocation.own(ref.location).other(ref.index); }
    Kind kindOf(PointRef ref) const { return byLocation[ref.location].kind(ref.index); }
    Ticks waitOf(PointRef ref) const { return byLocation[ref.location].wait(ref.index); }
};

/// Rules in which Scalasca departs from the published definitions (Böhme et al., TOPC 3(2):11, 2016), so that
/// results can be compared with its own.
struct Rules {
    bool asScalasca = false;
};

/// The points of all messages that are waited for, of collective operations and teams; kept in `memory`.
/// Frees messages, barriers and locks of the trace, of which there may be very many.
Points findPoints(replay::ReplayedTrace& trace, matching::Matches matches, patterns::Waits waits,
                  const paths::MergedTree& merged, workers::Workers& workers, Rules rules, Memory memory);

}  // namespace holos::analyzer::causes

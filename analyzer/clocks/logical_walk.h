// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analyzer/clocks/controlled_clock.h"
#include "analyzer/matching/matches.h"
#include "analyzer/trace/comm_members.h"

namespace holos::analyzer::clocks {

using replay::kNone;

/// What kind of least time lies between the events of a constraint.
enum class ConstraintKind : std::uint8_t { Message, Collective, Threads };

/// The least times between events, in fine ticks.
/// Thread safety: safe to read.
class LeastTimes {
  public:
    LeastTimes(const FineTicks& fine, const ClockParameters& parameters)
        : ticks_{fine.ofSeconds(parameters.message), fine.ofSeconds(parameters.collective),
                 fine.ofSeconds(parameters.threads)} {}
    Ticks of(ConstraintKind kind) const { return ticks_[static_cast<std::size_t>(kind)]; }

  private:
    std::array<Ticks, 3> ticks_;
};

/// A happens-before constraint: some events that all come before some others, such as a send and its receive,
/// the starts and ends of a collective operation, a fork and the starts of its team.
struct Constraint {
    ConstraintKind kind = ConstraintKind::Message;
    std::uint32_t open = 0;      ///< events before whose time is not known yet
    std::uint32_t next = kNone;  ///< a constraint that all events before this one come before, too
    Ticks latest = kNever;       ///< of the events before
    Ticks earliest = std::numeric_limits<Ticks>::max();  ///< of the events after
};

/// Where a point stands in its constraint.
enum class Place : std::uint8_t {
    Nowhere,  ///< no other location has to do with it
    Before,
    BeforeAndFree,  ///< but nobody's time limits it: the root of an operation in which all send to the root
    After
};
struct PointConstraint {
    Place place = Place::Nowhere;
    std::uint32_t constraint = kNone;
};

/// The logical order of a matched trace, as in MPI's and OpenMP's standards: a message is received after it
/// was sent; who gets data in a collective operation leaves it after those who give data came, as far as byte
/// counts show that it needs them; a window is freed, and a fence after access to it left, after all have
/// come; epochs of windows as `constrainEpochs` says; a team begins after its fork, is joined after its
/// threads' ends, and leaves a barrier after all have come.
/// Thread safety: safe to read.
class Constraints {
  public:
    /// Groups of constraints from here on are not of MPI's operations.
    static constexpr std::uint64_t kOthers = 5;

    /// `points`: by location, after `constrainEpochs`.
    Constraints(const matching::MatchedTrace& run, const std::vector<ClockPoints>& points);

    std::vector<Constraint>& all() { return constraints_; }
    const Constraint& operator[](std::uint32_t constraint) const { return constraints_[constraint]; }
    PointConstraint of(std::uint32_t location, std::size_t point) const {
        return pointConstraints_[location][point];
    }

  private:
    /// The teams of a location's records, which events refer to by their positions.
    struct TeamRecords {
        struct Barrier {
            replay::TeamKey team;
            std::uint32_t sequence;
        };
        explicit TeamRecords(const replay::ThreadRecords& threads);

        std::vector<replay::TeamKey> forks;
        std::vector<Barrier> barriers;
    };
    PointConstraint constraintOf(std::uint32_t location, const TeamRecords& teams,
                                 const replay::ClockEvent& event);
    PointConstraint send(std::uint32_t location, std::uint32_t record) const;
    PointConstraint receive(std::uint32_t location, std::uint32_t record) const;
    PointConstraint barrier(const TeamRecords& teams, std::uint32_t record, Place place);
    /// The constraint of a group of events that are numbered somehow, made when it is new.
    std::uint32_t grouped(ConstraintKind kind, std::uint64_t group, std::uint64_t number);

    // Of collective operations.
    void surveyCollectives();
    PointConstraint collective(std::uint32_t location, std::uint32_t record, bool begins);
    /// What a rank has to do with an operation.
    struct Part {
        const replay::CollectiveRecord& record;
        std::uint32_t instance;
    };
    PointConstraint withinGroup(const Part& part, bool begins);
    PointConstraint betweenGroups(const Part& part, bool isFirst, bool begins);
    PointConstraint scan(const Part& part, bool begins);
    PointConstraint exchange(const Part& part, bool isFirst, bool begins);
    bool isFirstGroup(const replay::CollectiveRecord& record);
    std::uint64_t flowNumber(const Part& part, bool isFirst, bool begins) const;
    std::uint32_t chain(std::uint64_t group, std::uint64_t number, std::size_t length);

    /// What goes one way in an operation of unequal exchange.
    struct Exchange {
        std::uint64_t sent = 0;               ///< by all
        std::vector<std::uint64_t> received;  ///< the amounts that ranks receive, ascending
    };
    std::unordered_map<std::uint64_t, Exchange> exchanges_;  ///< by flow number
    std::unordered_set<std::uint32_t> closingFences_;        ///< instances

    const replay::ReplayedTrace& trace_;
    const matching::Matches& matches_;
    std::vector<Constraint> constraints_;
    std::vector<std::uint32_t> firstSend_;  ///< by location: the constraint of its first send
    std::unordered_map<std::uint64_t, std::unordered_map<std::uint64_t, std::uint32_t>> groups_;
    trace::Ranks ranks_;
    trace::Worlds worlds_;
    std::vector<std::vector<PointConstraint>> pointConstraints_;
};

/// An event that was recorded before one that it has to follow.
struct Jump {
    std::uint64_t event = 0;  ///< number in the location
    std::size_t point = 0;    ///< position among the location's points
    Ticks recorded = 0;
    Ticks before = 0;  ///< what its clock would have come to
    Ticks after = 0;   ///< what the event has to come to
};

/// The clocks of all locations after they went forward once.
struct LogicalTimes {
    std::vector<std::vector<Ticks>> times;  ///< by location and point
    std::vector<std::vector<Jump>> jumps;   ///< by location
};

/// Forward amortization of the controlled logical clock: each location's clock goes from event to event, and
/// jumps where an event would come too early after one that it follows (R. Rabenseifner, The controlled
/// logical clock, 1997; D. Becker et al., Scalable timestamp synchronization for event traces of
/// message-passing applications, Parallel Computing 35, 2009; for OpenMP Becker et al., 2010). Fills the
/// times of the constraints.
LogicalTimes walkForward(const std::vector<ClockPoints>& points, Constraints& constraints,
                         const LeastTimes& leastTimes);

}  // namespace holos::analyzer::clocks

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "analyzer/patterns/waits.h"
#include "analyzer/predict/graph.h"
#include "analyzer/predict/marks.h"
#include "analyzer/predict/network.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::predict {

/// How libraries pass data between the root of a collective operation and its other members. Members are
/// counted from the root on: it is 0.
enum class Tree : std::uint8_t {
    LowBit,   ///< binomial, as in MPICH, and in reductions of Open MPI: 7 below 6 below 4 below 0
    HighBit,  ///< binomial, as in broadcasts of Open MPI: 7 below 3 below 1 below 0
    Binary    ///< 7 below 3, 8 below 3; 3 below 1 below 0
};
inline constexpr Tree kTrees[] = {Tree::LowBit, Tree::HighBit, Tree::Binary};

/// Who stands between a member and the root, next to it. Smaller than the member, which is not the root.
inline std::uint32_t parentIn(Tree tree, std::uint32_t member) {
    switch (tree) {
        case Tree::LowBit:
            return member & (member - 1);
        case Tree::HighBit:
            return member & ~std::bit_floor(member);
        case Tree::Binary:
            break;
    }
    return (member - 1) / 2;
}

/// Whom the members of broadcasts, scatters, gathers and reductions wait for without need, as libraries make
/// them do: it depends on how they send data of that size. Learned from the recorded run.
///
/// Thread safety: `learn` from one thread; then safe to read.
class CollectiveHabits {
  public:
    enum class Whom : std::uint8_t { Root, All };

    /// One member of an operation, and when those came whom it may have waited for.
    struct Stay {
        replay::Collective operation = replay::Collective::Barrier;
        bool isRoot = false;
        Whom whom = Whom::All;
        std::uint64_t bytes = 0;
        Ticks begin = 0;  ///< when it had come, and those whom it needs
        Ticks end = 0;
        Ticks came = 0;  ///< when the last one had come whom it does not need
    };

    void learn(const Stay& stay);
    /// Learns whom a member needs if data comes or goes by this tree.
    void learn(const Stay& stay, Tree tree);
    /// The one by which operations of about this size pass their data on: nobody left before those came whom
    /// it needs then, but in one case of twenty. Nothing where none is known, or where members wait for all.
    std::optional<Tree> treeOf(replay::Collective operation, std::uint64_t bytes) const;
    /// What this stay shows; where it shows nothing, because they had come before, what others of about that
    /// size do. Where none shows anything, it does not wait.
    bool waits(const Stay& stay) const;

  private:
    struct Seen {
        std::uint64_t stayed = 0;
        std::uint64_t left = 0;

        bool isAny() const { return stayed + left != 0; }
    };
    static constexpr std::size_t kSizes = 65;
    using BySize = std::array<Seen, kSizes>;
    using Role = std::tuple<replay::Collective, bool, Whom>;

    static Role roleOf(const Stay& stay) { return {stay.operation, stay.isRoot, stay.whom}; }
    static std::optional<bool> shownBy(const Stay& stay);
    static void count(const Stay& stay, Seen& seen);
    static Seen nearest(const BySize& seen, std::uint64_t bytes);

    std::map<Role, BySize> seen_;
    std::map<std::pair<replay::Collective, Tree>, BySize> seenInTrees_;
};

/// How a mark depends on another one.
struct How {
    Dependency::Kind kind = Dependency::Kind::Mark;
    Travel travel = {};
};

/// Puts the graph of a run together: first the marks of all locations that anybody may depend on, then what
/// depends on them, and at last all marks of one location after the other.
/// Thread safety: `depend` and `arrive` from one thread for each location; `meeting` from one thread.
class GraphBuilder {
  public:
    /// `replayed`: the calls of all locations, to know regions by their names.
    GraphBuilder(const patterns::JudgedTrace& run, const replay::ReplayedCalls& calls, const Network& network,
                 workers::Workers& workers);

    /// `forget`: told of each location, by any thread, when its records are not needed any more.
    RunGraph build(const std::function<void(std::size_t)>& forget);

  private:
    static constexpr Ticks kNever = std::numeric_limits<Ticks>::min();

    struct Waiting {
        std::uint32_t mark;
        std::uint32_t location;  ///< of the kept mark that it waits for
        std::uint32_t position;  ///< of that (at last its number among the awaited ones), or of a meeting
        std::uint32_t travel;    ///< where it takes time
        Dependency::Kind kind;
    };
    struct Arrival {
        std::uint32_t mark;
        std::uint32_t meeting;
    };
    struct Local {
        std::vector<Waiting> waiting;
        std::vector<Travel> travels;
        std::vector<Arrival> arrivals;
        std::vector<std::pair<std::uint32_t, Exchange>> exchanges;  ///< by mark
        std::uint64_t dependencies = 0;                             ///< of all its marks
        std::uint64_t contradicted = 0;
        std::uint64_t inVain = 0;
        std::uint64_t unmatched = 0;
    };
    struct Place {
        std::uint32_t location = kNone;
        std::uint32_t mark = kNone;

        bool isKnown() const { return mark != kNone; }
    };
    /// The threads of one parallel region.
    struct Team {
        Place fork;  ///< its mark is at last the number among the awaited ones
        Ticks joined = kNever;
        std::uint32_t meetings = kNone;  ///< the first barrier's; the others follow, and that of the join
        std::uint32_t barriers = 0;

        std::uint32_t joining() const { return meetings + barriers; }
    };
    /// One collective operation.
    struct Operation {
        std::uint32_t meeting = kNone;   ///< of scans, that of the first rank
        std::uint32_t members = kNone;   ///< where they begin in `members_`, from the root on
        std::uint32_t subtrees = kNone;  ///< the first of the meetings on the way to the root
        std::optional<Tree> tree;
        std::uint32_t parts = 0;
        Place root;
        std::uint32_t comm = kNone;
        Ticks earliestEnd = std::numeric_limits<Ticks>::max();
        Ticks latestBegin = std::numeric_limits<Ticks>::min();
        Ticks latestOther = std::numeric_limits<Ticks>::min();  ///< when one that is not the root begins
        replay::Collective operation = replay::Collective::Barrier;

        bool isTogether() const { return latestBegin <= earliestEnd; }
    };

    bool isFirst(std::size_t location) const;
    const replay::LocationTrace& trace(std::uint32_t location) const {
        return run_.trace.locations[location];
    }
    const RecordMarks& marksOf(std::uint32_t location) const { return marks_[location].of; }
    Ticks timeOf(Place place) const { return marks_[place.location].kept[place.mark].time; }
    /// Where a call begins.
    Place enterOf(std::uint32_t location, std::uint32_t call) const;
    std::uint32_t leaveOf(std::uint32_t location, std::uint32_t call) const;

    /// A mark waits for another one; left out where the recorded times exclude that.
    void depend(std::uint32_t location, std::uint32_t mark, Place on, const How& how = {});
    /// A mark waits for a meeting.
    void dependOnMeeting(std::uint32_t location, std::uint32_t mark, std::uint32_t meeting);
    void arrive(std::uint32_t meeting, Place at);
    void arriveAt(std::uint32_t meeting, Ticks time);
    std::uint32_t newMeeting();

    void addMessages(std::uint32_t location);
    void addReceive(std::uint32_t location, std::uint32_t receive);
    void addCompletion(std::uint32_t location, const replay::SendCompletion& completion);
    Ticks lagOf(std::uint64_t bytes, Ticks from, Ticks to) const;
    void addPolls(std::uint32_t location);
    void addProgress(std::uint32_t location);
    bool hasWaitedFor(const Place& post, std::uint32_t location, std::uint32_t position) const;

    void surveyCollectives();
    void surveyCollective(std::uint32_t location, std::uint32_t record);
    void arriveAtCollectives();
    CollectiveHabits::Stay stayOf(std::uint32_t location, std::uint32_t record,
                                  CollectiveHabits::Whom whom) const;
    void learnHabits();
    static bool isOneWay(const replay::CollectiveRecord& record);
    static bool isFromRoot(const replay::CollectiveRecord& record);
    bool isBlocking(std::uint32_t location, std::uint32_t record) const;
    void surveyMembers();
    void learnTrees();
    template <class Visit>
    void forEachAbove(const Operation& operation, Tree tree, std::uint32_t member, Visit&& visit) const;
    std::vector<Ticks> arrivalsIn(const Operation& operation, Tree tree, bool fromRoot) const;
    void meetInTree(Operation& operation);
    bool dependInTree(std::uint32_t location, std::uint32_t record, std::uint32_t end);
    void passOn();
    bool isRoot(const Operation& operation, const replay::CollectiveRecord& record) const;
    void addCollectives(std::uint32_t location);
    void addCollective(std::uint32_t location, std::uint32_t record);
    void addStartups();

    void addOneSided();

    void addTeams();
    void findTeams();
    std::uint32_t& teamNumber(replay::TeamKey key);
    Team& team(replay::TeamKey key);
    void dependOnJoins(std::uint32_t location);
    bool isForked(const Team& team, std::uint32_t location) const;
    bool isJoined(const Team& team, std::uint32_t location, Ticks leave) const;
    void meetInTeams(std::uint32_t location);
    void addWakes(matching::LockHistory history);
    void addLocks();
    void addThreads();
    void addThreadJoins(const trace::Process& process);
    void addEnds(const trace::Process& process);
    void findThreadsTogether();

    void numberAwaited();
    Dependency dependencyOf(std::uint32_t location, const Waiting& waiting) const;
    class Packing;

    const patterns::JudgedTrace& run_;
    const replay::ReplayedCalls& calls_;
    const Network& network_;
    workers::Workers& workers_;
    std::vector<LocationMarks> marks_;     ///< until the location is packed
    std::vector<Records<Ticks>> awaited_;  ///< by location: when its awaited marks come, as recorded
    std::vector<Local> local_;
    RunGraph graph_;
    Records<Ticks> latest_{heap()};  ///< by meeting: when the last one came, as recorded
    std::vector<std::vector<std::uint32_t>> teamNumbers_;  ///< by communicator and instance
    Records<Team> teams_{heap()};
    std::vector<Operation> operations_;  ///< by instance
    CollectiveHabits habits_;
    std::vector<std::uint32_t> together_;  ///< by location: `LocationGraph::together`
    std::vector<Place> members_;           ///< of operations: where they begin
    /// By location and record of a collective operation: which member it is, from the root on.
    std::vector<std::vector<std::uint32_t>> memberOf_;
    std::vector<std::vector<std::uint32_t>>
        meetingsOf_;  ///< by location and record of a collective operation
};

}  // namespace holos::analyzer::predict

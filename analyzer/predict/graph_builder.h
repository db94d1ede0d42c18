// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <vector>

#include "analyzer/patterns/waits.h"
#include "analyzer/predict/collective_habits.h"
#include "analyzer/predict/graph.h"
#include "analyzer/predict/marks.h"
#include "analyzer/predict/network.h"
#include "analyzer/workers/workers.h"

namespace holos::analyzer::predict {

/// How a mark depends on another one.
struct How {
    Dependency::Kind kind = Dependency::Kind::Mark;
    Travel travel = {};
};

/// Puts the graph of a run together: first the marks of all locations, then what they depend on.
/// Thread safety: `depend` and `arrive` from one thread for each location; `meeting` from one thread.
class GraphBuilder {
  public:
    /// `replayed`: the calls of all locations, to know regions by their names.
    GraphBuilder(const patterns::JudgedTrace& run, const replay::ReplayedCalls& calls, const Network& network,
                 workers::Workers& workers);

    RunGraph build();

  private:
    struct Waiting {
        std::uint32_t mark;
        Dependency dependency;
    };
    struct Arrival {
        std::uint32_t mark;
        std::uint32_t meeting;
    };
    struct Local {
        std::vector<Waiting> waiting;
        std::vector<Travel> travels;
        std::vector<Arrival> arrivals;
        std::vector<Exchange> exchanges;
        std::uint64_t contradicted = 0;
        std::uint64_t unmatched = 0;
    };
    struct Place {
        std::uint32_t location = kNone;
        std::uint32_t mark = kNone;

        bool isKnown() const { return mark != kNone; }
    };
    class Teams;
    /// One collective operation.
    struct Operation {
        std::uint32_t meeting = kNone;  ///< of scans, that of the first rank
        std::uint32_t parts = 0;
        Place root;
        std::uint32_t comm = kNone;
        Ticks earliestEnd = std::numeric_limits<Ticks>::max();
        Ticks latestBegin = std::numeric_limits<Ticks>::min();
        Ticks latestOther = std::numeric_limits<Ticks>::min();  ///< when one that is not the root begins
        replay::Collective operation = replay::Collective::Barrier;

        bool isTogether() const { return latestBegin <= earliestEnd; }
    };

    void makeRoom(std::size_t location);
    const replay::LocationTrace& trace(std::uint32_t location) const {
        return run_.trace.locations[location];
    }
    const RecordMarks& marksOf(std::uint32_t location) const { return marks_[location].of; }
    Ticks timeOf(Place place) const { return marks_[place.location].marks[place.mark].time; }
    /// Where a call begins.
    Place enterOf(std::uint32_t location, std::uint32_t call) const;
    std::uint32_t leaveOf(std::uint32_t location, std::uint32_t call) const;

    /// A mark waits for another one; left out where the recorded times exclude that.
    void depend(std::uint32_t location, std::uint32_t mark, Place on, const How& how = {});
    /// The same for a meeting.
    void dependOnMeeting(std::uint32_t location, std::uint32_t mark, std::uint32_t meeting);
    void arrive(std::uint32_t meeting, Place at);
    std::uint32_t newMeeting();

    void addMessages(std::uint32_t location);
    void addReceive(std::uint32_t location, std::uint32_t receive);
    void addCompletion(std::uint32_t location, const replay::SendCompletion& completion);
    Ticks lagOf(std::uint64_t bytes, Ticks from, Ticks to) const;
    void addPolls(std::uint32_t location);

    void surveyCollectives();
    void surveyCollective(std::uint32_t location, std::uint32_t record);
    void arriveAtCollectives();
    CollectiveHabits::Stay stayOf(std::uint32_t location, std::uint32_t record,
                                  CollectiveHabits::Whom whom) const;
    void learnHabits();
    bool isRoot(const Operation& operation, const replay::CollectiveRecord& record) const;
    void addCollectives(std::uint32_t location);
    void addCollective(std::uint32_t location, std::uint32_t record);
    void addStartups();

    void addOneSided();

    void addTeams();
    void addStays(std::uint32_t location, Teams& teams);
    void addBarriers(std::uint32_t location, Teams& teams);
    void addLocks();
    void addThreads();
    void addThreadJoins(const trace::Process& process);
    void addEnds(const trace::Process& process);

    LocationGraph finish(std::uint32_t location);

    const patterns::JudgedTrace& run_;
    const replay::ReplayedCalls& calls_;
    const Network& network_;
    workers::Workers& workers_;
    std::vector<LocationMarks> marks_;
    std::vector<Local> local_;
    RunGraph graph_;
    std::vector<Operation> operations_;  ///< by instance
    CollectiveHabits habits_;
    std::vector<std::vector<std::uint32_t>>
        meetingsOf_;  ///< by location and record of a collective operation
};

}  // namespace holos::analyzer::predict

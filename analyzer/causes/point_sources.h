// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>

#include "analyzer/causes/points.h"
#include "analyzer/trace/comm_members.h"

/// Where points come from: messages, other waits of two, MPI's collective calls, threads and their teams.
namespace holos::analyzer::causes {

/// The position of a local node's call path; `kNone` for time outside of the program and nodes of other
/// locations.
inline std::uint32_t pathOf(const paths::MergedTree& merged, std::uint32_t location, replay::NodeId node) {
    const auto path = merged.pathOf[location][node.index()];
    return path ? static_cast<std::uint32_t>(path->index()) : kNone;
}

/// Both ends of messages for which one end waits.
/// Thread safety: safe to read; `connect` from one thread for each location that sends.
class MessagePoints {
  public:
    MessagePoints(const patterns::JudgedTrace& run, const paths::MergedTree& merged, Rules rules)
        : trace_(run.trace),
          matches_(run.matches.messages),
          waits_(run.waits),
          merged_(merged),
          rules_(rules) {}

    /// Appends the points of one location.
    void collect(std::uint32_t location, Records<Point>& points) const;
    /// Connects the ends of the messages that a location sent, after all points are in order.
    void connect(std::uint32_t location, Points& points) const;

  private:
    // Each takes the position of a record.
    void addSend(std::uint32_t location, std::uint32_t send, Records<Point>& points) const;
    void addCompletion(std::uint32_t location, std::uint32_t completion, Records<Point>& points) const;
    void addReceive(std::uint32_t location, std::uint32_t receive, Records<Point>& points) const;
    void addPost(replay::RecordRef receive, Records<Point>& points) const;
    /// The completion of a send that waits for its receiver; nothing when it does not.
    replay::RecordRef waitingCompletion(replay::RecordRef send) const;
    const replay::MessageRecords& messages(std::uint32_t location) const {
        return trace_.locations[location].messages;
    }
    Point message(std::uint32_t location, std::uint32_t call, std::uint64_t event, std::uint32_t other,
                  Ticks completion) const;
    static std::uint32_t find(const Points& points, std::uint32_t location, std::uint64_t event, Kind kind);
    static void join(Points& points, PointRef a, PointRef b);

    const replay::ReplayedTrace& trace_;
    const matching::MessageMatches& matches_;
    const patterns::Waits& waits_;
    const paths::MergedTree& merged_;
    Rules rules_;
};

/// Both ends of the dependencies that patterns have found. Thread safety: safe to read.
class DependencyPoints {
  public:
    DependencyPoints(const patterns::JudgedTrace& run, const paths::MergedTree& merged, Rules rules);

    /// Appends the points of one location.
    void collect(std::uint32_t location, Records<Point>& points) const;
    /// Connects the waits of all locations with their causers, after all points are in order.
    void connect(Points& points) const;

  private:
    bool counts(const patterns::Dependency& dependency) const;
    const patterns::Dependency& operator[](replay::RecordRef dependency) const {
        return waits_[dependency.location].dependencies[dependency.position];
    }
    Point waiter(const patterns::Dependency& dependency) const;
    Point causer(const patterns::Dependency& dependency) const;
    Point point(const patterns::End& end, const patterns::End& other) const;
    void connectCausesOf(std::uint32_t causer, Points& points) const;

    const replay::ReplayedTrace& trace_;
    const patterns::Waits& waits_;
    const paths::MergedTree& merged_;
    Rules rules_;
    std::vector<std::vector<replay::RecordRef>> causes_;  ///< dependencies by causer
};

/// Both ends of the creation of threads, as far as both are known.
/// Thread safety: safe to read.
class CreationPoints {
  public:
    CreationPoints(const replay::ReplayedTrace& trace, const paths::MergedTree& merged, Rules rules);

    /// Appends the points of one location.
    void collect(std::uint32_t location, Records<Point>& points) const;
    /// Connects the ends of all threads, after all points are in order.
    void connect(Points& points) const;

  private:
    struct End {
        std::uint32_t location = kNone;
        const replay::ThreadStart* record = nullptr;
    };
    static Kind kindOf(const End& end) { return end.record->begins ? Kind::ThreadBegin : Kind::ThreadCreate; }
    static PointRef find(const End& end, const Points& points);

    const paths::MergedTree& merged_;
    std::vector<std::vector<End>> ends_;          ///< by location
    std::vector<std::pair<End, End>> creations_;  ///< who makes a thread, and its start
};

/// Numbers the meetings of a trace and collects their points, one location after the other.
/// Thread safety: safe to read.
class MeetingPoints {
  public:
    MeetingPoints(const patterns::JudgedTrace& run, const paths::MergedTree& merged, Rules rules);

    std::size_t meetings() const { return count_; }
    /// Appends the points of one location that are not of teams.
    void collect(std::uint32_t location, Records<Point>& points) const;
    /// How many others there are.
    std::size_t ofTeams(std::uint32_t location) const {
        const replay::ThreadRecords& threads = trace_.locations[location].threads;
        return std::size_t{threads.parallels.size()} + threads.barriers.size();
    }
    /// Calls `visit` with the others in the order of their events, their teams' communicators, and how long
    /// each ran tasks before it waited.
    template <class Visit>
    void visitTeams(std::uint32_t location, Visit&& visit) const {
        const replay::ThreadRecords& threads = trace_.locations[location].threads;
        auto stay = threads.parallels.begin();
        const auto forkUpTo = [&](std::uint64_t event) {
            for (; stay != threads.parallels.end() && stay->event <= event; ++stay)
                visit(fork(location, *stay), stay->team.comm, Ticks{0});
        };
        patterns::forEachBarrier(trace_.locations[location], waits_[location],
                                 [&](const replay::BarrierRecord& record, const patterns::BarrierWait& wait) {
                                     forkUpTo(record.event);
                                     visit(barrier(location, record, wait), record.team.comm,
                                           wait.wait > 0 ? record.tasks : 0);
                                 });
        forkUpTo(std::numeric_limits<std::uint64_t>::max());
    }
    /// Fills `points.participants` with what records say, which nobody asks after that.
    void findCommunicators(Points& points) const;
    /// Fills `points.meetings` from the points. After all locations' points were collected.
    void gather(Points& points);

  private:
    /// One instance of a team. Its fork has the first number, its barriers follow.
    struct Team {
        std::uint32_t barriers = 0;
        std::uint32_t first = kNone;
        Ticks earliestEnter = std::numeric_limits<Ticks>::max();
    };
    Team& team(replay::TeamKey key);
    void surveyTeams();
    void surveyStays(const replay::ThreadRecords& threads);
    /// Of a location's world.
    std::uint32_t initialization(std::uint32_t location) const {
        const std::uint32_t behind = worlds_.count() - worlds_.of(trace::LocationId(location));
        return static_cast<std::uint32_t>(ofMpi_ - std::size_t{2} * behind);
    }
    std::uint32_t finalization(std::uint32_t location) const { return initialization(location) + 1; }
    void collectCollectives(std::uint32_t location, Records<Point>& points) const;
    Point fork(std::uint32_t location, const replay::ParallelRecord& record) const;
    Point barrier(std::uint32_t location, const replay::BarrierRecord& record,
                  const patterns::BarrierWait& wait) const;
    Point startup(std::uint32_t location, const replay::Startup& call, const patterns::StartupWait& wait,
                  Kind kind) const;
    template <class Stay>
    Point point(std::uint32_t location, const Stay& stay, Kind kind) const;
    static constexpr std::uint32_t kMostLater = (1U << 24U) - 1;
    static constexpr std::uint64_t kMostMembers = (std::uint64_t{1} << 40U) - 1;
    void gatherMembers(Points& points) const;
    void numberBarriers(Points& points) const;
    static std::vector<bool> countMembers(Points& points);
    void findParticipants(Points& points) const;
    void chooseCausers(Points& points) const;
    void chooseMaster(const Points& points, std::uint32_t comm, Meeting& fork) const;
    void chooseLast(Points& points) const;

    const replay::ReplayedTrace& trace_;
    const matching::Matches& matches_;
    const patterns::Waits& waits_;
    const paths::MergedTree& merged_;
    Rules rules_;
    trace::Worlds worlds_;
    std::vector<Records<Team>> teams_;  ///< by communicator and instance
    std::size_t ofMpi_ = 0;             ///< meetings of MPI: collective operations, initialization and end
    std::size_t count_ = 0;
};

}  // namespace holos::analyzer::causes

// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/blames.h"

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/causes/points.h"
#include "analyzer/trace/comm_members.h"

namespace holos::analyzer::causes {
namespace {

/// Who belongs to the teams of a master, and has nothing to do without it.
/// Thread safety: safe to read.
class Crews {
  public:
    explicit Crews(const replay::ReplayedTrace& trace);

    /// How many other threads a process's first one leaves idle. Threads that the program starts itself, and
    /// their teams, have work of their own.
    std::uint32_t others(const trace::Process& process) const;

  private:
    std::uint32_t followers(trace::LocationId master) const;

    const trace::Definitions& definitions_;
    std::vector<char> isMade_;                            ///< by location: by the program
    std::vector<char> isReserved_;                        ///< a parallel region may have it
    std::vector<std::vector<const trace::Comm*>> ledBy_;  ///< by location: its teams
};

/// Calls `visit` for each outermost team of a master, with the number of the master's stay in it, and the
/// slice that begins with its join. Returns when the last of them was joined.
template <class Visit>
Ticks visitOutermostTeams(const replay::ThreadRecords& threads, Visit&& visit) {
    Ticks end = std::numeric_limits<Ticks>::min();
    auto stay = threads.parallels.begin();  // forks and stays are both in the order of time
    std::uint32_t number = 0;
    for (const replay::Fork& fork : threads.forks) {
        if (fork.fork < end || !fork.isJoined()) continue;
        end = fork.join;
        const auto isBefore = [&](const replay::ParallelRecord& other) {
            return other.enter < fork.fork || (other.enter <= fork.join && other.team != fork.team);
        };
        for (; stay != threads.parallels.end() && isBefore(*stay); ++stay) ++number;
        if (stay != threads.parallels.end() && stay->team == fork.team) visit(number, fork.joinSlice);
    }
    return end;
}

/// Whether a master is in a team behind its last join: it was killed there, or its trace has lost the end.
bool endsInTeam(const replay::ThreadRecords& threads, Ticks lastJoin) {
    const auto isJoined = [&](const replay::TeamKey& team) {
        for (const replay::Fork& fork : threads.forks)
            if (fork.team == team && fork.isJoined()) return true;
        return false;
    };
    for (const replay::Fork& fork : threads.forks)
        if (fork.fork >= lastJoin && !fork.isJoined()) return true;
    for (const replay::ParallelRecord& stay : threads.parallels)
        if (stay.enter >= lastJoin && !isJoined(stay.team)) return true;
    return false;
}

Crews::Crews(const replay::ReplayedTrace& trace)
    : definitions_(trace.definitions),
      isMade_(trace.locations.size(), 0),
      isReserved_(trace::membersOfTeams(trace.definitions)),
      ledBy_(trace.locations.size()) {
    for (std::size_t i = 0; i < trace.locations.size(); ++i) {
        const bool isSilent = trace.locations[i].begin == trace.locations[i].end;
        isReserved_[i] = isReserved_[i] != 0 || isSilent ? 1 : 0;
        for (const replay::ThreadStart& start : trace.locations[i].threads.starts)
            if (start.begins) isMade_[i] = 1;
    }
    for (const trace::Comm& comm : trace.definitions.comms)
        if (comm.paradigm == trace::Paradigm::OpenMp && !comm.members.empty())
            ledBy_[comm.members.front().index()].push_back(&comm);
}

std::uint32_t Crews::others(const trace::Process& process) const {
    std::uint32_t others = 0;
    bool isAnyMade = false;
    for (std::size_t i = 1; i < process.threads.size(); ++i) {
        const bool isThread = definitions_[process.threads[i]].kind == trace::Location::Kind::Thread;
        if (isThread && isReserved_[process.threads[i].index()] != 0) ++others;
        if (isMade_[process.threads[i].index()]) isAnyMade = true;
    }
    return isAnyMade ? followers(process.threads[0]) : others;
}

std::uint32_t Crews::followers(trace::LocationId master) const {
    std::vector<trace::LocationId> crew{master};
    for (std::size_t i = 0; i < crew.size(); ++i)
        for (const trace::Comm* team : ledBy_[crew[i].index()])
            for (const trace::LocationId member : team->members)
                if (!isMade_[member.index()] && std::ranges::find(crew, member) == crew.end())
                    crew.push_back(member);
    return static_cast<std::uint32_t>(crew.size() - 1);
}

/// While a master works between two parallel regions, all other threads of its teams are idle: finds its
/// serial sections.
void findIdleThreads(const replay::ReplayedTrace& trace, const Crews& crews, const Points& points,
                     std::uint32_t location, LocationBlames& blames) {
    const auto& process = trace.definitions[trace.definitions.locations[location].process];
    if (process.threads[0] != trace::LocationId(location)) return;
    blames.idleThreads = crews.others(process);
    if (blames.idleThreads == 0) return;
    const PointList& list = points.byLocation[location];
    std::uint32_t firstSlice = 0;
    std::uint32_t point = 0;
    std::uint32_t stays = 0;  // each has the point of its fork; so many before `point`
    const replay::ThreadRecords& threads = trace.locations[location].threads;
    const Ticks lastJoin = visitOutermostTeams(threads, [&](std::uint32_t stay, std::uint32_t joinSlice) {
        while (point < list.size() && (!list.isFork(point) || stays++ != stay)) ++point;
        if (point == list.size()) return;
        blames.serial.push_back({point++, firstSlice});
        firstSlice = joinSlice;
    });
    if (!endsInTeam(threads, lastJoin)) blames.serial.push_back({list.size(), firstSlice});
}

}  // namespace

/// The processes of each communicator, to ask whether one is in it.
/// Thread safety: safe to read.
class Memberships {
  public:
    explicit Memberships(const trace::Definitions& definitions);
    /// `comm` may be `kNone`: all processes.
    bool contains(std::uint32_t comm, std::uint32_t process) const;

  private:
    std::vector<std::vector<std::uint32_t>> processes_;  ///< by communicator, sorted
    std::vector<char> isOfAll_;                          ///< by communicator: all processes are in it
};

/// What ends a wait of one location for another: an event of the latter.
struct EndOfWait {
    std::uint32_t waiter = kNone;  ///< its location
    std::uint32_t causer = kNone;  ///< its location; `kNone`: not known
    std::uint64_t event = 0;       ///< of the causer

    bool isKnown() const { return causer != kNone; }
    bool operator==(const EndOfWait&) const = default;
};

/// While a location's points pass by: the last one that it had in common with a process. Meetings of a whole
/// communicator are noted once and not for every member.
/// Thread safety: one thread for each location.
class CommonPoints {
  public:
    explicit CommonPoints(const Memberships& memberships) : memberships_(memberships) {}

    void noteProcess(std::uint32_t process, std::uint32_t point) { byProcess_[process] = {point, kNone, {}}; }
    void noteEverybody(std::uint32_t comm, std::uint32_t point);
    /// `kNone` when there is none.
    std::uint32_t last(std::uint32_t process) const;
    /// The point before `point`, which is the last one from now on. A program that asks again and again waits
    /// in pieces, all of which one event ends: they have the same point before them.
    std::uint32_t lastBefore(std::uint32_t process, std::uint32_t point, const EndOfWait& end);

  private:
    struct Group {
        std::uint32_t comm;
        std::uint32_t point;
    };
    struct OfTwo {
        std::uint32_t point = kNone;
        std::uint32_t before = kNone;  ///< the point before it, of a wait that is known
        EndOfWait end;
    };
    std::uint32_t lastOfGroups(std::uint32_t process, std::uint32_t latest) const;

    const Memberships& memberships_;
    std::unordered_map<std::uint32_t, OfTwo> byProcess_;
    std::vector<Group> groups_;
};

/// Threads whose waiting one event of another thread has ended: at a barrier of POSIX threads, or asleep.
/// From then on they are together. Thread safety: safe to read.
class WokenTogether {
  public:
    explicit WokenTogether(const Points& points);

    /// Whether the `number`-th such wait of a location ended with one of another thread.
    bool has(std::uint32_t location, std::size_t number, std::uint32_t thread) const {
        const std::uint32_t group = groupOf_[location][number];
        return group != kNone && std::ranges::binary_search(groups_[group], thread);
    }
    static bool isOne(Kind kind) { return kind == Kind::PthreadBarrier || kind == Kind::Futex; }

  private:
    std::vector<std::vector<std::uint32_t>> groups_;   ///< their locations, in this order
    std::vector<std::vector<std::uint32_t>> groupOf_;  ///< by location and number
};

/// The last point in common with another thread of the process: a lock that one of the two waited
/// for, the creation of one by the other, its end that the other waited for, a fork or a barrier of a team
/// that both are in, or what has woken both. All calls together pass points of teams, and what has woken the
/// location, no more than once per thread that the location has one of the former in common with.
/// Thread safety: one thread for each location.
class CommonPointsOfThreads {
  public:
    CommonPointsOfThreads(const Points& points, const WokenTogether& together, std::uint32_t location)
        : points_(points), together_(together), location_(location), list_(points.byLocation[location]) {}

    /// Any of the first three.
    void note(std::uint32_t thread, std::uint32_t point) { byThread_[thread] = point; }
    void noteWoken(std::uint32_t point) { woken_.push_back(point); }
    /// Before point `end`; `kNone` when there is none.
    std::uint32_t last(std::uint32_t thread, std::uint32_t end);

  private:
    bool isAtMeeting(std::uint32_t thread, std::uint32_t meeting) const;
    /// Among what is noted of both.
    std::uint32_t lastOfTwo(std::uint32_t thread);

    const Points& points_;
    const WokenTogether& together_;
    std::uint32_t location_;
    const PointList& list_;
    std::unordered_map<std::uint32_t, std::uint32_t> byThread_;
    std::vector<std::uint32_t> woken_;
    std::unordered_map<std::uint32_t, std::size_t> passed_;  ///< how many of these, by thread
};

namespace {

/// Passes the points of one location that are not of teams, in their order.
class BlameFinder {
  public:
    /// Appends to `blames`.
    BlameFinder(const replay::ReplayedTrace& trace, const Memberships& memberships,
                const WokenTogether& together, Points& points, std::uint32_t location, Rules rules,
                Records<Blame>& blames)
        : trace_(trace),
          points_(points),
          location_(location),
          list_(points.byLocation.own(location)),
          rules_(rules),
          common_(memberships),
          ofThreads_(points, together, location),
          blames_(blames) {}

    void find() {
        std::size_t others = 0;
        for (std::uint32_t i = 0; i < list_.size(); ++i) {
            if (list_.isOfTeam(i)) continue;
            Point& point = list_.others()[others++];
            const auto before = static_cast<std::ptrdiff_t>(blames_.size());
            if (point.meeting == kNone)
                ofTwo(point, i);
            else
                collective(point, i);
            bringIntoOrder(before);
        }
    }

  private:
    /// The blames of one point: those of one interval together, the longest interval first; no start at all
    /// is position 0.
    void bringIntoOrder(std::ptrdiff_t first) {
        const auto isBefore = [](const Blame& a, const Blame& b) { return a.from + 1 < b.from + 1; };
        const auto begin = blames_.begin() + first;
        if (!std::is_sorted(begin, blames_.end(), isBefore)) std::stable_sort(begin, blames_.end(), isBefore);
    }
    std::uint32_t processOf(std::uint32_t location) const {
        return static_cast<std::uint32_t>(trace_.definitions.locations[location].process.index());
    }
    void blame(std::uint32_t point, PointRef waiter, std::uint32_t from, Ticks waiting) {
        Blame blame;
        blame.waiter = waiter;
        blame.kind = list_.kind(point);
        if (blame.kind == Kind::Peer) blame.kind = points_.kindOf(waiter);
        blame.point = point;
        blame.from = from;
        blame.firstSlice = from == kNone ? 0 : list_.slice(from);
        blame.waiting = waiting;
        blames_.push_back(blame);
    }

    void ofTwo(Point& point, std::uint32_t index) {
        const std::uint32_t other = point.partner.location;
        const bool isWaitedFor = point.kind == Kind::Peer && other != kNone;
        const bool ofThreads =
            point.isCreation() || isOfThreads(isWaitedFor ? points_.kindOf(point.partner) : point.kind);
        const std::uint32_t from = ofThreads
                                       ? ofThreads_.last(other, index)
                                       : common_.lastBefore(point.process, index, endOf(point, isWaitedFor));
        if (point.kind != Kind::Peer)
            point.from = from;
        else if (isWaitedFor)
            blame(index, point.partner, from, points_.waitOf(point.partner));
        if (WokenTogether::isOne(point.kind)) ofThreads_.noteWoken(index);
        if (ofThreads) ofThreads_.note(other, index);
    }

    EndOfWait endOf(const Point& point, bool isWaitedFor) const {
        const PointRef other = point.partner;
        if (isWaitedFor) return {other.location, location_, point.event};
        if (other.location == kNone) return {};
        return {location_, other.location, points_.byLocation[other.location].other(other.index).event};
    }

    void collective(Point& point, std::uint32_t index) {
        const Participants& participants = points_.participants[point.meeting];
        const bool isCauser = participants.causer == location_;
        if (hasCosts(point.kind)) {
            if (!isCauser) point.from = common_.last(processOf(participants.causer));
            if (isCauser && (participants.doWait || rules_.asScalasca))
                blameAll(points_.meetings[point.meeting], participants.comm, index);
        }
        if (participants.everybody) {
            common_.noteEverybody(participants.comm, index);
        } else if (isCauser || point.kind == Kind::NToN) {
            for (const PointRef member : points_.membersOf(points_.meetings[point.meeting]))
                if (member.location != location_) common_.noteProcess(processOf(member.location), index);
        } else {
            common_.noteProcess(processOf(participants.causer), index);
        }
    }

    /// For Scalasca nobody waits at the start and the end.
    bool hasCosts(Kind kind) const {
        return !(rules_.asScalasca && (kind == Kind::Init || kind == Kind::Finalize));
    }

    /// All who wait for this location.
    void blameAll(const Meeting& meeting, std::uint32_t comm, std::uint32_t index) {
        const Members members = points_.membersOf(meeting);
        // They are at as many places in memory: all at once, so that the processor fetches the next ones
        // meanwhile.
        waits_.clear();
        for (const PointRef member : members) waits_.push_back(points_.waitOf(member));
        for (std::size_t i = 0; i < members.size(); ++i)
            if (waits_[i] > 0 && members[i].location != location_)
                blame(index, members[i], common_.last(processOf(members[i].location)), waits_[i]);
        if (!rules_.asScalasca) return;
        blameNobody(comm, index);
        for (std::size_t i = blames_.size(); i-- > 0 && blames_[i].point == index;)
            blames_[i].isForgotten = forgets(comm, blames_[i].from);
    }

    /// Where all processes are two, Scalasca does not take a point of them alone for one of all.
    bool forgets(std::uint32_t comm, std::uint32_t from) const {
        const auto& processes = trace_.definitions.processes;
        const auto programs =
            std::ranges::count_if(processes, [](const trace::Process& known) { return !known.accelerator; });
        if (programs != 2 || trace_.definitions.comms[comm].members.size() != 2 || from == kNone)
            return false;
        const Point begin = list_[from];
        return begin.meeting == kNone || begin.kind == Kind::OneToN || begin.kind == Kind::NToOne;
    }

    /// All ranks begin intervals, whether they wait or not.
    void blameNobody(std::uint32_t comm, std::uint32_t index) {
        for (const trace::LocationId rank : trace_.definitions.comms[comm].members)
            if (rank.index() != location_)
                blame(index, {},
                      common_.last(static_cast<std::uint32_t>(trace_.definitions[rank].process.index())), 0);
    }

    const replay::ReplayedTrace& trace_;
    Points& points_;
    std::uint32_t location_;
    PointList& list_;
    Rules rules_;
    CommonPoints common_;
    CommonPointsOfThreads ofThreads_;
    Records<Blame>& blames_;
    std::vector<Ticks> waits_;  ///< of all at the meeting at hand
};

}  // namespace

ByLocation<LocationBlames> findBlames(const replay::ReplayedTrace& trace, Points& points,
                                      workers::Workers& workers, Rules rules, bool withIdle, Memory memory) {
    const Memberships memberships(trace.definitions);
    const Crews crews(trace);
    const WokenTogether together(points);
    ByLocation<LocationBlames> all(points.byLocation.size(), memory);
    workers.forEach(all.size(), [&](std::size_t i) {
        const auto location = static_cast<std::uint32_t>(i);
        LocationBlames found(memory);
        if (points.byLocation.has(i))
            BlameFinder(trace, memberships, together, points, location, rules, found.kept).find();
        if (withIdle) findIdleThreads(trace, crews, points, location, found);
        if (!found.kept.empty() || !found.serial.empty()) all.put(i, std::move(found));
    });
    return all;
}

Memberships::Memberships(const trace::Definitions& definitions) {
    for (const trace::Comm& comm : definitions.comms) {
        auto& processes = processes_.emplace_back();
        for (const trace::LocationId member : comm.members)
            processes.push_back(static_cast<std::uint32_t>(definitions[member].process.index()));
        std::ranges::sort(processes);
        processes.erase(std::unique(processes.begin(), processes.end()), processes.end());
        isOfAll_.push_back(processes.size() == definitions.processes.size() ? 1 : 0);
    }
}

bool Memberships::contains(std::uint32_t comm, std::uint32_t process) const {
    return comm == kNone || isOfAll_[comm] != 0 || std::ranges::binary_search(processes_[comm], process);
}

void CommonPoints::noteEverybody(std::uint32_t comm, std::uint32_t point) {
    for (Group& group : groups_)
        if (group.comm == comm) {
            group.point = point;
            return;
        }
    groups_.push_back({comm, point});
}

std::uint32_t CommonPoints::last(std::uint32_t process) const {
    const auto known = byProcess_.find(process);
    return lastOfGroups(process, known != byProcess_.end() ? known->second.point : kNone);
}

std::uint32_t CommonPoints::lastBefore(std::uint32_t process, std::uint32_t point, const EndOfWait& end) {
    OfTwo& last = byProcess_[process];
    std::uint32_t before = lastOfGroups(process, last.point);
    if (before == last.point && end.isKnown() && end == last.end) before = last.before;
    last = {point, before, end};
    return before;
}

std::uint32_t CommonPoints::lastOfGroups(std::uint32_t process, std::uint32_t latest) const {
    for (const Group& group : groups_)
        if ((latest == kNone || group.point > latest) && memberships_.contains(group.comm, process))
            latest = group.point;
    return latest;
}

WokenTogether::WokenTogether(const Points& points) : groupOf_(points.byLocation.size()) {
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t>
        known;  // by location and event that woke
    for (std::uint32_t i = 0; i < groupOf_.size(); ++i)
        for (const Point& point : points.byLocation[i].others()) {
            if (!isOne(point.kind)) continue;
            std::uint32_t group = kNone;
            if (const PointRef by = point.partner; by.location != kNone) {
                group = known.try_emplace({by.location, points[by].event}, groups_.size()).first->second;
                groups_.resize(std::max<std::size_t>(groups_.size(), group + 1));
                if (groups_[group].empty() || groups_[group].back() != i) groups_[group].push_back(i);
            }
            groupOf_[i].push_back(group);
        }
}

std::uint32_t CommonPointsOfThreads::lastOfTwo(std::uint32_t thread) {
    const auto known = byThread_.find(thread);
    const std::uint32_t noted = known != byThread_.end() ? known->second : kNone;
    const std::size_t from = std::exchange(passed_[thread], woken_.size());
    for (std::size_t i = woken_.size(); i-- > from;) {
        if (noted != kNone && woken_[i] <= noted) break;
        if (together_.has(location_, i, thread)) return byThread_[thread] = woken_[i];
    }
    return noted;
}

std::uint32_t CommonPointsOfThreads::last(std::uint32_t thread, std::uint32_t end) {
    const std::uint32_t ofTwo = lastOfTwo(thread);
    for (std::uint32_t i = list_.lastOfTeam(end, ofTwo + 1); i != kNone; i = list_.lastOfTeam(i, ofTwo + 1))
        if (isAtMeeting(thread, list_.meeting(i))) return i;
    return ofTwo;
}

bool CommonPointsOfThreads::isAtMeeting(std::uint32_t thread, std::uint32_t meeting) const {
    return points_.membersOf(points_.meetings[meeting]).hasLocation(thread);
}

}  // namespace holos::analyzer::causes

// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/blames.h"

#include <algorithm>

#include "analyzer/causes/common_points.h"
#include "analyzer/causes/idle_threads.h"

namespace holos::analyzer::causes {

namespace {

/// Passes the points of one location that are not of teams, in their order.
class BlameFinder {
  public:
    /// Appends to `blames`.
    BlameFinder(const replay::ReplayedTrace& trace, const Memberships& memberships, Points& points,
                std::uint32_t location, Rules rules, Records<Blame>& blames)
        : trace_(trace),
          points_(points),
          location_(location),
          list_(points.byLocation[location]),
          rules_(rules),
          common_(memberships),
          ofThreads_(points, location),
          blames_(blames) {}

    void find() {
        for (std::uint32_t i = 0; i < list_.size(); ++i) {
            if (list_.isOfTeam(i)) continue;
            Point& point = list_.other(i);
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
    std::uint32_t processOf(PointRef ref) const {
        return static_cast<std::uint32_t>(trace_.definitions.locations[ref.location].process.index());
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
        const std::uint32_t from = ofThreads ? ofThreads_.last(other, index) : common_.last(point.process);
        if (point.kind != Kind::Peer)
            point.from = from;
        else if (isWaitedFor)
            blame(index, point.partner, from, points_.waitOf(point.partner));
        if (ofThreads)
            ofThreads_.note(other, index);
        else
            common_.noteProcess(point.process, index);
    }

    void collective(Point& point, std::uint32_t index) {
        const Meeting& meeting = points_.meetings[point.meeting];
        const Participants& participants = points_.participants[point.meeting];
        const PointRef causer = points_.causerOf(meeting);
        const bool isCauser = causer.location == location_;
        if (hasCosts(point.kind)) {
            if (!isCauser) point.from = common_.last(processOf(causer));
            if (isCauser && (participants.doWait || rules_.asScalasca))
                blameAll(meeting, participants.comm, index);
        }
        if (participants.everybody) {
            common_.noteEverybody(participants.comm, index);
        } else if (isCauser || point.kind == Kind::NToN) {
            for (const PointRef member : points_.membersOf(meeting))
                if (member.location != location_) common_.noteProcess(processOf(member), index);
        } else {
            common_.noteProcess(processOf(causer), index);
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
                blame(index, members[i], common_.last(processOf(members[i])), waits_[i]);
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

std::vector<LocationBlames> findBlames(const replay::ReplayedTrace& trace, Points& points,
                                       workers::Workers& workers, Rules rules, Memory memory) {
    const Memberships memberships(trace.definitions);
    const Crews crews(trace);
    std::vector<LocationBlames> all;
    all.reserve(points.byLocation.size());
    while (all.size() < points.byLocation.size()) all.emplace_back(memory);
    workers.forEach(all.size(), [&](std::size_t i) {
        const auto location = static_cast<std::uint32_t>(i);
        Records<Blame>& kept = all[i].kept;
        BlameFinder(trace, memberships, points, location, rules, kept).find();
        findIdleThreads(trace, crews, points, location, all[i]);
    });
    return all;
}

}  // namespace holos::analyzer::causes

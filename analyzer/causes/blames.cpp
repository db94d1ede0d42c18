// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/blames.h"

#include <algorithm>
#include <unordered_map>

#include "analyzer/causes/common_points.h"
#include "analyzer/causes/idle_threads.h"

namespace holos::analyzer::causes {

namespace {

/// Passes the points of one location in their order.
class BlameFinder {
  public:
    /// Appends to `blames`.
    BlameFinder(const replay::ReplayedTrace& trace, const Memberships& memberships, Points& points,
                std::uint32_t location, Rules rules, Records<Blame>& blames)
        : trace_(trace),
          points_(points),
          location_(location),
          rules_(rules),
          common_(memberships),
          blames_(blames) {}

    void find() {
        auto& list = points_.byLocation[location_];
        for (std::uint32_t i = 0; i < list.size(); ++i) {
            Point& point = list[i];
            if (point.meeting == kNone)
                message(point, i);
            else if (point.isOmp())
                team(point, i);
            else
                collective(point, i);
        }
    }

  private:
    std::uint32_t processOf(PointRef ref) const {
        return static_cast<std::uint32_t>(trace_.definitions.locations[ref.location].process.index());
    }
    void blame(std::uint32_t point, PointRef waiter, std::uint32_t from, Ticks waiting) {
        Blame blame;
        blame.waiter = waiter;
        blame.kind = points_.byLocation[location_][point].kind;
        if (blame.kind == Kind::Peer) blame.kind = points_[waiter].kind;
        blame.point = point;
        blame.from = from;
        blame.firstSlice = from == kNone ? 0 : points_.byLocation[location_][from].slice;
        blame.waiting = waiting;
        blames_.push_back(blame);
    }

    void message(Point& point, std::uint32_t index) {
        const std::uint32_t from = common_.last(point.process);
        if (point.kind != Kind::Peer)
            point.from = from;
        else if (point.partner.location != kNone)
            blame(index, point.partner, from, points_[point.partner].wait);
        common_.noteProcess(point.process, index);
    }

    void team(Point& point, std::uint32_t index) {
        const Meeting& meeting = points_.meetings[point.meeting];
        // Those of an inner team in between are none of the outer one's matter.
        std::uint32_t& lastOfTeam = lastOfTeams_.try_emplace(meeting.comm, kNone).first->second;
        point.from = point.kind == Kind::Fork ? lastOfAllTeams_ : lastOfTeam;
        lastOfTeam = lastOfAllTeams_ = index;
        if (point.kind == Kind::Fork) return;
        if (points_.causerOf(meeting).location != location_) return;
        for (const PointRef& member : points_.membersOf(meeting))
            if (const Ticks waiting = point.arrival - points_[member].arrival; waiting > 0)
                blame(index, member, point.from, waiting);
    }

    void collective(Point& point, std::uint32_t index) {
        const Meeting& meeting = points_.meetings[point.meeting];
        const PointRef causer = points_.causerOf(meeting);
        const bool isCauser = causer.location == location_;
        if (point.kind != Kind::Init && point.kind != Kind::Finalize) {
            if (!isCauser) point.from = common_.last(processOf(causer));
            if (isCauser) blameAll(meeting, index);
        }
        if (meeting.everybody) {
            common_.noteEverybody(meeting.comm, index);
        } else if (isCauser || point.kind == Kind::NToN) {
            for (const PointRef& member : points_.membersOf(meeting))
                if (member.location != location_) common_.noteProcess(processOf(member), index);
        } else {
            common_.noteProcess(processOf(causer), index);
        }
    }

    /// All who wait for this location.
    void blameAll(const Meeting& meeting, std::uint32_t index) {
        for (const PointRef& member : points_.membersOf(meeting))
            if (points_[member].wait > 0 && member.location != location_)
                blame(index, member, common_.last(processOf(member)), points_[member].wait);
        if (!rules_.asScalasca) return;
        blameNobody(meeting, index);
        for (std::size_t i = blames_.size(); i-- > 0 && blames_[i].point == index;)
            blames_[i].isForgotten = forgets(meeting, blames_[i].from);
    }

    /// Where all processes are two, Scalasca does not take a point of them alone for one of all.
    bool forgets(const Meeting& meeting, std::uint32_t from) const {
        const auto& processes = trace_.definitions.processes;
        const auto programs = std::count_if(processes.begin(), processes.end(),
                                            [](const trace::Process& known) { return !known.accelerator; });
        if (programs != 2 || trace_.definitions.comms[meeting.comm].members.size() != 2 || from == kNone)
            return false;
        const Point& begin = points_.byLocation[location_][from];
        return begin.meeting == kNone || begin.kind == Kind::OneToN || begin.kind == Kind::NToOne;
    }

    /// All ranks begin intervals, whether they wait or not.
    void blameNobody(const Meeting& meeting, std::uint32_t index) {
        for (const trace::LocationId rank : trace_.definitions.comms[meeting.comm].members)
            if (rank.index() != location_)
                blame(index, {},
                      common_.last(static_cast<std::uint32_t>(trace_.definitions[rank].process.index())), 0);
    }

    const replay::ReplayedTrace& trace_;
    Points& points_;
    std::uint32_t location_;
    Rules rules_;
    CommonPoints common_;
    std::unordered_map<std::uint32_t, std::uint32_t> lastOfTeams_;  ///< by team
    std::uint32_t lastOfAllTeams_ = kNone;
    Records<Blame>& blames_;
};

/// Compares one location with those that blame it.
class DelayMeter {
  public:
    DelayMeter(const Points& points, const Profiles& profiles, std::uint32_t location)
        : points_(points),
          profiles_(profiles),
          location_(location),
          causer_(profiles.paths()),
          waiter_(profiles.paths()),
          waits_(profiles.paths()) {}

    void measure(LocationBlames& all) {
        for (Blame& blame : all.blames) {
            blame.firstDelay = all.delays.size();
            if (blame.waiter.location == kNone && blame.idleThreads == 0) continue;
            if (blame.point != point_ || blame.firstSlice != firstSlice_ || blame.from != from_) own(blame);
            blame.waits = ownWaits_;
            if (blame.waiter.location != kNone) {
                const Point& waiter = points_[blame.waiter];
                correctedProfile(blame.waiter.location, waiter.from, firstSliceOf(blame.waiter),
                                 blame.waiter.index, true, waiter_);
            } else {
                waiter_.clear();
            }
            for (const std::uint32_t path : causer_.touched()) {
                const Ticks delay = causer_[path] - waiter_[path];
                if (causer_[path] <= 0 || delay <= 0) continue;
                all.delays.push_back({path, delay});
                blame.delay += delay;
            }
        }
    }

  private:
    void own(const Blame& blame) {
        point_ = blame.point;
        from_ = blame.from;
        firstSlice_ = blame.firstSlice;
        ownWaits_ = correctedProfile(location_, from_, firstSlice_, point_, blame.idleThreads == 0, causer_);
    }

    std::uint32_t firstSliceOf(PointRef ref) const {
        const std::uint32_t from = points_[ref].from;
        return from == kNone ? 0 : points_.byLocation[ref.location][from].slice;
    }

    /// What a location did between two of its points: without the waits in between, and with only the
    /// completion of the first point. Returns the sum of the waits.
    Ticks correctedProfile(std::uint32_t location, std::uint32_t from, std::uint32_t firstSlice,
                           std::uint32_t to, bool withoutFirst, PathSum& profile) {
        const auto& list = points_.byLocation[location];
        profile.clear();
        waits_.clear();
        profiles_.add(location, firstSlice, to < list.size() ? list[to].slice : profiles_.slices(location),
                      profile);
        Ticks sum = 0;
        for (std::uint32_t i = from == kNone ? 0 : from + 1; i < to && i < list.size(); ++i) {
            if (list[i].wait <= 0) continue;
            sum += list[i].wait;
            waits_.add(list[i].path, list[i].wait);
        }
        for (const std::uint32_t path : profile.touched())
            profile.set(path, std::max<Ticks>(0, profile[path] - waits_[path]));
        if (withoutFirst && from != kNone && list[from].path != kNone) {
            const Point& first = list[from];
            profile.add(first.path, 0);
            profile.set(first.path, std::max<Ticks>(0, profile[first.path] - first.before));
        }
        return sum;
    }

    const Points& points_;
    const Profiles& profiles_;
    std::uint32_t location_;
    PathSum causer_, waiter_, waits_;
    std::uint32_t point_ = kNone;
    std::uint32_t from_ = kNone;
    std::uint32_t firstSlice_ = kNone;
    Ticks ownWaits_ = 0;
};

}  // namespace

std::vector<LocationBlames> findBlames(const replay::ReplayedTrace& trace, Points& points,
                                       workers::Workers& workers, Rules rules, Memory memory) {
    const Memberships memberships(trace.definitions);
    std::vector<LocationBlames> all;
    all.reserve(points.byLocation.size());
    while (all.size() < points.byLocation.size()) all.emplace_back(memory);
    workers.forEach(all.size(), [&](std::size_t i) {
        const auto location = static_cast<std::uint32_t>(i);
        BlameFinder(trace, memberships, points, location, rules, all[i].blames).find();
        addIdleThreads(trace, points, location, all[i].blames);
        // Those of one interval together, the longest interval first; no begin at all is position 0.
        std::stable_sort(all[i].blames.begin(), all[i].blames.end(), [](const Blame& a, const Blame& b) {
            return std::pair(a.point, a.from + 1) < std::pair(b.point, b.from + 1);
        });
    });
    return all;
}

void measureDelays(const Points& points, const Profiles& profiles, std::vector<LocationBlames>& blames,
                   workers::Workers& workers) {
    workers.forEach(blames.size(), [&](std::size_t i) {
        if (!blames[i].blames.empty())
            DelayMeter(points, profiles, static_cast<std::uint32_t>(i)).measure(blames[i]);
    });
}

}  // namespace holos::analyzer::causes

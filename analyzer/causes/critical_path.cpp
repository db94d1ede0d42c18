// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/critical_path.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "analyzer/memory/records.h"

namespace holos::analyzer::causes {
namespace {

/// A part of the path, on one location: from this point, or its first event, to before that one.
struct Stretch {
    std::uint32_t location;
    std::uint32_t begin;
    std::uint32_t end;
    std::uint32_t next;  ///< the one that follows it in time; `kNone`: the run ends
    Ticks ticks = 0;     ///< how long it takes
};
using Stretches = Records<Stretch>;  ///< from the end of the run on

/// Where a stretch ends, and which one follows it.
struct PathEnd {
    PointRef point;
    std::uint32_t next;
};

/// Goes from point to point, backwards.
class Walk {
  public:
    Walk(const replay::ReplayedTrace& trace, const Points& points, Rules rules)
        : trace_(trace),
          points_(points),
          rules_(rules),
          isUsed_(points.meetings.size(), 0),
          followed_(points.byLocation.size()) {}

    Stretches run() {
        start();
        while (!ends_.empty()) {
            const PathEnd end = ends_.back();
            ends_.pop_back();
            back(end);
        }
        return std::move(result_);
    }

  private:
    void start() {
        for (const Meeting& meeting : points_.meetings)
            if (meeting.size != 0 && points_.kindOf(points_.membersOf(meeting)[0]) == Kind::Finalize) {
                ends_.push_back({points_.causerOf(meeting), kNone});
                return;
            }
        const std::uint32_t last = lastWithoutMpi();
        if (last != kNone) ends_.push_back({{last, points_.byLocation[last].size()}, kNone});
    }

    /// The first thread of the first process, unless another one goes on clearly longer. At its end a program
    /// may end threads that only wait, and the workers of teams.
    std::uint32_t lastWithoutMpi() const {
        const Ticks clearly = static_cast<Ticks>(trace_.definitions.clock.length) / 100;
        std::uint32_t last = kNone;
        for (const trace::Process& process : trace_.definitions.processes)
            for (const trace::LocationId thread : process.threads) {
                const replay::LocationTrace& local = trace_[thread];
                const bool isWorker = thread != process.threads[0] && !local.threads.parallels.empty();
                if (process.accelerator || isWorker) continue;
                if (last == kNone || local.end > trace_.locations[last].end + clearly)
                    last = static_cast<std::uint32_t>(thread.index());
            }
        return last;
    }

    /// Along one location until the path leaves it.
    void back(PathEnd from) {
        const PointRef end = from.point;
        const PointList& list = points_.byLocation[end.location];
        bool isInBarrier = end.index < list.size() && list[end.index].isInBarrier;
        for (std::uint32_t i = end.index; i-- > 0;) {
            if (list.isOfTeam(i)) {
                const Kind kind = list.kind(i);
                if (isInBarrier && kind == Kind::OmpBarrier) {  // it ran a task there, and did not wait
                    isInBarrier = false;
                    continue;
                }
                result_.push_back({end.location, i, end.index, from.next});
                if (!isFollowed({end.location, i})) leave(list.meeting(i), kind);
                return;
            }
            const Point& point = list.other(i);
            const bool isStart = rules_.asScalasca && point.kind == Kind::Init;
            const bool leaves =
                point.wait > 0 || isStart || point.kind == Kind::Finalize || point.kind == Kind::ThreadBegin;
            if (!leaves) continue;
            result_.push_back({end.location, i, end.index, from.next});
            if (isFollowed({end.location, i})) return;
            if (point.meeting == kNone)
                goOn(point.partner);
            else if (!isStart)
                leave(point.meeting, point.kind);
            return;
        }
        result_.push_back({end.location, kNone, end.index, from.next});
    }

    /// Before the last stretch, up to this point.
    void goOn(PointRef end) { ends_.push_back({end, static_cast<std::uint32_t>(result_.size() - 1)}); }

    /// Notes it. Only in traces that contradict themselves does the path come to a wait again and again.
    bool isFollowed(PointRef wait) {
        std::vector<bool>& followed = followed_[wait.location];
        if (followed.empty()) followed.resize(points_.byLocation[wait.location].size());
        if (followed[wait.index]) return true;
        followed[wait.index] = true;
        return false;
    }

    void leave(std::uint32_t number, Kind kind) {
        // Several threads of equal time may be on the path; where they meet, it goes on once.
        if (isUsed_[number] != 0) return;
        isUsed_[number] = 1;
        const Meeting& meeting = points_.meetings[number];
        if (kind != Kind::OmpBarrier) {
            goOn(points_.causerOf(meeting));
            return;
        }
        const Members members = points_.membersOf(meeting);
        if (!rules_.asScalasca)
            for (const PointRef member : members)
                if (points_.byLocation[member.location].isWaitedFor(member.index)) return goOn(member);
        for (const PointRef member : members) {
            if (points_.waitOf(member) > 0) continue;
            goOn(member);
            if (!rules_.asScalasca) return;  // of those that came at the same time one: a run has one length
        }
    }

    const replay::ReplayedTrace& trace_;
    const Points& points_;
    Rules rules_;
    Stretches result_{heap()};
    std::vector<char> isUsed_;                 ///< by meeting
    std::vector<std::vector<bool>> followed_;  ///< by location and point
    std::vector<PathEnd> ends_;                ///< where parts of the path end that have to be followed
};

/// What the first point of a stretch takes away from it: a stretch begins where the waiting there ends.
struct Before {
    std::uint32_t path = kNone;  ///< of the call that waits
    Ticks wait = 0;              ///< in that call
    Ticks busy = 0;              ///< in others meanwhile, such as tasks and the work between polls
};

/// A call that completes several operations waits for one after the other: what it waits for all others.
Ticks waitsBeside(const PointList& points, std::uint32_t begin) {
    Ticks sum = 0;
    const auto isSameCall = [&](std::uint32_t i) {
        return points.slice(i) == points.slice(begin) && points.path(i) == points.path(begin);
    };
    for (std::uint32_t i = begin; i-- > 0 && isSameCall(i);) sum += points.wait(i);
    for (std::uint32_t i = begin + 1; i < points.size() && isSameCall(i); ++i) sum += points.wait(i);
    return sum;
}

Before beforeStretch(const PointList& points, const Stretch& stretch, Rules rules) {
    if (stretch.begin == kNone) return {};
    Before before{points.path(stretch.begin), points.wait(stretch.begin)};
    if (rules.asScalasca) return before;
    if (points.isOfTeam(stretch.begin)) {
        before.busy = points.tasks(stretch.begin);
    } else if (const Point& point = points.other(stretch.begin); point.meeting == kNone && point.wait > 0) {
        const Ticks inCall = std::min(point.arrival, waitsBeside(points, stretch.begin));
        before.wait += inCall;
        before.busy = point.arrival - inCall;
    }
    return before;
}

/// Books a stretch, but no more than `most` of it, from its start on.
void book(const PointList& points, const Profiles& profiles, Stretch& stretch, Before before, Ticks most,
          std::vector<Ticks>& times) {
    const std::uint32_t first = stretch.begin == kNone ? 0 : points.slice(stretch.begin);
    const std::uint32_t last =
        stretch.end < points.size() ? points.slice(stretch.end) : profiles.slices(stretch.location);
    Ticks inCall = 0;
    stretch.ticks = 0;
    const auto add = [&](std::uint32_t path, Ticks ticks) {
        times[path] += ticks;
        stretch.ticks += ticks;
        if (path == before.path) inCall += ticks;
    };
    profiles.visit(stretch.location, first, last, [&](std::uint32_t path, Ticks ticks) {
        Ticks& left = path == before.path ? before.wait : before.busy;
        const Ticks outside = std::min(left, std::max<Ticks>(0, ticks));
        left -= outside;
        add(path, std::min(ticks - outside, most - stretch.ticks));
    });
    if (before.path != kNone)
        add(before.path, -std::clamp<Ticks>(before.busy, 0, std::max<Ticks>(0, inCall)));
}

/// The stretches of a path, by location.
class PathBooking {
  public:
    PathBooking(const replay::ReplayedTrace& trace, const Points& points, const Profiles& profiles,
                Rules rules, workers::Workers& workers, Stretches& path)
        : trace_(trace),
          points_(points),
          profiles_(profiles),
          rules_(rules),
          workers_(workers),
          path_(path),
          ofLocation_(points.byLocation.size()) {
        for (std::uint32_t i = 0; i < path.size(); ++i) ofLocation_[path[i].location].push_back(i);
    }

    PathProfile run() {
        PathProfile times = book();
        const auto length = static_cast<Ticks>(trace_.definitions.clock.length);
        Ticks sum = 0;
        for (const Stretch& stretch : path_) sum += stretch.ticks;
        if (rules_.asScalasca || length <= 0 || sum <= length) return times;
        limit();
        return book();
    }

  private:
    PathProfile book() {
        PathProfile times(ofLocation_.size());
        workers_.forEach(ofLocation_.size(), [&](std::size_t location) {
            if (ofLocation_[location].empty()) return;
            times[location].assign(profiles_.paths(), 0);
            const PointList& list = points_.byLocation[location];
            for (const std::uint32_t i : ofLocation_[location])
                causes::book(list, profiles_, path_[i], beforeStretch(list, path_[i], rules_),
                             most_.empty() ? std::numeric_limits<Ticks>::max() : most_[i], times[location]);
            balance(times[location]);
        });
        return times;
    }

    /// Time that turned out to be another call path's only after a wait is taken from the first one in whole,
    /// also where its start, before the wait, is not on the path: that much is too much elsewhere.
    static void balance(std::vector<Ticks>& times) {
        Ticks owed = 0;
        for (Ticks& time : times)
            if (time < 0) owed -= std::exchange(time, 0);
        while (owed > 0) {
            const auto most = std::ranges::max_element(times);
            if (*most <= 0) return;
            const Ticks taken = std::min(owed, *most);
            *most -= taken;
            owed -= taken;
        }
    }

    /// Where clocks contradict each other, a wait may be for what happens after it: no moment is on the path
    /// twice.
    void limit() {
        std::vector<Ticks> ends(path_.size());
        workers_.forEach(ofLocation_.size(), [&](std::size_t location) { findEnds(location, ends); });
        Ticks before = std::numeric_limits<Ticks>::max();
        most_.resize(path_.size());
        for (std::size_t i = 0; i < path_.size(); ++i) {
            const Ticks begin = ends[i] - path_[i].ticks;
            most_[i] = std::max<Ticks>(0, std::min(ends[i], before) - begin);
            before = std::min(before, begin);
        }
    }

    void findEnds(std::size_t location, std::vector<Ticks>& ends) const {
        if (ofLocation_[location].empty()) return;
        const PointList& list = points_.byLocation[location];
        const auto id = static_cast<std::uint32_t>(location);
        std::vector<Ticks> starts{trace_.locations[location].begin};  // of slices
        PackedSlices::Reader slices = profiles_.from(id, 0);
        for (std::uint32_t slice = 0; slice < profiles_.slices(id); ++slice) {
            starts.push_back(starts.back());
            slices.visit([&](std::uint32_t, Ticks ticks) { starts.back() += ticks; });
        }
        for (const std::uint32_t i : ofLocation_[location])
            ends[i] = path_[i].end < list.size() ? starts[list.slice(path_[i].end)] : starts.back();
    }

    const replay::ReplayedTrace& trace_;
    const Points& points_;
    const Profiles& profiles_;
    Rules rules_;
    workers::Workers& workers_;
    Stretches& path_;
    std::vector<std::vector<std::uint32_t>> ofLocation_;
    std::vector<Ticks> most_;  ///< that counts of a stretch; empty where all of each does
};

/// Each stretch ends where the one that follows it begins; where several of MPI come together, the time is
/// known exactly.
PathCourse courseOf(const Stretches& path, const Points& points, Ticks length) {
    PathCourse course(path.size());
    for (std::size_t i = 0; i < path.size(); ++i) {
        const Stretch& stretch = path[i];
        PathPart& part = course[i];
        part.location = stretch.location;
        part.end = stretch.next == kNone ? length : course[stretch.next].begin;
        if (stretch.next != kNone) part.next = path[stretch.next].location;
        const PointList& list = points.byLocation[stretch.location];
        if (stretch.end < list.size()) {
            const Point point = list[stretch.end];
            if (point.meeting != kNone && !point.isOmp() && point.arrival > 0) part.end = point.arrival;
        }
        part.begin = part.end - stretch.ticks;
    }
    return course;
}

}  // namespace

PathProfile followCriticalPath(const replay::ReplayedTrace& trace, const Points& points,
                               const Profiles& profiles, Rules rules, workers::Workers& workers,
                               PathCourse* course) {
    Stretches path = Walk(trace, points, rules).run();
    const PathProfile times = PathBooking(trace, points, profiles, rules, workers, path).run();
    if (course != nullptr)
        *course = courseOf(path, points, static_cast<Ticks>(trace.definitions.clock.length));
    return times;
}

PathProfile activeTimes(const Points& points, PathProfile times, workers::Workers& workers) {
    workers.forEach(times.size(), [&](std::size_t i) {
        if (times[i].empty()) return;
        PathSum waits(times[i].size());
        const PointList& list = points.byLocation[i];
        list.visitWaits(0, list.size(),
                        [&](std::uint32_t, Ticks wait, std::uint32_t path) { waits.add(path, wait); });
        for (const std::uint32_t path : waits.touched())
            times[i][path] -= std::min(times[i][path], waits[path]);
    });
    return times;
}

namespace {

using Times = std::vector<double>;

/// What a location's waiting is worth, for each tick by which the critical path exceeds it in a call path.
struct Shares {
    double imbalance = 0;
    double inter = 0;  ///< only in call paths that the location is never in
};

/// Sums over locations are added up in their order, call path by call path, whoever does it.
class Impact {
  public:
    Impact(const PathProfile& critical, const PathProfile& active, std::size_t paths,
           const std::vector<char>& isThread, Rules rules)
        : critical_(critical),
          active_(active),
          isThread_(isThread),
          rules_(rules),
          paths_(paths),
          never_(paths, 0),
          global_(paths_, 0),
          imbalance_(paths_, 0),
          inter_(paths_, 0),
          shares_(active.size()) {}

    void book(workers::Workers& workers, std::vector<LocationCauses>& causes) {
        forPaths(workers, [&](std::size_t begin, std::size_t end) {
            for (const auto& local : critical_)
                for (std::size_t path = begin; path < std::min(end, local.size()); ++path)
                    global_[path] += static_cast<double>(local[path]);
        });
        length_ = std::accumulate(global_.begin(), global_.end(), 0.0);
        workers.forEach(active_.size(), [&](std::size_t i) {
            if (isThread_[i] != 0) compare(i, causes[i]);
        });
        forPaths(workers, [&](std::size_t begin, std::size_t end) { addUp(begin, end); });
        workers.forEach(active_.size(), [&](std::size_t i) { distribute(i, causes[i]); });
    }

  private:
    template <class Work>
    void forPaths(workers::Workers& workers, Work&& work) const {
        constexpr std::size_t kPortion = 1024;
        workers.forEach((paths_ + kPortion - 1) / kPortion, [&](std::size_t portion) {
            work(portion * kPortion, std::min(paths_, (portion + 1) * kPortion));
        });
    }

    double active(std::size_t location, std::size_t path) const {
        const std::vector<Ticks>& times = active_[location].empty() ? never_ : active_[location];
        return static_cast<double>(times[path]);
    }
    double excess(std::size_t location, std::size_t path) const {
        return std::max(global_[path] - active(location, path), 0.0);
    }
    double headroom(std::size_t location, std::size_t path) const {
        return active(location, path) > 0 ? 0.0 : global_[path];
    }

    /// What one location does, beside the critical path.
    void compare(std::size_t location, LocationCauses& causes) {
        double spent = 0;
        double covered = 0;
        double excesses = 0;
        double headrooms = 0;
        for (std::uint32_t path = 0; path < paths_; ++path) {
            const double own = active(location, path);
            if (global_[path] > 0) causes.add(Cause::ActivityImpact, path, std::min(global_[path], own));
            if (own > global_[path]) causes.add(Cause::NonCriticalActivities, path, own - global_[path]);
            spent += own;
            if (own > 0) covered += std::max(own, global_[path]);
            excesses += excess(location, path);
            headrooms += headroom(location, path);
        }
        shares_[location] = {share(length_ - spent, excesses), share(length_ - covered, headrooms)};
    }

    /// Shares a location's waiting out among the call paths on the critical path, by what they exceed the
    /// location's own time by.
    double share(double waiting, double sum) const {
        // Scalasca divides by zero, and one such location leaves no costs at all.
        return sum <= 0 && !rules_.asScalasca ? 0 : waiting / sum;
    }

    void addUp(std::size_t begin, std::size_t end) {
        for (std::size_t i = 0; i < active_.size(); ++i) {
            if (isThread_[i] == 0) continue;
            for (std::size_t path = begin; path < end; ++path) {
                imbalance_[path] += excess(i, path) * shares_[i].imbalance;
                inter_[path] += headroom(i, path) * shares_[i].inter;
            }
        }
    }

    /// The costs go to those who were on the critical path.
    void distribute(std::size_t location, LocationCauses& causes) const {
        for (std::uint32_t path = 0; path < critical_[location].size(); ++path) {
            const auto own = static_cast<double>(critical_[location][path]);
            causes.add(Cause::CriticalPath, path, own);
            if (own <= 0 || global_[path] <= 0) continue;
            const double impact = std::max(0.0, own / global_[path] * imbalance_[path]);
            const double inter = std::max(0.0, own / global_[path] * inter_[path]);
            causes.add(Cause::ImbalanceImpact, path, impact);
            // The two are shared out separately, so that the part can come out larger than the whole.
            causes.add(Cause::InterPartitionImbalance, path,
                       rules_.asScalasca ? inter : std::min(inter, impact));
        }
    }

    const PathProfile& critical_;
    const PathProfile& active_;
    const std::vector<char>& isThread_;
    Rules rules_;
    std::size_t paths_;
    std::vector<Ticks> never_;  ///< the times of a location that has none
    Times global_;              ///< the critical path by call path
    Times imbalance_;
    Times inter_;
    std::vector<Shares> shares_;  ///< by location
    double length_ = 0;
};

}  // namespace

void bookImpact(const PathProfile& critical, const PathProfile& active, std::size_t paths,
                const std::vector<char>& isThread, Rules rules, workers::Workers& workers,
                std::vector<LocationCauses>& causes) {
    if (!active.empty()) Impact(critical, active, paths, isThread, rules).book(workers, causes);
}

}  // namespace holos::analyzer::causes

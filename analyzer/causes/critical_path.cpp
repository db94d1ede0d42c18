// SPDX-License-Identifier: BSD-3-Clause
//
//   rank 0  ══════════════╗ Send ├───────        ═ critical path
//   rank 1  ───┤ Recv ····╚══════════════
//
#include "analyzer/causes/critical_path.h"

#include <algorithm>

namespace holos::analyzer::causes {

namespace {

/// A part of the path, on one location: from this point, or its first event, to before that one.
struct Stretch {
    std::uint32_t begin;
    std::uint32_t end;
};
using Stretches = std::vector<std::vector<Stretch>>;  ///< by location

/// Goes from point to point, backwards.
class Walk {
  public:
    Walk(const replay::ReplayedTrace& trace, const Points& points)
        : trace_(trace),
          points_(points),
          result_(points.byLocation.size()),
          isUsed_(points.meetings.size(), 0),
          followed_(points.byLocation.size()) {}

    Stretches run() {
        start();
        while (!ends_.empty()) {
            const PointRef end = ends_.back();
            ends_.pop_back();
            back(end);
        }
        return std::move(result_);
    }

  private:
    void start() {
        for (const Meeting& meeting : points_.meetings)
            if (meeting.size != 0 && points_.kindOf(points_.membersOf(meeting)[0]) == Kind::Finalize) {
                ends_.push_back(points_.causerOf(meeting));
                return;
            }
        for (const trace::Process& process : trace_.definitions.processes)
            if (!process.threads.empty() && !process.accelerator) {
                const auto master = static_cast<std::uint32_t>(process.threads[0].index());
                ends_.push_back({master, points_.byLocation[master].size()});
                return;
            }
    }

    /// Along one location until the path leaves it.
    void back(PointRef end) {
        const PointList& list = points_.byLocation[end.location];
        for (std::uint32_t i = end.index; i-- > 0;) {
            const Point point = list[i];
            const bool leaves = point.wait > 0 || point.isOmp() || point.kind == Kind::Init ||
                                point.kind == Kind::Finalize || point.kind == Kind::ThreadBegin;
            if (!leaves) continue;
            result_[end.location].push_back({i, end.index});
            if (isFollowed({end.location, i})) return;
            if (point.meeting == kNone)
                ends_.push_back(point.partner);
            else if (point.kind != Kind::Init)
                leave(points_.meetings[point.meeting], point);
            return;
        }
        result_[end.location].push_back({kNone, end.index});
    }

    /// Notes it. Only in traces that contradict themselves does the path come to a wait again and again.
    bool isFollowed(PointRef wait) {
        std::vector<bool>& followed = followed_[wait.location];
        if (followed.empty()) followed.resize(points_.byLocation[wait.location].size());
        if (followed[wait.index]) return true;
        followed[wait.index] = true;
        return false;
    }

    void leave(const Meeting& meeting, const Point& point) {
        // Several threads of equal time may be on the path; where they meet, it goes on once.
        if (isUsed_[point.meeting] != 0) return;
        isUsed_[point.meeting] = 1;
        if (point.kind != Kind::OmpBarrier) {
            ends_.push_back(points_.causerOf(meeting));
            return;
        }
        for (const PointRef member : points_.membersOf(meeting))
            if (points_.waitOf(member) <= 0) ends_.push_back(member);
    }

    const replay::ReplayedTrace& trace_;
    const Points& points_;
    Stretches result_;
    std::vector<char> isUsed_;                 ///< by meeting
    std::vector<std::vector<bool>> followed_;  ///< by location and point
    std::vector<PointRef> ends_;               ///< where parts of the path end that have to be followed
};

void book(const PointList& points, const Profiles& profiles, std::uint32_t location, const Stretch& stretch,
          std::vector<Ticks>& times) {
    const bool isFirst = stretch.begin == kNone;
    const std::uint32_t first = isFirst ? 0 : points.slice(stretch.begin);
    const std::uint32_t last =
        stretch.end < points.size() ? points.slice(stretch.end) : profiles.slices(location);
    const std::uint32_t waitPath = isFirst ? kNone : points.path(stretch.begin);
    Ticks inCall = 0;
    profiles.visit(location, first, last, [&](std::uint32_t path, Ticks ticks) {
        times[path] += ticks;
        if (path == waitPath) inCall += ticks;
    });
    if (waitPath != kNone) times[waitPath] -= std::min(points.wait(stretch.begin), inCall);
}

}  // namespace

PathProfile followCriticalPath(const replay::ReplayedTrace& trace, const Points& points,
                               const Profiles& profiles, workers::Workers& workers) {
    const Stretches path = Walk(trace, points).run();
    PathProfile times(path.size());
    workers.forEach(path.size(), [&](std::size_t location) {
        if (path[location].empty()) return;
        times[location].assign(profiles.paths(), 0);
        for (const Stretch& stretch : path[location])
            book(points.byLocation[location], profiles, static_cast<std::uint32_t>(location), stretch,
                 times[location]);
    });
    return times;
}

PathProfile activeTimes(const Points& points, PathProfile times, workers::Workers& workers) {
    workers.forEach(times.size(), [&](std::size_t i) {
        PathSum waits(times[i].size());
        const PointList& list = points.byLocation[i];
        list.visitWaits(0, list.size(),
                        [&](std::uint32_t point, Ticks wait) { waits.add(list.path(point), wait); });
        for (const std::uint32_t path : waits.touched())
            times[i][path] -= std::min(times[i][path], waits[path]);
    });
    return times;
}

}  // namespace holos::analyzer::causes

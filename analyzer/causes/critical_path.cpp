// SPDX-License-Identifier: BSD-3-Clause
//
//   rank 0  ══════════════╗ Send ├───────        ═ critical path
//   rank 1  ───┤ Recv ····╚══════════════
//
#include "analyzer/causes/critical_path.h"

#include <algorithm>

namespace holos::analyzer::causes {

namespace {

class Walk {
  public:
    Walk(const replay::ReplayedTrace& trace, const Points& points, const Profiles& profiles)
        : trace_(trace),
          points_(points),
          profiles_(profiles),
          result_(points.byLocation.size(), std::vector<Ticks>(profiles.paths(), 0)),
          isUsed_(points.meetings.size(), 0) {}

    PathProfile run() {
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
            if (!meeting.members.empty() && points_[meeting.members[0]].kind == Kind::Finalize) {
                ends_.push_back(meeting.members[meeting.causer]);
                return;
            }
        for (const trace::Process& process : trace_.definitions.processes)
            if (!process.threads.empty() && !process.accelerator) {
                const auto master = static_cast<std::uint32_t>(process.threads[0].index());
                ends_.push_back({master, static_cast<std::uint32_t>(points_.byLocation[master].size())});
                return;
            }
    }

    /// Along one location until the path leaves it.
    void back(PointRef end) {
        const auto& list = points_.byLocation[end.location];
        for (std::uint32_t i = end.index; i-- > 0;) {
            const Point& point = list[i];
            const bool leaves =
                point.wait > 0 || point.isOmp() || point.kind == Kind::Init || point.kind == Kind::Finalize;
            if (!leaves) continue;
            book({end.location, i}, end);
            if (point.meeting == kNone)
                ends_.push_back(point.partner);
            else if (point.kind != Kind::Init)
                leave(points_.meetings[point.meeting], point);
            return;
        }
        book({end.location, kNone}, end);
    }

    void leave(const Meeting& meeting, const Point& point) {
        // Several threads of equal time may be on the path; where they meet, it goes on once.
        if (isUsed_[point.meeting] != 0) return;
        isUsed_[point.meeting] = 1;
        if (point.kind != Kind::OmpBarrier) {
            ends_.push_back(meeting.members[meeting.causer]);
            return;
        }
        for (const PointRef& member : meeting.members)
            if (points_[member].wait <= 0) ends_.push_back(member);
    }

    void book(PointRef begin, PointRef end) {
        const auto& list = points_.byLocation[end.location];
        auto& times = result_[end.location];
        const std::uint32_t last =
            end.index < list.size() ? list[end.index].slice : profiles_.slices(end.location);
        const std::uint32_t first = begin.index == kNone ? 0 : list[begin.index].slice;
        const std::uint32_t waitPath = begin.index == kNone ? kNone : list[begin.index].path;
        Ticks inCall = 0;
        for (const PathTicks& entry : profiles_.between(end.location, first, last)) {
            times[entry.path] += entry.ticks;
            if (entry.path == waitPath) inCall += entry.ticks;
        }
        if (waitPath != kNone) times[waitPath] -= std::min(list[begin.index].wait, inCall);
    }

    const replay::ReplayedTrace& trace_;
    const Points& points_;
    const Profiles& profiles_;
    PathProfile result_;
    std::vector<char> isUsed_;    ///< by meeting
    std::vector<PointRef> ends_;  ///< where parts of the path end that have to be followed
};

}  // namespace

PathProfile followCriticalPath(const replay::ReplayedTrace& trace, const Points& points,
                               const Profiles& profiles) {
    return Walk(trace, points, profiles).run();
}

PathProfile activeTimes(const Points& points, const Profiles& profiles, workers::Workers& workers) {
    PathProfile times(points.byLocation.size());
    workers.forEach(times.size(), [&](std::size_t i) {
        const auto location = static_cast<std::uint32_t>(i);
        PathSum waits(profiles.paths());
        times[i].assign(profiles.paths(), 0);
        for (const PathTicks& entry : profiles.between(location, 0, profiles.slices(location)))
            times[i][entry.path] += entry.ticks;
        for (const Point& point : points.byLocation[i])
            if (point.wait > 0) waits.add(point.path, point.wait);
        for (const std::uint32_t path : waits.touched())
            times[i][path] -= std::min(times[i][path], waits[path]);
    });
    return times;
}

}  // namespace holos::analyzer::causes

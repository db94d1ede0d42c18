// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/delays.h"

#include <algorithm>

#include "analyzer/causes/blame_reader.h"

namespace holos::analyzer::causes {

namespace {

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
        BlameReader reader(points_, location_, all);
        for (std::uint32_t point = 0; point <= points_.byLocation[location_].size(); ++point)
            for (const Blame& blame : reader.at(point)) {
                Blame measured = blame;
                delays_.clear();
                if (blame.waiter.location != kNone || blame.idleThreads != 0) compare(measured);
                all.delays.append(delays_);
                if (!blame.isOfTeam()) all.kept[kept_++] = measured;
            }
    }

  private:
    void compare(Blame& blame) {
        if (blame.point != point_ || blame.firstSlice != firstSlice_ || blame.from != from_) own(blame);
        blame.waits = ownWaits_;
        if (blame.waiter.location != kNone)
            profileOf(blame.waiter);
        else
            waiter_.clear();
        for (const std::uint32_t path : causer_.touched()) {
            const Ticks delay = causer_[path] - waiter_[path];
            if (causer_[path] <= 0 || delay <= 0) continue;
            delays_.push_back({path, delay});
            blame.delay += delay;
        }
    }

    void profileOf(PointRef waiter) {
        const PointList& list = points_.byLocation[waiter.location];
        const std::uint32_t from = list.from(waiter.index);
        correctedProfile(waiter.location, from, from == kNone ? 0 : list.slice(from), waiter.index, true,
                         waiter_);
    }

    void own(const Blame& blame) {
        point_ = blame.point;
        from_ = blame.from;
        firstSlice_ = blame.firstSlice;
        ownWaits_ = correctedProfile(location_, from_, firstSlice_, point_, blame.idleThreads == 0, causer_);
    }

    /// What a location did between two of its points: without the waits in between, and with only the
    /// completion of the first point. Returns the sum of the waits.
    Ticks correctedProfile(std::uint32_t location, std::uint32_t from, std::uint32_t firstSlice,
                           std::uint32_t to, bool withoutFirst, PathSum& profile) {
        const PointList& list = points_.byLocation[location];
        profile.clear();
        waits_.clear();
        profiles_.add(location, firstSlice, to < list.size() ? list.slice(to) : profiles_.slices(location),
                      profile);
        Ticks sum = 0;
        list.visitWaits(from + 1, to, [&](std::uint32_t i, Ticks wait) {
            sum += wait;
            waits_.add(list.path(i), wait);
        });
        for (const std::uint32_t path : profile.touched())
            profile.set(path, std::max<Ticks>(0, profile[path] - waits_[path]));
        if (withoutFirst && from != kNone) leaveOut(list[from], profile);
        return sum;
    }

    static void leaveOut(const Point& first, PathSum& profile) {
        if (first.path == kNone) return;
        profile.add(first.path, 0);
        profile.set(first.path, std::max<Ticks>(0, profile[first.path] - first.before));
    }

    const Points& points_;
    const Profiles& profiles_;
    std::uint32_t location_;
    PathSum causer_, waiter_, waits_;
    std::uint32_t point_ = kNone;
    std::uint32_t from_ = kNone;
    std::uint32_t firstSlice_ = kNone;
    Ticks ownWaits_ = 0;
    std::vector<PathTicks> delays_;  ///< of the blame at hand
    std::size_t kept_ = 0;           ///< blames that are kept, so far
};

}  // namespace

void measureDelays(const Points& points, const Profiles& profiles, std::vector<LocationBlames>& blames,
                   workers::Workers& workers) {
    workers.forEach(blames.size(), [&](std::size_t i) {
        if (!blames[i].kept.empty() || !blames[i].serial.empty() || points.byLocation[i].hasTeams())
            DelayMeter(points, profiles, static_cast<std::uint32_t>(i)).measure(blames[i]);
    });
}

}  // namespace holos::analyzer::causes

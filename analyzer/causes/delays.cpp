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
        for (std::uint32_t point = reader.next(0); point != kNone; point = reader.next(point + 1)) {
            const std::span<const Blame> blames = reader.at(point);
            findWaiters(blames);
            for (std::size_t i = 0; i < blames.size(); ++i) {
                if (i != 0) all.delays.nextBlame();
                Blame measured = blames[i];
                if (measured.waiter.location != kNone || measured.idleThreads != 0)
                    compare(measured, waiters_[i], all.delays);
                if (!measured.isOfTeam()) all.kept[kept_++] = measured;
            }
            all.delays.endPoint();
        }
    }

  private:
    /// What a location did between two of its points.
    struct Interval {
        std::uint32_t location = kNone;
        std::uint32_t from = kNone;
        std::uint32_t to = 0;
        std::uint32_t firstSlice = 0;
        std::uint32_t endSlice = 0;
        PackedSlices::Reader slices;
    };

    /// The waiters are at as many places in memory: step by step for all of them, so that the processor
    /// fetches the next ones meanwhile.
    void findWaiters(std::span<const Blame> blames) {
        waiters_.clear();
        for (const Blame& blame : blames) waiters_.push_back(intervalOf(blame.waiter));
        for (Interval& waiter : waiters_)
            if (waiter.location != kNone) waiter.slices = profiles_.from(waiter.location, waiter.firstSlice);
    }

    Interval intervalOf(PointRef waiter) const {
        if (waiter.location == kNone) return {};
        const PointList& list = points_.byLocation[waiter.location];
        const std::uint32_t from = list.from(waiter.index);
        return {waiter.location,          from, waiter.index, from == kNone ? 0 : list.slice(from),
                list.slice(waiter.index), {}};
    }

    void compare(Blame& blame, const Interval& waiter, DelayList& delays) {
        if (blame.point != own_.to || blame.firstSlice != own_.firstSlice || blame.from != own_.from)
            own(blame);
        blame.waits = ownWaits_;
        waiter_.clear();
        if (waiter.location != kNone) correctedProfile(waiter, true, waiter_);
        for (const std::uint32_t path : causer_.touched()) {
            const Ticks delay = causer_[path] - waiter_[path];
            if (causer_[path] <= 0 || delay <= 0) continue;
            delays.add(path, delay);
            blame.delay += delay;
        }
    }

    void own(const Blame& blame) {
        const PointList& list = points_.byLocation[location_];
        const bool isEnd = blame.point == list.size();
        own_ = {location_,
                blame.from,
                blame.point,
                blame.firstSlice,
                isEnd ? profiles_.slices(location_) : list.slice(blame.point),
                profiles_.from(location_, blame.firstSlice)};
        ownWaits_ = correctedProfile(own_, blame.idleThreads == 0, causer_);
    }

    /// Without the waits in the interval, and with only the completion of its first point. Returns the sum of
    /// the waits.
    Ticks correctedProfile(const Interval& interval, bool withoutFirst, PathSum& profile) {
        const PointList& list = points_.byLocation[interval.location];
        profile.clear();
        waits_.clear();
        PackedSlices::Reader slices = interval.slices;
        for (std::uint32_t slice = interval.firstSlice; slice < interval.endSlice; ++slice)
            slices.visit([&](std::uint32_t path, Ticks ticks) { profile.add(path, ticks); });
        Ticks sum = 0;
        list.visitWaits(interval.from + 1, interval.to, [&](std::uint32_t, Ticks wait, std::uint32_t path) {
            sum += wait;
            waits_.add(path, wait);
        });
        profile.lessen(waits_);
        if (withoutFirst && interval.from != kNone) leaveOut(list, interval.from, profile);
        return sum;
    }

    static void leaveOut(const PointList& list, std::uint32_t first, PathSum& profile) {
        const std::uint32_t path = list.path(first);
        if (path == kNone) return;
        profile.add(path, 0);
        profile.set(path, std::max<Ticks>(0, profile[path] - list.before(first)));
    }

    const Points& points_;
    const Profiles& profiles_;
    std::uint32_t location_;
    PathSum causer_, waiter_, waits_;
    Interval own_{kNone, kNone, kNone, kNone, 0, {}};  ///< of the location, the last one
    Ticks ownWaits_ = 0;
    std::vector<Interval> waiters_;  ///< of the blames at hand
    std::size_t kept_ = 0;           ///< blames that are kept, so far
};

}  // namespace

void measureDelays(const Points& points, const Profiles& profiles, ByLocation<LocationBlames>& blames,
                   workers::Workers& workers) {
    workers.forEach(blames.size(), [&](std::size_t i) {
        if (!blames[i].kept.empty() || !blames[i].serial.empty() || points.byLocation[i].hasTeams())
            DelayMeter(points, profiles, static_cast<std::uint32_t>(i)).measure(blames.own(i));
    });
}

}  // namespace holos::analyzer::causes

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "analyzer/causes/blames.h"

namespace holos::analyzer::causes {

/// All blames of one location, point by point, forwards or backwards.
/// Thread safety: one thread for each location.
class BlameReader {
  public:
    BlameReader(const Points& points, std::uint32_t location, const LocationBlames& all)
        : points_(points), list_(points.byLocation[location]), all_(all) {}

    /// The first position from `point` on that may have blames; `kNone` when there is none.
    std::uint32_t next(std::uint32_t point);
    /// The last one up to `point`.
    std::uint32_t last(std::uint32_t point);
    /// Where the longest interval of those begins that end at such a position.
    std::uint32_t begin(std::uint32_t point);
    /// The blames at a point, in their order; the position behind the last point has some, too. Valid until
    /// the next call. Delays and waits of those that are not kept are 0.
    std::span<const Blame> at(std::uint32_t point);
    /// Whether `isIt` is true for the waiter of any blame there.
    template <class IsIt>
    bool isAnyWaiter(std::uint32_t point, IsIt&& isIt) {
        if (point == list_.size()) return false;
        if (!list_.isOfTeam(point))
            return std::ranges::any_of(findKept(point), [&](const Blame& blame) {
                return blame.waiter.location != kNone && isIt(blame.waiter);
            });
        if (!list_.isWaitedFor(point)) return false;
        for (const PointRef member : points_.membersOf(points_.meetings[list_.meeting(point)]))
            if (isIt(member) && points_.byLocation[member.location].isWait(member.index)) return true;
        return false;
    }
    /// Gives these their waits.
    void addWaits();
    /// And their delays, once they were measured. `before`: how many points before may have blames.
    void addDelays(std::uint32_t before);

  private:
    void findOther(std::uint32_t point);
    std::span<const Blame> findKept(std::uint32_t point);
    void findSerial(std::uint32_t point);
    void findBarrier(std::uint32_t point);
    Ticks waitsWithin(const Blame& blame) const;

    const Points& points_;
    const PointList& list_;
    const LocationBlames& all_;
    std::size_t kept_ = 0;    ///< before the point at hand
    std::size_t serial_ = 0;  ///< the same
    /// The first position from `otherSince_` on that has blames and is no barrier; not known at first.
    std::uint32_t other_ = 0;
    std::uint32_t otherSince_ = 1;
    std::vector<Blame> found_;  ///< that are not kept
};

}  // namespace holos::analyzer::causes

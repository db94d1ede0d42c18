// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/point_list.h"

#include <bit>
#include <limits>

namespace holos::analyzer::causes {

namespace {

template <class Small>
bool fits(std::int64_t number) {
    return number >= std::numeric_limits<Small>::min() && number <= std::numeric_limits<Small>::max();
}

std::int64_t relative(std::uint32_t number, std::uint32_t to) {
    return std::int64_t{number} - std::int64_t{to};
}

}  // namespace

bool PointList::isSmall(const Point& point, const Block& block) {
    return fits<std::uint32_t>(point.wait) && fits<std::int32_t>(point.before) &&
           fits<std::uint32_t>(point.arrival - block.arrival) &&
           fits<std::uint16_t>(2 * std::int64_t{point.path}) &&
           fits<std::uint8_t>(relative(point.slice, block.slice)) &&
           fits<std::int8_t>(relative(point.meeting, block.meeting));
}

PointList::SmallPoint PointList::small(const Point& point, const Block& block) {
    return {static_cast<std::uint32_t>(point.wait),
            static_cast<std::int32_t>(point.before),
            static_cast<std::uint32_t>(point.arrival - block.arrival),
            static_cast<std::uint16_t>(2 * point.path + (point.kind == Kind::Fork ? 1 : 0)),
            static_cast<std::uint8_t>(point.slice - block.slice),
            static_cast<std::int8_t>(relative(point.meeting, block.meeting))};
}

Point PointList::ofTeam(std::uint32_t rank) const {
    const Block& block = blocks_[rank / kBlock];
    if (!block.isSmall) return large_[block.begin + rank % kBlock];
    const SmallPoint& known = small_[block.begin + rank % kBlock];
    Point point;
    point.wait = known.wait;
    point.before = known.before;
    point.arrival = block.arrival + known.arrival;
    point.slice = block.slice + known.slice;
    point.path = known.pathAndFork / 2;
    point.meeting = block.meeting + static_cast<std::uint32_t>(known.meeting);
    point.kind = known.pathAndFork % 2 != 0 ? Kind::Fork : Kind::OmpBarrier;
    return point;
}

std::uint32_t PointList::positionOfOther(std::uint32_t rank) const {
    const auto group =
        std::upper_bound(groups_.begin(), groups_.end(), rank,
                         [](std::uint32_t r, const Group& known) { return r < known.others; }) -
        1;
    auto position = static_cast<std::uint32_t>(group - groups_.begin()) * kGroup;
    for (std::uint32_t left = rank - group->others;; ++position)
        if (!isOfTeam(position) && left-- == 0) return position;
}

std::uint32_t PointList::lastOfTeam(std::uint32_t end) const {
    const std::uint32_t inGroup = end % kGroup;
    std::uint32_t group = end / kGroup;
    std::uint32_t before = inGroup == 0 ? 0 : groups_[group].ofTeams & ((std::uint32_t{1} << inGroup) - 1);
    while (before == 0 && group != 0) before = groups_[--group].ofTeams;
    return before == 0 ? kNone : group * kGroup + static_cast<std::uint32_t>(std::bit_width(before)) - 1;
}

std::uint32_t PointList::fromOfTeam(std::uint32_t i) const {
    const auto known = std::lower_bound(outer_.begin(), outer_.end(), i,
                                        [](const Outer& outer, std::uint32_t p) { return outer.point < p; });
    return known != outer_.end() && known->point == i ? known->from : lastOfTeam(i);
}

void PointListBuilder::place(bool ofTeam) {
    const std::uint32_t inGroup = list_.size_++ % PointList::kGroup;
    if (inGroup == 0) list_.groups_.push_back({0, othersPlaced_});
    if (ofTeam)
        list_.groups_.back().ofTeams |= std::uint32_t{1} << inGroup;
    else
        ++othersPlaced_;
}

void PointListBuilder::append(const Point& ofTeam, std::uint32_t team) {
    while (othersPlaced_ < list_.others_.size() && list_.others_[othersPlaced_].event <= ofTeam.event)
        place(false);
    const std::uint32_t position = list_.size_;
    place(true);
    std::uint32_t& lastOfTeam = lastOfTeams_.try_emplace(team, kNone).first->second;
    if (ofTeam.kind != Kind::Fork && lastOfTeam != last_) list_.outer_.push_back({position, lastOfTeam});
    lastOfTeam = last_ = position;
    block_.push_back(ofTeam);
    if (block_.size() == PointList::kBlock) endBlock();
}

void PointListBuilder::endBlock() {
    const Point& first = block_.front();
    PointList::Block block{first.arrival, first.slice, first.meeting, 0, true};
    for (const Point& point : block_) block.isSmall = block.isSmall && PointList::isSmall(point, block);
    if (block.isSmall) {
        block.begin = static_cast<std::uint32_t>(list_.small_.size());
        for (const Point& point : block_) list_.small_.push_back(PointList::small(point, block));
    } else {
        block.begin = static_cast<std::uint32_t>(list_.large_.size());
        list_.large_.insert(list_.large_.end(), block_.begin(), block_.end());
    }
    list_.blocks_.push_back(block);
    block_.clear();
}

PointList PointListBuilder::take() {
    if (!block_.empty()) endBlock();
    while (othersPlaced_ < list_.others_.size()) place(false);
    return std::move(list_);
}

}  // namespace holos::analyzer::causes

// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/point_list.h"

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
           fits<std::uint16_t>(2 * std::int64_t{point.path}) &&
           fits<std::uint8_t>(relative(point.slice, block.slice)) &&
           fits<std::int8_t>(relative(point.meeting, block.meeting));
}

PointList::SmallPoint PointList::small(const Point& point, const Block& block) {
    return {static_cast<std::uint32_t>(point.wait), static_cast<std::int32_t>(point.before),
            static_cast<std::uint16_t>(2 * point.path + (point.kind == Kind::Fork ? 1 : 0)),
            static_cast<std::uint8_t>(point.slice - block.slice),
            static_cast<std::int8_t>(relative(point.meeting, block.meeting))};
}

Point PointList::operator[](std::uint32_t i) const {
    return read(
        i,
        [](const Block& block, const SmallPoint& known) {
            Point point;
            point.wait = known.wait;
            point.before = known.before;
            point.slice = block.slice + known.slice;
            point.path = known.pathAndFork / 2;
            point.meeting = block.meeting + static_cast<std::uint32_t>(known.meeting);
            point.kind = known.pathAndFork % 2 != 0 ? Kind::Fork : Kind::OmpBarrier;
            return point;
        },
        [](const Point& point) { return point; });
}

std::uint32_t PointList::positionOfOther(std::uint32_t rank) const {
    if (!hasTeams()) return rank;
    const auto block = std::ranges::upper_bound(blocks_, rank, {}, &Block::others) - 1;
    std::uint32_t others = ~block->ofTeams;
    for (std::uint32_t before = rank - block->others; before != 0; --before) others &= others - 1;
    return static_cast<std::uint32_t>(block - blocks_.begin()) * kBlock +
           static_cast<std::uint32_t>(std::countr_zero(others));
}

std::uint32_t PointList::searchFrom(std::uint32_t i) const {
    const auto known = std::ranges::lower_bound(outer_, i, {}, &Outer::point);
    return known != outer_.end() && known->point == i ? known->from : lastOfTeam(i);
}

Ticks PointList::tasks(std::uint32_t i) const {
    const auto known = std::ranges::lower_bound(busy_, i, {}, &Busy::point);
    return known != busy_.end() && known->point == i ? known->tasks : 0;
}

std::uint32_t PointList::next(std::uint32_t Block::*bits, std::uint32_t begin, std::uint32_t end) const {
    if (begin >= end) return end;
    std::uint32_t block = begin / kBlock;
    std::uint32_t left = blocks_[block].*bits & ~(bit(begin) - 1);
    while (left == 0) {
        if (++block * kBlock >= end) return end;
        left = blocks_[block].*bits;
    }
    return std::min(end, block * kBlock + static_cast<std::uint32_t>(std::countr_zero(left)));
}

std::uint32_t PointList::last(std::uint32_t Block::*bits, std::uint32_t begin, std::uint32_t end) const {
    if (begin >= end) return kNone;
    std::uint32_t block = (end - 1) / kBlock;
    std::uint32_t left = blocks_[block].*bits;
    if (end % kBlock != 0) left &= bit(end) - 1;
    while (left == 0) {
        if (block * kBlock <= begin) return kNone;
        left = blocks_[--block].*bits;
    }
    const std::uint32_t found = block * kBlock + static_cast<std::uint32_t>(std::bit_width(left)) - 1;
    return found >= begin ? found : kNone;
}

std::uint32_t PointListBuilder::place() {
    const std::uint32_t bit = PointList::bit(list_.size_);
    if (list_.size_++ % PointList::kBlock != 0) return bit;
    endBlock();
    list_.blocks_.emplace_back().others = othersPlaced_;
    return bit;
}

void PointListBuilder::placeOther() {
    const std::uint32_t bit = place();
    if (list_.others_[othersPlaced_++].wait > 0) list_.blocks_.back().waits |= bit;
}

std::uint32_t& PointListBuilder::lastOf(std::uint32_t team) {
    if (current_.first != team || current_.second == nullptr)
        current_ = {team, &lastOfTeams_.try_emplace(team, kNone).first->second};
    return *current_.second;
}

void PointListBuilder::append(const Point& ofTeam, std::uint32_t team, Ticks tasks) {
    while (othersPlaced_ < list_.others_.size() && list_.others_[othersPlaced_].event <= ofTeam.event)
        placeOther();
    const std::uint32_t position = list_.size_;
    const std::uint32_t bit = place();
    list_.blocks_.back().ofTeams |= bit;
    if (ofTeam.wait > 0) list_.blocks_.back().waits |= bit;
    if (ofTeam.isWaitedFor) list_.blocks_.back().waitedFor |= bit;
    std::uint32_t& lastOfTeam = lastOf(team);
    if (ofTeam.kind != Kind::Fork && lastOfTeam != last_) list_.outer_.push_back({position, lastOfTeam});
    if (tasks > 0) list_.busy_.push_back({position, tasks});
    lastOfTeam = last_ = position;
    ofTeams_.push_back(ofTeam);
}

void PointListBuilder::endBlock() {
    if (ofTeams_.empty()) return;
    PointList::Block& block = list_.blocks_.back();
    const Point& reference = ofTeams_.front();
    block.slice = reference.slice;
    block.meeting = reference.meeting;
    const auto isSmall = [&](const Point& point) { return PointList::isSmall(point, block); };
    block.isSmall = std::ranges::all_of(ofTeams_, isSmall) ? 1 : 0;
    block.begin = (block.isSmall != 0 ? list_.small_.size() : list_.large_.size()) & 0x7FFFFFFFU;
    if (block.isSmall != 0) {
        const std::size_t first = list_.small_.size();
        list_.small_.resizeUnset(first + ofTeams_.size());
        for (std::size_t i = 0; i < ofTeams_.size(); ++i)
            list_.small_[first + i] = PointList::small(ofTeams_[i], block);
    } else {
        list_.large_.append(ofTeams_.data(), ofTeams_.data() + ofTeams_.size());
    }
    ofTeams_.clear();
}

PointList PointListBuilder::take() {
    while (othersPlaced_ < list_.others_.size()) placeOther();
    endBlock();
    return std::move(list_);
}

}  // namespace holos::analyzer::causes

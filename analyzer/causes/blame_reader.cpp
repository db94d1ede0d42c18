// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/causes/blame_reader.h"

#include <algorithm>

namespace holos::analyzer::causes {

namespace {

/// Moves to the first entry that is not before the point.
template <class List>
void moveTo(std::uint32_t point, const List& list, std::size_t& position) {
    while (position < list.size() && list[position].point < point) ++position;
    while (position > 0 && list[position - 1].point >= point) --position;
}

}  // namespace

// Barriers are looked for no farther than to the other ones, so that all calls together pass the points once.
std::uint32_t BlameReader::next(std::uint32_t point) {
    if (point < otherSince_ || point > other_) findOther(point);
    const std::uint32_t end = std::min(other_, list_.size());
    const std::uint32_t barrier = list_.nextWaitedFor(point, end);
    return barrier < end ? barrier : other_;
}

void BlameReader::findOther(std::uint32_t point) {
    moveTo(point, all_.kept, kept_);
    moveTo(point, all_.serial, serial_);
    otherSince_ = point;
    other_ = kNone;
    if (kept_ < all_.kept.size()) other_ = all_.kept[kept_].point;
    if (serial_ < all_.serial.size()) other_ = std::min(other_, all_.serial[serial_].point);
}

std::uint32_t BlameReader::last(std::uint32_t point) {
    moveTo(point + 1, all_.kept, kept_);
    moveTo(point + 1, all_.serial, serial_);
    std::uint32_t behind = 0;  // the last one of the others
    if (kept_ != 0) behind = all_.kept[kept_ - 1].point + 1;
    if (serial_ != 0) behind = std::max(behind, all_.serial[serial_ - 1].point + 1);
    const std::uint32_t barrier = list_.lastWaitedFor(behind, std::min(point + 1, list_.size()));
    return barrier != kNone ? barrier : behind - 1;
}

std::uint32_t BlameReader::begin(std::uint32_t point) {
    if (point == list_.size()) return list_.lastOfTeam(point);
    if (!list_.isOfTeam(point)) return findKept(point).front().from;
    return list_.from(point);
}

std::span<const Blame> BlameReader::at(std::uint32_t point) {
    found_.clear();
    const bool isEnd = point == list_.size();
    if (!isEnd && !list_.isOfTeam(point)) return findKept(point);
    if (!isEnd && list_.isWaitedFor(point))
        findBarrier(point);
    else
        findSerial(point);
    return found_;
}

void BlameReader::addWaits() {
    if (found_.empty()) return;
    const Ticks waits = waitsWithin(found_[0]);
    for (Blame& blame : found_) blame.waits = waits;
}

void BlameReader::addDelays(std::uint32_t before) {
    if (found_.empty()) return;
    DelayList::Reader(all_.delays, before).visit([&](std::size_t blame, std::uint32_t, Ticks delay) {
        found_[blame].delay += delay;
    });
}

std::span<const Blame> BlameReader::findKept(std::uint32_t point) {
    moveTo(point, all_.kept, kept_);
    std::size_t end = kept_;
    while (end < all_.kept.size() && all_.kept[end].point == point) ++end;
    return {all_.kept.data() + kept_, end - kept_};
}

void BlameReader::findSerial(std::uint32_t point) {
    moveTo(point, all_.serial, serial_);
    if (serial_ == all_.serial.size() || all_.serial[serial_].point != point) return;
    Blame idle;
    idle.kind = Kind::OmpIdle;
    idle.point = point;
    idle.from = list_.lastOfTeam(point);
    idle.firstSlice = all_.serial[serial_].firstSlice;
    // What comes between a team's last point and its join is of the team.
    while (idle.from + 1 < point && list_.slice(idle.from + 1) < idle.firstSlice) ++idle.from;
    idle.idleThreads = all_.idleThreads;
    found_.push_back(idle);
}

void BlameReader::findBarrier(std::uint32_t point) {
    const Meeting& meeting = points_.meetings[list_.meeting(point)];
    Blame blame;
    blame.kind = Kind::OmpBarrier;
    blame.point = point;
    blame.from = list_.from(point);
    blame.firstSlice = blame.from == kNone ? 0 : list_.slice(blame.from);
    for (const PointRef member : points_.membersOf(meeting)) {
        if (!points_.byLocation[member.location].isWait(member.index)) continue;
        blame.waiter = member;
        blame.waiting = points_.waitOf(member);
        found_.push_back(blame);
    }
}

Ticks BlameReader::waitsWithin(const Blame& blame) const {
    Ticks sum = 0;
    list_.visitWaits(blame.from + 1, blame.point,
                     [&](std::uint32_t, Ticks wait, std::uint32_t) { sum += wait; });
    return sum;
}

}  // namespace holos::analyzer::causes

// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/profile/table.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <utility>

namespace holos::tracing::profile {
namespace {

template <class Cell>
std::uint64_t* behind(Cell& cell) noexcept {
    return reinterpret_cast<std::uint64_t*>(&cell + 1);
}

}  // namespace

#if !defined(__SIZEOF_INT128__)
void Table::addSquare(std::uint64_t* sum, std::uint64_t value) noexcept {
    constexpr unsigned kHalf = 32;
    const std::uint64_t low = value & 0xFFFFFFFFU;
    const std::uint64_t high = value >> kHalf;
    const std::uint64_t middle = low * high;  // twice
    const auto add = [sum](std::uint64_t less, std::uint64_t more) {
        sum[0] += less;
        sum[1] += more + (sum[0] < less ? 1 : 0);
    };
    add(low * low, high * high);
    add(middle << (kHalf + 1), middle >> (kHalf - 1));
}
#endif

void* Table::makeCell(CellKind kind) noexcept {
    const std::size_t words = cellWords(kind, counters_);
    if (freeWords_ < words) {
        free_ = memory_.more(memory_.owner, words, freeWords_);
        if (free_ == nullptr) {
            freeWords_ = 0;
            return nullptr;
        }
    }
    freeWords_ -= words;
    return std::exchange(free_, free_ + words);
}

void Table::finish(void* cell, CellKind kind) noexcept {
    std::atomic_signal_fence(std::memory_order_release);
    *static_cast<volatile std::uint64_t*>(cell) = static_cast<std::uint64_t>(kind);
}

bool Table::start(std::uint64_t since) noexcept {
    state_ = static_cast<State*>(makeCell(CellKind::State));
    if (state_ == nullptr) return false;
    state_->since = state_->first = state_->last = since;
    finish(state_, CellKind::State);
    node_ = makeNode(nullptr, {});
    return node_ != nullptr;
}

Node* Table::makeNode(Node* parent, const Key& key) noexcept {
    if (nodes_ == kMostNodes) return nullptr;
    auto* const node = static_cast<Node*>(makeCell(CellKind::Node));
    if (node == nullptr) return nullptr;
    node->number = nodes_++;
    node->parent = parent != nullptr ? parent->number : 0;
    node->key = key;
    node->least = ~std::uint64_t{0};
    node->isTimed = (parent == nullptr || parent->isTimed != 0) && key.kind != NodeKind::Task ? 1 : 0;
    node->up = parent;
    finish(node, CellKind::Node);
    if (parent != nullptr) node->older = std::exchange(parent->children, node);
    return node;
}

Node* Table::childOf(Node& parent, const Key& key) noexcept {
    for (Node* child = parent.children; child != nullptr; child = child->older)
        if (child->key == key) return child;
    return makeNode(&parent, key);
}

Way* Table::makeWay(Way*& first, std::uint32_t from, Node& target) noexcept {
    if (ways_ == kMostWays) return nullptr;
    auto* const way = static_cast<Way*>(makeCell(CellKind::Way));
    if (way == nullptr) return nullptr;
    ++ways_;
    way->from = from;
    way->to = target.number;
    way->target = &target;
    finish(way, CellKind::Way);
    way->older = std::exchange(first, way);
    return way;
}

/// The way is the first one afterwards: it may come again soon. From where too many lead, those that are not
/// known yet begin anywhere: they are kept with those of the parent's first ones.
Way* Table::findWay(const Key& key) noexcept {
    const auto find = [&key](Way*& first, bool isAny) -> Way* {
        for (Way** at = &first; *at != nullptr; at = &(*at)->older) {
            Way* const way = *at;
            if (way->target->key != key || (way->from == Way::kFromAny) != isAny) continue;
            *at = way->older;
            way->older = std::exchange(first, way);
            return way;
        }
        return nullptr;
    };
    Way*& own = left_ != nullptr ? left_->nextWays : node_->firstWays;
    if (Way* const way = find(own, false)) return way;
    const bool isFull = ways_ == kMostWays || (left_ != nullptr && left_->nextCount == kMostNext);
    if (isFull)
        if (Way* const way = find(node_->firstWays, true)) return way;
    Node* const target = childOf(*node_, key);
    if (target == nullptr) return nullptr;
    if (isFull) return makeWay(node_->firstWays, Way::kFromAny, *target);
    if (left_ != nullptr) ++left_->nextCount;
    return makeWay(own, left_ != nullptr ? left_->number : node_->number, *target);
}

void Table::addCounts(std::uint64_t* sums) noexcept {
    if (!hasCounted_) return;
    hasCounted_ = false;
    noteUnusual();
    std::uint64_t* const counted = behind(*state_) + counters_;
    for (std::size_t i = 0; i < counters_; ++i) {
        const std::uint64_t value = std::exchange(counted[i], 0);
        sums[i] = (isState_ >> i & 1) != 0 ? std::max(sums[i], value) : sums[i] + value;
    }
}

/// The long way of `enter`.
void Table::pass(Way& way, std::uint64_t ticks) noexcept {
    if (state_->first == 0) state_->first = state_->last = ticks;
    if (isForking_) {
        isForking_ = false;
        ++way.forks;
        way.ticks += beforeFork_;
        if (ticks > forked_) way.sinceFork += ticks - forked_;
    } else {
        way.ticks += ticks - state_->last;
    }
    addCounts(behind(way));
    if (pendingKinds_ != 0) addTraffic(*node_);
    moveInto(way, ticks);
    noteUnusual();
}

bool Table::enterOther(const Key& key, std::uint64_t ticks) noexcept {
    Way* const way = skipped_ == 0 ? findWay(key) : nullptr;
    if (way != nullptr) {
        if (isUnusual_) flushOnWay(*way, ticks);
        pass(*way, ticks);
        return true;
    }
    stay(ticks);
    ++skipped_;
    ++lost_;
    isUnusual_ = true;
    return false;
}

void Table::close(std::uint64_t ticks) noexcept {
    addCounts(behind(*node_));
    if (pendingKinds_ != 0) addTraffic(*node_);
    leaveNode(ticks);
}

/// A region that had no room ends whatever its name is: those inside of each other end in reverse.
void Table::leaveOther(const Key& key, std::uint64_t ticks) noexcept {
    if (skipped_ != 0) {
        --skipped_;
        stay(ticks);
        return noteUnusual();
    }
    const auto is = [&key](const Node& node) {
        return node.key.kind == key.kind && node.key.first == key.first;
    };
    const Node* found = node_;
    while (!is(*found)) {
        if (found->key.kind == NodeKind::Root || found->key.kind == NodeKind::Share ||
            found->key.kind == NodeKind::Task)
            return;
        found = found->up;
    }
    flushHere(ticks);
    while (node_ != found) close(ticks);
    close(ticks);
}

void Table::leaveShare(std::uint64_t ticks) noexcept {
    const Node* share = node_;
    while (share != nullptr && share->key.kind != NodeKind::Share) share = share->up;
    if (share == nullptr) return;
    skipped_ = 0;
    noteUnusual();
    flushHere(ticks);
    while (node_ != share) close(ticks);
    share_.region = left_;
    share_.left = ticks;
    close(ticks);
}

bool Table::enterShare(const Key& key, std::uint64_t forked, std::uint64_t ticks) noexcept {
    if (!enter(key, ticks)) return false;
    isForking_ = isUnusual_ = true;
    beforeFork_ = 0;
    share_.forked = forked_ = forked;
    return true;
}

void Table::joinShare(std::uint64_t forked, std::uint64_t ticks) noexcept {
    if (share_.region == nullptr || share_.forked != forked || share_.left == 0) return;
    if (ticks > share_.left) share_.region->after += ticks - share_.left;
    share_ = {};
}

void Table::leaveAll(std::uint64_t ticks) noexcept {
    skipped_ = 0;
    noteUnusual();
    flushHere(ticks);
    while (node_->up != nullptr) close(ticks);
}

void Table::stay(std::uint64_t ticks) noexcept {
    if (state_->first == 0) state_->first = state_->last = ticks;
    flushHere(ticks);
    node_->own += ticks - state_->last;
    state_->last = ticks;
}

void Table::flush(std::uint64_t begin, std::uint64_t end) noexcept {
    if (hasFlushed()) addFlush({NodeKind::Flush}, cutFlush(flush_.end));
    flush_.begin = std::max(begin, state_->last);
    flush_.end = flushedUntil_ = std::max(end, flush_.begin);
    isUnusual_ = true;
}

std::uint64_t Table::cutFlush(std::uint64_t ticks) noexcept {
    // A worker's time since its master's fork is that of both.
    const bool isSinceOwnFork = isForking_ && node_->key.kind != NodeKind::Share;
    std::uint64_t& since = isSinceOwnFork ? forked_ : state_->last;
    const std::uint64_t begin = std::min(std::max(flush_.begin, since), ticks);
    const std::uint64_t time = std::min(std::max(flush_.end, begin), ticks) - begin;
    flush_ = {};
    since += time;
    noteUnusual();
    return time;
}

void Table::addFlush(const Key& key, std::uint64_t time) noexcept {
    Node* const node = childOf(*node_, key);
    if (node == nullptr) return;
    ++node->visits;
    node->own += time;
}

void Table::flushHere(std::uint64_t ticks) noexcept {
    if (hasFlushed()) addFlush({NodeKind::Flush}, cutFlush(ticks));
}

void Table::flushOnWay(const Way& way, std::uint64_t ticks) noexcept {
    if (std::exchange(isFlushedBeforeFork_, false))
        addFlush({NodeKind::Flush, way.from, way.to}, flushedBeforeFork_);
    const std::uint32_t isSinceFork = isForking_ ? 1 : 0;
    if (hasFlushed()) addFlush({NodeKind::Flush, way.from, way.to, isSinceFork}, cutFlush(ticks));
}

void Table::fork(std::uint64_t ticks) noexcept {
    if (state_->first == 0) state_->first = state_->last = ticks;
    if (hasFlushed()) {
        isFlushedBeforeFork_ = true;
        flushedBeforeFork_ = cutFlush(ticks);
    }
    isForking_ = isUnusual_ = true;
    beforeFork_ = ticks - state_->last;
    forked_ = ticks;
    state_->last = ticks;
}

void Table::join(std::uint64_t ticks) noexcept {
    if (left_ == nullptr || skipped_ != 0) return stay(ticks);
    if (hasFlushed()) addFlush({NodeKind::Flush, 0, left_->number, 1}, cutFlush(ticks));
    left_->after += ticks - state_->last;
    state_->last = ticks;
}

void Table::addTraffic(Node& node) noexcept {
    if (node.traffic == nullptr) {
        auto* const made = static_cast<Traffic*>(makeCell(CellKind::Traffic));
        if (made == nullptr) return drop();
        made->node = node.number;
        finish(made, CellKind::Traffic);
        node.traffic = made;
    }
    for (std::uint32_t kinds = std::exchange(pendingKinds_, 0); kinds != 0; kinds &= kinds - 1) {
        const int i = std::countr_zero(kinds);
        const ProfiledAmount pending = std::exchange(pending_[i], {});
        node.traffic->counts[i].number += pending.number;
        node.traffic->counts[i].bytes += pending.bytes;
    }
}

void Table::drop() noexcept {
    pendingKinds_ = 0;
    std::fill(std::begin(pending_), std::end(pending_), ProfiledAmount{});
}

void Table::read(const std::uint64_t* values) noexcept {
    std::uint64_t* const last = behind(*state_);
    std::uint64_t* const counted = last + counters_;
    for (std::size_t i = 0; i < counters_; ++i) {
        if ((isState_ >> i & 1) != 0)
            counted[i] = std::max(counted[i], values[i]);
        else if (state_->isRead != 0)
            counted[i] += values[i] - last[i];
        last[i] = values[i];
    }
    hasCounted_ = counters_ != 0;
    isUnusual_ = isUnusual_ || hasCounted_;
    state_->isRead = 1;
}

Table::Place Table::workOn(const Place& there, std::uint64_t ticks) noexcept {
    stay(ticks);
    switched_ = ticks;
    const Place before{node_, left_};
    if (there.node != nullptr) {
        left_ = nullptr;
        moveTo(there.node, ticks);
        return before;
    }
    Node* const tasks = childOf(*node_, {NodeKind::Task});
    left_ = nullptr;
    moveTo(tasks != nullptr ? tasks : node_, ticks);
    return before;
}

Table::Place Table::goBack(const Place& there, std::uint64_t ticks) noexcept {
    stay(ticks);
    Node* body = node_->key.kind == NodeKind::Task ? left_ : node_;
    while (body != nullptr && (body->up == nullptr || body->up->key.kind != NodeKind::Task)) body = body->up;
    if (body != nullptr) body->after += ticks - switched_;
    const Place before{node_, nullptr};
    left_ = nullptr;
    if (there.node != nullptr) moveTo(there.node, ticks);
    return before;
}

}  // namespace holos::tracing::profile

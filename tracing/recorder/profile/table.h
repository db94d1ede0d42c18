// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "tracing/recordings/format/cells.h"

namespace holos::tracing::profile {

/// Memory for cells, which stays where it is. `more` gives a zeroed block of at least so many words, or null.
struct Memory {
    std::uint64_t* (*more)(void* owner, std::size_t least, std::size_t& words) noexcept;
    void* owner;
};

/// What one location adds up, call path by call path. Each event costs a few stores; memory grows with call
/// paths and with the orders in which they come, and both have a limit. Used by one thread at a time.
class Table {
  public:
    static constexpr std::uint32_t kMostNodes = 1U << 18;
    static constexpr std::uint32_t kMostWays = 1U << 19;
    static constexpr std::uint64_t kMostNext = 64;  ///< ways that are kept apart from one node

    /// `isState`: by counter a bit that says that its largest value counts, and not its differences.
    Table(Memory memory, std::size_t counters, std::uint64_t isState) noexcept
        : memory_(memory), counters_(counters), isState_(isState) {}
    /// False where there is no memory: then it is of no use. `since`: ticks of the moment from which on there
    /// are events; 0: from the location's start on.
    bool start(std::uint64_t since = 0) noexcept;

    std::uint32_t node() const noexcept { return node_->number; }

    /// Enters what is like a region; false where there is no room for it. Its leave is expected.
    bool enter(const Key& key, std::uint64_t ticks) noexcept { return enterOther(key, ticks); }
    /// Enters a region where those calls led.
    bool enterRegion(std::uint32_t region, std::uint32_t path, std::uint64_t ticks) noexcept {
        const Key key{NodeKind::Region, region, path};
        if (Way* const way = usualWay(key.names())) {
            enterUsually(*way, ticks);
            return true;
        }
        return enterOther(key, ticks);
    }
    /// The way of `enterRegion` which calls nothing, in two steps: null where it is not open.
    Way* usualWay(std::uint64_t names) const noexcept {
        Way* const way = left_ != nullptr ? left_->nextWays : node_->firstWays;
        const bool isOpen =
            way != nullptr && !isUnusual_ && pendingKinds_ == 0 && isRegion(way->target->key, names);
        return isOpen ? way : nullptr;
    }
    void enterUsually(Way& way, std::uint64_t ticks) noexcept {
        way.ticks += ticks - state_->last;
        moveInto(way, ticks);
    }
    /// Leaves the region, and what was entered in it; nothing where the location is not in it.
    void leave(std::uint32_t region, std::uint64_t ticks) noexcept {
        if (leavesUsually(region)) return leaveUsually(ticks);
        leaveOther({NodeKind::Region, region}, ticks);
    }
    /// The way of `leave` which calls nothing, in two steps.
    bool leavesUsually(std::uint32_t region) const noexcept {
        const bool isInnermost = node_->key.first == region && node_->key.kind == NodeKind::Region;
        const bool isOfOneKind = (pendingKinds_ & (pendingKinds_ - 1)) == 0;
        return isInnermost && !isUnusual_ && isOfOneKind && (pendingKinds_ == 0 || node_->traffic != nullptr);
    }
    void leaveUsually(std::uint64_t ticks) noexcept {
        if (pendingKinds_ != 0) addOne(*node_->traffic);
        leaveNode(ticks);
    }
    void leaveOff(std::uint64_t ticks) noexcept { leaveOther({NodeKind::Off}, ticks); }
    void leaveShare(std::uint64_t ticks) noexcept;
    /// Leaves everything.
    void leaveAll(std::uint64_t ticks) noexcept;
    /// Something else happens: until now the location was certainly where it is.
    void stay(std::uint64_t ticks) noexcept;

    /// The recorder wrote its buffer meanwhile. The next event comes after it.
    void flush(std::uint64_t begin, std::uint64_t end) noexcept;
    /// The end of the last one; 0: there was none.
    std::uint64_t flushedUntil() const noexcept { return flushedUntil_; }

    /// The region that is entered next is forked here.
    void fork(std::uint64_t ticks) noexcept;
    /// After that region was left: the end of its team, or of the fork.
    void join(std::uint64_t ticks) noexcept;
    /// Enters the share of a team that another location forked at that time.
    bool enterShare(const Key& key, std::uint64_t forked, std::uint64_t ticks) noexcept;
    /// After such a share was left: the other location's join. Nothing where that is of another fork.
    void joinShare(std::uint64_t forked, std::uint64_t ticks) noexcept;

    /// Until the location is left, counts are of the innermost region; `drop` takes back what was counted in
    /// it.
    void count(ProfileCount what, std::uint64_t number, std::uint64_t bytes) noexcept {
        ProfiledAmount& pending = pending_[static_cast<std::size_t>(what)];
        pending.number += number;
        pending.bytes += bytes;
        pendingKinds_ |= 1U << static_cast<unsigned>(what);
    }
    void drop() noexcept;

    /// A reading of the counters, of the time of the next event.
    void read(const std::uint64_t* values) noexcept;

    /// Where a location goes on with a task.
    struct Place {
        Node* node = nullptr;
        Node* left = nullptr;
    };
    /// From here on the location works on a task: on a new one where `there` has no node. Returns where it
    /// was.
    Place workOn(const Place& there, std::uint64_t ticks) noexcept;
    /// Goes back to the location's own work, where it was.
    Place goBack(const Place& there, std::uint64_t ticks) noexcept;

    /// How many enters had no room.
    std::uint64_t lost() const noexcept { return lost_; }

  private:
    static bool isRegion(const Key& key, std::uint64_t names) noexcept {
        return key.names() == names && key.kind == NodeKind::Region;
    }
    /// After a way whose time was added.
    void moveInto(Way& way, std::uint64_t ticks) noexcept {
        ++way.times;
        Node& entered = *way.target;
        ++entered.visits;
        entered.since = ticks;
        left_ = nullptr;
        moveTo(&entered, ticks);
    }
    /// Leaves the node where the location is, after what was counted in it was added.
    void leaveNode(std::uint64_t ticks) noexcept {
        Node& node = *node_;
        node.own += ticks - state_->last;
        if (node.isTimed != 0) [[likely]]
            addVisit(node, ticks - node.since);
        left_ = &node;
        moveTo(node.up, ticks);
    }
    static void addVisit(Node& node, std::uint64_t time) noexcept {
        ++node.ended;
        if (time < node.least) node.least = time;
        if (time > node.most) node.most = time;
        addSquare(node.squares, time);
    }
    static void addSquare(std::uint64_t* sum, std::uint64_t value) noexcept;
    void moveTo(Node* node, std::uint64_t ticks) noexcept {
        node_ = node;
        state_->node = node->number;
        state_->last = ticks;
    }
    void noteUnusual() noexcept {
        isUnusual_ = state_->first == 0 || isForking_ || hasCounted_ || skipped_ != 0 || flush_.end != 0;
    }

    bool hasFlushed() const noexcept { return flush_.end != 0; }
    /// Takes the flush out of the time that has passed until the next event; how long it took.
    std::uint64_t cutFlush(std::uint64_t ticks) noexcept;
    void addFlush(const Key& key, std::uint64_t time) noexcept;
    /// What was written before an event that finds the location certainly where it is.
    void flushHere(std::uint64_t ticks) noexcept;
    /// Counts what was written before an enter.
    void flushOnWay(const Way& way, std::uint64_t ticks) noexcept;

    void pass(Way& way, std::uint64_t ticks) noexcept;
    void close(std::uint64_t ticks) noexcept;
    bool enterOther(const Key& key, std::uint64_t ticks) noexcept;
    void leaveOther(const Key& key, std::uint64_t ticks) noexcept;
    Way* findWay(const Key& key) noexcept;
    Way* makeWay(Way*& first, std::uint32_t from, Node& target) noexcept;
    Node* childOf(Node& parent, const Key& key) noexcept;
    Node* makeNode(Node* parent, const Key& key) noexcept;
    void* makeCell(CellKind kind) noexcept;
    void finish(void* cell, CellKind kind) noexcept;
    void addOne(Traffic& traffic) noexcept {
        const auto kind = static_cast<unsigned>(std::countr_zero(pendingKinds_));
        ProfiledAmount& pending = pending_[kind];
        traffic.counts[kind].number += pending.number;
        traffic.counts[kind].bytes += pending.bytes;
        pending = {};
        pendingKinds_ = 0;
    }
    void addTraffic(Node& node) noexcept;
    void addCounts(std::uint64_t* sums) noexcept;

    Memory memory_;
    std::size_t counters_;
    std::uint64_t isState_;
    Node* node_ = nullptr;
    Node* left_ = nullptr;  ///< in it, what was left last; null where nothing was, or that is not known
    State* state_ = nullptr;
    std::uint64_t beforeFork_ = 0;
    std::uint64_t forked_ = 0;
    /// The share that was left last.
    struct LastShare {
        Node* region = nullptr;
        std::uint64_t forked = 0;
        std::uint64_t left = 0;
    } share_;
    /// Of the buffer; the end is 0 where none is to come.
    struct Flush {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
    } flush_;
    std::uint64_t flushedUntil_ = 0;
    std::uint64_t flushedBeforeFork_ = 0;  ///< ticks of a flush on the way that is not known yet
    std::uint64_t switched_ = 0;           ///< when it went on with its task
    std::uint32_t pendingKinds_ = 0;       ///< a bit for each that is not zero
    std::uint32_t skipped_ = 0;            ///< open regions that had no room
    bool isForking_ = false;
    bool isFlushedBeforeFork_ = false;
    bool hasCounted_ = false;
    bool isUnusual_ = true;  ///< one of these, or there was no event yet: the short way is closed
    std::uint64_t* free_ = nullptr;
    std::size_t freeWords_ = 0;
    std::uint32_t nodes_ = 0;
    std::uint32_t ways_ = 0;
    std::uint64_t lost_ = 0;
    ProfiledAmount pending_[kProfileCounts] = {};
};

#if defined(__SIZEOF_INT128__)
inline void Table::addSquare(std::uint64_t* sum, std::uint64_t value) noexcept {
    __extension__ using Wide = unsigned __int128;
    const Wide square = static_cast<Wide>(value) * value;
    const auto low = static_cast<std::uint64_t>(square);
    sum[0] += low;
    sum[1] += static_cast<std::uint64_t>(square >> 64U) + (sum[0] < low ? 1 : 0);
}
#endif

}  // namespace holos::tracing::profile

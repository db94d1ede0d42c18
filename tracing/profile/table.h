// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "tracing/profile/cells.h"

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
    /// False where there is no memory: then it is of no use.
    bool start() noexcept;

    std::uint32_t node() const noexcept { return node_->number; }

    /// Enters a region or what is like one; false where there is no room for it. Its leave is expected.
    bool enter(const Key& key, std::uint64_t ticks) noexcept {
        Way*& first = left_ != nullptr ? left_->nextWays : node_->firstWays;
        Way* const way = first;
        if (way == nullptr || way->target->key != key || skipped_ != 0) return enterOther(key, ticks);
        pass(*way, ticks);
        return true;
    }
    /// Leaves the region, and what was entered in it; nothing where the location is not in it.
    void leave(std::uint32_t region, std::uint64_t ticks) noexcept {
        const bool isInnermost =
            node_->key.kind == NodeKind::Region && node_->key.first == region && skipped_ == 0;
        if (isInnermost)
            close(ticks);
        else
            leaveOther({NodeKind::Region, region}, ticks);
    }
    void leaveOff(std::uint64_t ticks) noexcept { leaveOther({NodeKind::Off}, ticks); }
    void leaveShare(std::uint64_t ticks) noexcept;
    /// Leaves everything.
    void leaveAll(std::uint64_t ticks) noexcept;
    /// Something else happens: until now the location was certainly where it is.
    void stay(std::uint64_t ticks) noexcept;

    /// The recorder wrote its buffer meanwhile.
    void flush(std::uint64_t begin, std::uint64_t end) noexcept;

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
    void count(ProfileCount what, std::uint64_t value) noexcept {
        pending_[static_cast<std::size_t>(what)] += value;
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
    /// The same of the location's own work, where it was.
    Place goBack(const Place& there, std::uint64_t ticks) noexcept;

    /// How many enters had no room.
    std::uint64_t lost() const noexcept { return lost_; }

  private:
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
    void addTraffic(Node& node) noexcept;
    void addCounts(std::uint64_t* sums) noexcept;
    void moveTo(Node* node, std::uint64_t ticks) noexcept;

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
    std::uint64_t switched_ = 0;  ///< when it went on with its task
    bool isForking_ = false;
    std::uint32_t pendingKinds_ = 0;  ///< a bit for each that is not zero
    bool hasCounted_ = false;
    std::uint32_t skipped_ = 0;  ///< open regions that had no room
    std::uint64_t* free_ = nullptr;
    std::size_t freeWords_ = 0;
    std::uint32_t nodes_ = 0;
    std::uint32_t ways_ = 0;
    std::uint64_t lost_ = 0;
    std::uint64_t pending_[kProfileCounts] = {};
};

}  // namespace holos::tracing::profile

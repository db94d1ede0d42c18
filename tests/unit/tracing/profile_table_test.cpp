// SPDX-License-Identifier: BSD-3-Clause
#include "tracing/recorder/profile/table.h"

#include <gtest/gtest.h>

#include <cstring>
#include <list>
#include <random>
#include <vector>

namespace holos::tracing::profile {
namespace {

/// A table whose cells can be looked at, in blocks of memory that are all there is.
class Tried {
  public:
    explicit Tried(std::size_t counters = 0, std::uint64_t isState = 0, std::size_t mostBlocks = 100'000)
        : counters_(counters), mostBlocks_(mostBlocks), table({&more, this}, counters, isState) {
        table.start();
    }

    static Key region(std::uint32_t number, std::uint32_t path = 0) {
        return {NodeKind::Region, number, path};
    }
    bool enter(const Key& key, std::uint64_t ticks) {
        return table.enterRegion(key.first, key.second, ticks);
    }
    template <class Cell>
    struct Counted {
        Cell cell;
        std::vector<std::uint64_t> counters;
    };
    std::vector<Counted<Node>> nodes() const { return cells<Node>(CellKind::Node); }
    std::vector<Counted<Way>> ways() const { return cells<Way>(CellKind::Way); }
    std::vector<Counted<Traffic>> traffic() const { return cells<Traffic>(CellKind::Traffic); }
    std::size_t blocks() const { return blocks_.size(); }

  private:
    static std::uint64_t* more(void* owner, std::size_t least, std::size_t& words) noexcept {
        auto& self = *static_cast<Tried*>(owner);
        if (self.blocks_.size() == self.mostBlocks_) return nullptr;
        words = std::max<std::size_t>(least, 512);
        return self.blocks_.emplace_back(words, 0).data();
    }

    template <class Cell>
    std::vector<Counted<Cell>> cells(CellKind wanted) const {
        std::vector<Counted<Cell>> found;
        for (const auto& block : blocks_)
            for (std::size_t at = 0; at < block.size() && block[at] != 0;) {
                const auto kind = static_cast<CellKind>(block[at]);
                const std::size_t words = cellWords(kind, counters_);
                if (kind == wanted) {
                    auto& one = found.emplace_back();
                    std::memcpy(static_cast<void*>(&one.cell), &block[at], sizeof one.cell);
                    if (kind != CellKind::Traffic)
                        one.counters.assign(
                            block.begin() + static_cast<std::ptrdiff_t>(at + words - counters_),
                            block.begin() + static_cast<std::ptrdiff_t>(at + words));
                }
                at += words;
            }
        return found;
    }

    std::size_t counters_;
    std::size_t mostBlocks_;
    std::list<std::vector<std::uint64_t>> blocks_;

  public:
    Table table;
};

TEST(ProfileTable, visitsOfTwoLengths_timesAndSquaresByHand) {
    Tried tried;
    tried.enter(Tried::region(7), 100);
    tried.table.leave(7, 103);
    tried.enter(Tried::region(7), 110);
    tried.table.leave(7, 115);
    const auto nodes = tried.nodes();
    ASSERT_EQ(nodes.size(), 2u);
    const Node& node = nodes[1].cell;
    EXPECT_EQ(node.visits, 2u);
    EXPECT_EQ(node.own, 8u);
    EXPECT_EQ(node.ended, 2u);
    EXPECT_EQ(node.least, 3u);
    EXPECT_EQ(node.most, 5u);
    EXPECT_EQ(node.squares[0], 34u);
    const auto ways = tried.ways();
    ASSERT_EQ(ways.size(), 2u);  // as the first one, and after itself
    EXPECT_EQ(ways[0].cell.from, 0u);
    EXPECT_EQ(ways[1].cell.from, 1u);
    EXPECT_EQ(ways[1].cell.ticks, 7u);
}

TEST(ProfileTable, longVisit_squareNeedsTwoWords) {
    Tried tried;
    const std::uint64_t time = (std::uint64_t{1} << 40) + 3;
    tried.enter(Tried::region(1), 5);
    tried.table.leave(1, 5 + time);
    const Node node = tried.nodes()[1].cell;  // 2^80 + 6 · 2^40 + 9
    EXPECT_EQ(node.squares[0], (std::uint64_t{6} << 40) + 9);
    EXPECT_EQ(node.squares[1], std::uint64_t{1} << 16);
}

TEST(ProfileTable, samePathTwice_noMoreMemory) {
    Tried tried;
    const auto visit = [&](std::uint64_t at) {
        tried.enter(Tried::region(1, 5), at);
        tried.enter(Tried::region(2, 6), at + 1);
        tried.table.leave(2, at + 2);
        tried.table.leave(1, at + 3);
    };
    for (std::uint64_t i = 1; i < 100'000; ++i) visit(10 * i);
    EXPECT_EQ(tried.blocks(), 1u);
    EXPECT_EQ(tried.nodes().size(), 3u);
}

TEST(ProfileTable, childrenInAnyOrder_waysStayFew) {
    constexpr std::uint32_t kChildren = 1000;
    constexpr std::uint64_t kVisits = 200'000;
    Tried tried;
    std::mt19937 random(1);
    for (std::uint64_t i = 1; i <= kVisits; ++i) {
        const auto region = static_cast<std::uint32_t>(random() % kChildren + 1);
        tried.enter(Tried::region(region), 10 * i);
        tried.table.leave(region, 10 * i + 1);
    }
    EXPECT_LE(tried.ways().size(), kChildren * (Table::kMostNext + 1) + 1);
    std::uint64_t visits = 0;
    for (const auto& node : tried.nodes()) visits += node.cell.visits;
    std::uint64_t times = 0;
    std::uint64_t ticks = 0;
    for (const auto& way : tried.ways()) {
        times += way.cell.times;
        ticks += way.cell.ticks;
    }
    EXPECT_EQ(visits, kVisits);
    EXPECT_EQ(times, kVisits);
    EXPECT_EQ(ticks, 9 * (kVisits - 1));
}

TEST(ProfileTable, noMemory_visitsAreLostAndTheRestIsRight) {
    Tried tried(0, 0, 1);
    std::uint32_t region = 0;
    while (tried.table.lost() == 0) {
        ++region;
        tried.enter(Tried::region(region), 10 * region);
    }
    tried.enter(Tried::region(1), 10 * region + 1);  // within what is lost
    tried.table.leave(1, 10 * region + 2);
    tried.table.leave(region, 10 * region + 3);
    EXPECT_EQ(tried.table.lost(), 2u);
    EXPECT_EQ(tried.table.node(), region - 1);
    tried.table.leave(region - 1, 10 * region + 4);
    EXPECT_EQ(tried.table.node(), region - 2);
}

TEST(ProfileTable, leaveOfAnOuterRegion_closesTheInner) {
    Tried tried;
    tried.enter(Tried::region(1), 10);
    tried.enter(Tried::region(2), 12);
    tried.table.leave(3, 13);  // not open: nothing happens
    tried.table.leave(1, 15);
    EXPECT_EQ(tried.table.node(), 0u);
    const auto nodes = tried.nodes();
    EXPECT_EQ(nodes[2].cell.own, 3u);
    EXPECT_EQ(nodes[1].cell.own, 0u);
    EXPECT_EQ(nodes[1].cell.most, 5u);
}

TEST(ProfileTable, failedCall_countsNothing) {
    Tried tried;
    tried.enter(Tried::region(1), 10);
    tried.table.count(ProfileCount::Sends, 1, 8);
    tried.table.drop();
    tried.table.leave(1, 11);
    EXPECT_TRUE(tried.traffic().empty());
    tried.enter(Tried::region(1), 12);
    tried.table.count(ProfileCount::Sends, 1, 8);
    tried.table.leave(1, 13);
    ASSERT_EQ(tried.traffic().size(), 1u);
    const ProfiledAmount counted =
        tried.traffic()[0].cell.counts[static_cast<std::size_t>(ProfileCount::Sends)];
    EXPECT_EQ(counted.number, 1u);
    EXPECT_EQ(counted.bytes, 8u);
}

TEST(ProfileTable, counters_differencesAndLargestState) {
    Tried tried(2, 0b10);
    const auto read = [&](std::uint64_t sum, std::uint64_t state) {
        const std::uint64_t values[] = {sum, state};
        tried.table.read(values);
    };
    read(100, 5);
    tried.enter(Tried::region(1), 10);  // what was counted before is not known
    read(107, 3);
    tried.table.leave(1, 11);
    read(109, 4);
    tried.enter(Tried::region(1), 12);
    read(110, 2);
    tried.table.leave(1, 13);
    EXPECT_EQ(tried.nodes()[1].counters, (std::vector<std::uint64_t>{8, 3}));
    EXPECT_EQ(tried.ways()[0].counters, (std::vector<std::uint64_t>{0, 5}));
    EXPECT_EQ(tried.ways()[1].counters, (std::vector<std::uint64_t>{2, 4}));
}

TEST(ProfileTable, taskThatWaits_goesOnWhereItWas) {
    Tried tried;
    tried.enter(Tried::region(1), 10);
    const Table::Place own = tried.table.workOn({}, 12);
    tried.enter(Tried::region(9), 13);
    const Table::Place task = tried.table.goBack(own, 15);
    EXPECT_EQ(tried.table.node(), 1u);
    tried.table.workOn(task, 20);
    tried.table.leave(9, 24);
    tried.table.goBack(own, 24);
    tried.table.leave(1, 30);
    const auto nodes = tried.nodes();
    ASSERT_EQ(nodes.size(), 4u);
    EXPECT_EQ(nodes[3].cell.own, 6u);
    EXPECT_EQ(nodes[3].cell.after, 7u);  // its runs: 12 to 15, 20 to 24
    EXPECT_EQ(nodes[3].cell.ended, 0u);  // how long a task that waits takes is not timed
    EXPECT_EQ(nodes[1].cell.own, 2u + 5u + 6u);
}

TEST(ProfileTable, flushBetweenTwoEnters_isOnTheWayBetweenThem) {
    Tried tried;
    tried.enter(Tried::region(1), 10);
    tried.table.flush(12, 17);
    EXPECT_EQ(tried.table.flushedUntil(), 17u);
    tried.enter(Tried::region(2), 17);
    tried.table.leave(2, 18);
    tried.table.leave(1, 20);
    const auto nodes = tried.nodes();
    ASSERT_EQ(nodes.size(), 4u);
    const Node& flush = nodes[3].cell;
    EXPECT_EQ(flush.key, (Key{NodeKind::Flush, 1, 2}));
    EXPECT_EQ(flush.parent, 1u);
    EXPECT_EQ(flush.visits, 1u);
    EXPECT_EQ(flush.own, 5u);
    EXPECT_EQ(tried.ways()[1].cell.ticks, 2u);
    EXPECT_EQ(nodes[1].cell.own, 2u);
    EXPECT_EQ(nodes[2].cell.own, 1u);
}

TEST(ProfileTable, flushesAroundAFork_areInNoOtherTime) {
    Tried tried;
    tried.table.stay(1);
    tried.table.flush(2, 5);
    tried.table.fork(10);
    tried.table.flush(11, 13);
    tried.enter(Tried::region(1), 15);
    tried.table.flush(16, 17);
    tried.table.leave(1, 20);
    tried.table.flush(21, 24);
    tried.table.join(25);
    const Way way = tried.ways()[0].cell;
    EXPECT_EQ(way.ticks, 6u);
    EXPECT_EQ(way.sinceFork, 3u);
    std::vector<std::pair<Key, std::uint64_t>> found;
    for (const auto& node : tried.nodes()) found.emplace_back(node.cell.key, node.cell.own);
    const std::vector<std::pair<Key, std::uint64_t>> expected{
        {{}, 0},
        {Tried::region(1), 4},
        {{NodeKind::Flush, 0, 1}, 3},
        {{NodeKind::Flush, 0, 1, 1}, 5},  // and until the join
        {{NodeKind::Flush}, 1}};
    EXPECT_EQ(found, expected);
    EXPECT_EQ(tried.nodes()[1].cell.after, 2u);
}

TEST(ProfileTable, shareOfATeam_forkAndJoinOfTheMaster) {
    Tried worker;
    worker.table.enterShare({NodeKind::Share, 0, 4, 2}, 100, 108);
    worker.enter(Tried::region(1), 110);
    worker.table.leave(1, 150);
    worker.table.leaveShare(150);
    worker.table.joinShare(99, 170);   // of another fork
    worker.table.joinShare(100, 160);  // counts once
    worker.table.joinShare(100, 170);
    const auto nodes = worker.nodes();
    EXPECT_EQ(nodes[2].cell.after, 10u);
    EXPECT_EQ(worker.ways()[1].cell.sinceFork, 10u);
    EXPECT_EQ(worker.table.node(), 0u);
}

}  // namespace
}  // namespace holos::tracing::profile

// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/memory/packed_records.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "analyzer/patterns/waits.h"
#include "analyzer/replay/team_recorder.h"
#include "base/packing.h"

namespace holos::analyzer {
namespace {

struct Record {
    std::int64_t time = 0;
    std::uint32_t number = 0;
    bool marked = false;
    friend bool operator==(const Record&, const Record&) = default;
};

template <class Differences, class Any>
requires std::is_same_v<std::remove_const_t<Any>, Record>
void describe(Differences& differences, Any& record, const Record& before) {
    differences.number(record.time, before.time);
    differences.number(record.number, before.number + 1);
    differences.flag(record.marked);
}

constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
const std::vector<Record> kExtremes{{0, 1, false},     {kLeast, 0, true}, {kMost, ~0U, true},
                                    {kMost, 0, false}, {-1, 127, true},   {64, 128, false}};

PackedRecords<Record> packed(const std::vector<Record>& records) {
    RecordPacker<Record> packer(heap());
    for (const Record& record : records) packer.append(record);
    return packer.take();
}

std::vector<Record> unpacked(const PackedRecords<Record>& records) {
    std::vector<Record> all;
    for (const Record& record : records) all.push_back(record);
    return all;
}

TEST(PackedRecords, none_areEmpty) {
    const PackedRecords<Record> records;
    EXPECT_TRUE(records.empty());
    EXPECT_EQ(records.begin(), records.end());
}

TEST(PackedRecords, extremeNumbers_comeBack) {
    const PackedRecords<Record> records = packed(kExtremes);
    EXPECT_EQ(records.size(), kExtremes.size());
    EXPECT_EQ(unpacked(records), kExtremes);
}

TEST(PackedRecords, sentToAnotherRank_areTheSame) {
    PackedRecords<Record> records = packed(kExtremes);
    Packer packer;
    records.pack(packer);
    Unpacker unpacker(packer.take());
    PackedRecords<Record> received;
    received.pack(unpacker);
    EXPECT_EQ(unpacked(received), kExtremes);
}

TEST(OpenRecords, oneWithinTheOther_standInTheOrderOfTheirBegins) {
    replay::OpenRecords<Record> records(heap());
    EXPECT_EQ(records.open({10, 1, false}), 0U);
    EXPECT_EQ(records.open({20, 2, false}), 1U);
    records.innermost().marked = true;
    EXPECT_EQ(records.close(), 1U);
    EXPECT_EQ(records.open({30, 3, false}), 2U);
    EXPECT_EQ(records.close(), 2U);
    records.innermost().number = 9;
    EXPECT_EQ(records.close(), 0U);
    EXPECT_FALSE(records.isAnyOpen());
    EXPECT_EQ(records.open({40, 4, false}), 3U);  // and is never closed
    EXPECT_EQ(unpacked(records.take()),
              (std::vector<Record>{{10, 9, false}, {20, 2, true}, {30, 3, false}, {40, 4, false}}));
}

TEST(ThreadRecords, barriers_haveAllTheirMembersAgain) {
    RecordPacker<replay::BarrierRecord> packer(heap());
    const replay::BarrierRecord barrier{{7, 3}, 2, true, replay::NodeId(5), 100, 250, 30, 12, 4};
    packer.append({});
    packer.append(barrier);
    const PackedRecords<replay::BarrierRecord> barriers = packer.take();
    const replay::BarrierRecord found = *std::next(barriers.begin());
    EXPECT_EQ(found.team, barrier.team);
    EXPECT_EQ(found.sequence, 2U);
    EXPECT_TRUE(found.implicit);
    EXPECT_EQ(found.node, replay::NodeId(5));
    EXPECT_EQ(found.enter, 100);
    EXPECT_EQ(found.leave, 250);
    EXPECT_EQ(found.tasks, 30);
    EXPECT_EQ(found.event, 12U);
    EXPECT_EQ(found.slice, 4U);
}

TEST(BarrierWaits, packed_haveAllTheirMembersAgain) {
    RecordPacker<patterns::BarrierWait> packer(heap());
    packer.append({60, 1, false});
    packer.append({0, replay::kNone, true});
    packer.append({7, 1, false});
    const PackedRecords<patterns::BarrierWait> waits = packer.take();
    std::vector<patterns::BarrierWait> found;
    for (const patterns::BarrierWait& wait : waits) found.push_back(wait);
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].wait, 60);
    EXPECT_EQ(found[0].awaited, 1U);
    EXPECT_FALSE(found[0].isAwaited);
    EXPECT_EQ(found[1].wait, 0);
    EXPECT_EQ(found[1].awaited, replay::kNone);
    EXPECT_TRUE(found[1].isAwaited);
    EXPECT_EQ(found[2].wait, 7);
    EXPECT_EQ(found[2].awaited, 1U);
}

}  // namespace
}  // namespace holos::analyzer

// SPDX-License-Identifier: BSD-3-Clause
#include "analyzer/replay/packed_slices.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "base/packing.h"

namespace holos::analyzer::replay {

bool operator==(const PathTicks& a, const PathTicks& b) {
    return a.path == b.path && a.ticks == b.ticks;
}

namespace {

using Slice = std::vector<PathTicks>;

Slice between(const PackedSlices& slices, std::uint32_t first, std::uint32_t last) {
    Slice result;
    slices.visit(first, last, [&](std::uint32_t path, trace::Ticks ticks) {
        result.push_back({path, ticks});
    });
    return result;
}

/// Slice n has n % 3 entries, of the call paths n, n + 1 and of n and −n ticks.
PackedSlices manySlices(std::uint32_t count) {
    PackedSlices slices;
    for (std::uint32_t n = 0; n < count; ++n) {
        Slice slice{{n, trace::Ticks{n}}, {n + 1, -trace::Ticks{n}}};
        slice.resize(n % 3);
        slices.append(slice);
    }
    return slices;
}

TEST(PackedSlices, nothingAppended_isEmpty) {
    const PackedSlices slices;
    EXPECT_EQ(slices.size(), 0U);
    EXPECT_TRUE(between(slices, 0, 10).empty());
}

TEST(PackedSlices, extremeNumbers_comeBack) {
    constexpr auto kLeast = std::numeric_limits<trace::Ticks>::min();
    constexpr auto kMost = std::numeric_limits<trace::Ticks>::max();
    const Slice slice{{0, 0},       {127, -1},    {128, 63},     {16383, 64},
                      {16384, -64}, {~0U, kMost}, {~0U, kLeast}, {1, -65}};
    PackedSlices slices;
    slices.append(slice);
    EXPECT_EQ(between(slices, 0, 1), slice);
}

TEST(PackedSlices, ofAnyLength_comeBackOneAfterTheOther) {
    PackedSlices others;
    for (std::uint32_t length = 0; length < 40; ++length)
        others.append(Slice(length, {~0U, std::numeric_limits<trace::Ticks>::min()}));
    PackedSlices slices;
    slices.reserveAs(others);
    PackedSlices::Reader reader(others);
    for (std::uint32_t length = 0; length < 40; ++length) {
        Slice slice;
        reader.visit([&](std::uint32_t path, trace::Ticks ticks) { slice.push_back({path, ticks}); });
        ASSERT_EQ(slice, Slice(length, {~0U, std::numeric_limits<trace::Ticks>::min()}));
        slices.append(slice);
        EXPECT_EQ(between(slices, length, length + 1), slice);
    }
}

TEST(PackedSlices, skipped_theNextOneIsRead) {
    const PackedSlices slices = manySlices(40);
    PackedSlices::Reader reader(slices);
    for (std::uint32_t n = 0; n < 40; ++n) {
        Slice slice;
        if (n % 4 == 3)
            reader.visit([&](std::uint32_t path, trace::Ticks ticks) { slice.push_back({path, ticks}); });
        else
            reader.skip();
        if (n % 4 == 3) {
            EXPECT_EQ(slice, between(slices, n, n + 1));
        }
    }
}

TEST(PackedSlices, anyRange_isWhatWasAppended) {
    const PackedSlices slices = manySlices(40);
    for (std::uint32_t first = 0; first < 40; ++first)
        for (std::uint32_t last = first; last <= 40; ++last) {
            Slice expected;
            for (std::uint32_t n = first; n < last; ++n) {
                if (n % 3 > 0) expected.push_back({n, trace::Ticks{n}});
                if (n % 3 > 1) expected.push_back({n + 1, -trace::Ticks{n}});
            }
            ASSERT_EQ(between(slices, first, last), expected) << first << ' ' << last;
        }
}

TEST(PackedSlices, rangeBeyondTheEnd_endsThere) {
    const PackedSlices slices = manySlices(5);
    EXPECT_EQ(between(slices, 3, 100), between(slices, 3, 5));
    EXPECT_TRUE(between(slices, 5, 100).empty());
}

TEST(PackedSlices, ofOtherNumbers_areThoseOfTheSameTimes) {
    constexpr std::uint32_t kSlices = 300;
    const PackedSlices slices = manySlices(kSlices);
    std::vector<std::uint32_t> numbers;  // two of three call paths, the largest numbers first
    for (std::uint32_t n = 0; n <= kSlices; ++n)
        numbers.push_back(n % 3 == 0 ? PackedSlices::kNoPath : 20'000 - n);
    std::vector<trace::Ticks> sums(20'001);
    PackedSlices renumbered;
    PackedSlices::Reader next(slices);
    while (renumbered.size() < kSlices) renumbered.appendRenumbered(next, numbers, sums);
    std::vector<trace::Ticks> expectedSums(20'001);
    for (std::uint32_t n = 0; n < kSlices; ++n) {
        Slice expected;
        for (const PathTicks& entry : between(slices, n, n + 1)) {
            if (entry.ticks == 0 || numbers[entry.path] == PackedSlices::kNoPath) continue;
            expected.push_back({numbers[entry.path], entry.ticks});
            expectedSums[numbers[entry.path]] += entry.ticks;
        }
        ASSERT_EQ(between(renumbered, n, n + 1), expected) << n;
    }
    EXPECT_EQ(sums, expectedSums);
}

TEST(PackedSlices, renumberedWithChanges_haveOtherTimes) {
    PackedSlices slices;
    slices.append(Slice{{0, 5}, {1, 7}, {2, 100}, {3, -1}});
    slices.append(Slice{{1, 7}});
    const std::vector<std::uint32_t> numbers{10, 11, PackedSlices::kNoPath, 13};
    constexpr trace::Ticks kMuch = trace::Ticks{1} << 60U;
    // Of one nothing is left, another one gets much, twice; the last one is not in the slice.
    const Slice changes{{0, -5}, {1, kMuch}, {1, 1}, {2, 3}, {7, 4}};
    std::vector<trace::Ticks> sums(14);
    PackedSlices renumbered;
    PackedSlices::Reader next(slices);
    renumbered.appendRenumbered(next, numbers, sums, changes);
    renumbered.appendRenumbered(next, numbers, sums);
    EXPECT_EQ(between(renumbered, 0, 1), (Slice{{11, kMuch + 8}, {13, -1}}));
    EXPECT_EQ(between(renumbered, 1, 2), (Slice{{11, 7}}));
    EXPECT_EQ(sums[10], 0);
    EXPECT_EQ(sums[11], kMuch + 15);
    EXPECT_EQ(sums[13], -1);
}

TEST(PackedSlices, sentToAnotherRank_areTheSame) {
    PackedSlices slices = manySlices(40);
    Packer packer;
    slices.pack(packer);
    Unpacker unpacker(packer.take());
    PackedSlices received;
    received.pack(unpacker);
    EXPECT_EQ(received.size(), 40U);
    EXPECT_EQ(between(received, 0, 40), between(slices, 0, 40));
}

}  // namespace
}  // namespace holos::analyzer::replay

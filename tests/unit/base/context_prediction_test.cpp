// SPDX-License-Identifier: BSD-3-Clause
#include "base/context_prediction.h"

#include <gmock/gmock.h>

#include <random>
#include <utility>
#include <vector>

namespace holos {
namespace {

using ::testing::ElementsAre;

constexpr std::uint32_t kNone = ContextPrediction::kNone;
using Enter = std::pair<std::uint32_t, std::uint32_t>;  ///< region and context

/// What is expected at each enter of one region.
std::vector<std::uint32_t> expectedAt(const std::vector<std::uint32_t>& contexts) {
    ContextPrediction prediction;
    std::vector<std::uint32_t> expected;
    for (const std::uint32_t context : contexts) {
        expected.push_back(prediction.expected(7));
        prediction.follow(7, context);
    }
    return expected;
}

/// Where the context is not expected, it is told; the reader knows no more than that.
std::size_t expectReaderFollows(const std::vector<Enter>& enters) {
    ContextPrediction writer;
    ContextPrediction reader;
    std::size_t told = 0;
    for (const auto& [region, context] : enters) {
        const bool isTold = writer.expected(region) != context;
        writer.follow(region, context);
        told += isTold ? 1 : 0;
        const std::uint32_t found = isTold ? context : reader.expected(region);
        reader.follow(region, found);
        if (found != context) ADD_FAILURE() << "of region " << region;
    }
    return told;
}

TEST(ContextPrediction, ofARegionThatWasNeverEnteredFromAKnownPlace_isNeverKnown) {
    ContextPrediction prediction;
    EXPECT_FALSE(prediction.isNeverKnown(3));
    prediction.follow(3, kNone);
    prediction.follow(4, 7);
    prediction.follow(5, kNone);
    EXPECT_TRUE(prediction.isNeverKnown(3));
    EXPECT_FALSE(prediction.isNeverKnown(4));
    prediction.follow(4, kNone);
    prediction.follow(5, 7);
    prediction.follow(5, kNone);
    EXPECT_FALSE(prediction.isNeverKnown(4));
    EXPECT_FALSE(prediction.isNeverKnown(5));
}

/// Whoever does not tell of enters that change nothing expects the same as who does.
TEST(ContextPrediction, entersOfWhatIsNeverKnown_changeNothing) {
    ContextPrediction all;
    ContextPrediction some;
    for (std::uint32_t i = 0; i < 3 * ContextPrediction::kMostPairs; ++i) {
        const std::uint32_t region = i % 7;
        const std::uint32_t context = region < 3 ? kNone : i;
        const bool changes = context != kNone || !some.isNeverKnown(region);
        all.follow(region, context);
        if (changes) some.follow(region, context);
        ASSERT_EQ(some.expected(region), all.expected(region)) << i;
        ASSERT_EQ(some.expected(3), all.expected(3)) << i;
    }
}

TEST(ContextPrediction, ofARegionThatWasNotEntered_isNone) {
    EXPECT_EQ(ContextPrediction().expected(3), kNone);
}

TEST(ContextPrediction, placesInTurn_areForetoldFromTheSecondRoundOn) {
    EXPECT_THAT(expectedAt({1, 2, 3, 1, 2, 3, 1}), ElementsAre(kNone, 1, 2, 3, 2, 3, 1));
}

TEST(ContextPrediction, samePlaceAgain_isForetoldWhereNothingElseCameNext) {
    EXPECT_THAT(expectedAt({4, 4, 4, 5, 4, 5}), ElementsAre(kNone, 4, 4, 4, 5, 5));
}

TEST(ContextPrediction, unknownCalls_areAContextAsOthers) {
    EXPECT_THAT(expectedAt({kNone, 1, kNone, 1, kNone}), ElementsAre(kNone, kNone, 1, 1, kNone));
}

TEST(ContextPrediction, regions_doNotDisturbEachOther) {
    ContextPrediction prediction;
    prediction.follow(1, 10);
    prediction.follow(0xFFFFFFFEU, 20);
    EXPECT_EQ(prediction.expected(1), 10U);
    EXPECT_EQ(prediction.expected(0xFFFFFFFEU), 20U);
}

TEST(ContextPrediction, anyEnters_areReadAsTheyWereWritten) {
    std::mt19937 random(1);
    for (const unsigned contexts : {1U, 2U, 5U, 1000U}) {
        std::vector<Enter> enters(20'000);
        for (auto& [region, context] : enters) {
            region = random() % 4;
            context = random() % 10 == 0 ? kNone : random() % contexts;
        }
        expectReaderFollows(enters);
    }
}

TEST(ContextPrediction, repeatedEnters_areHardlyTold) {
    std::mt19937 random(2);
    std::vector<Enter> round(30);
    for (std::uint32_t i = 0; i < round.size(); ++i) round[i] = {random() % 3, i};
    std::vector<Enter> enters;
    for (int i = 0; i < 100; ++i) enters.insert(enters.end(), round.begin(), round.end());
    EXPECT_LE(expectReaderFollows(enters), round.size() + 3);
}

// Each would need memory for itself: of some all is forgotten, by writer and reader at the same enter.
TEST(ContextPrediction, morePairsThanAreKept_areReadAsTheyWereWritten) {
    std::vector<Enter> enters;
    for (std::uint32_t i = 0; i < 3 * ContextPrediction::kMostPairs; ++i) enters.emplace_back(i % 3, i / 2);
    for (std::uint32_t i = 0; i < 2 * ContextPrediction::kMostPairs; ++i) enters.emplace_back(i, 5);
    expectReaderFollows(enters);
}

TEST(ContextPrediction, fullMemory_isForgottenAtTheNextEnter) {
    ContextPrediction prediction;
    prediction.follow(1, 10);
    for (std::uint32_t i = 0; i < ContextPrediction::kMostPairs - 1; ++i) prediction.follow(2, i);
    EXPECT_EQ(prediction.expected(1), 10U);
    prediction.follow(2, 0);
    EXPECT_EQ(prediction.expected(1), kNone);
    EXPECT_EQ(prediction.expected(2), 0U);
}

}  // namespace
}  // namespace holos

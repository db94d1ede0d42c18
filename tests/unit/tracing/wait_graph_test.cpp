// SPDX-License-Identifier: BSD-3-Clause
// Who waits for whom: cycles, and those for whom the others wait.
#include "tracing/recordings/watch/wait_graph.h"

#include <gmock/gmock.h>

namespace holos::watch {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Numbers = std::vector<std::size_t>;

WaitGraph::Node all(Numbers whom) {
    return {std::move(whom), false, false};
}
WaitGraph::Node any(Numbers whom) {
    return {std::move(whom), true, false};
}

WaitGraph::Node perhaps(Numbers whom) {
    return {whom, false, false, whom};
}

/// A process of which any of these threads is enough.
WaitGraph::Node process(Numbers threads) {
    return {std::move(threads), true, false, {}, true};
}

TEST(WaitGraph, nobodyWaits_nothingIsFound) {
    const auto found = searchWaits({{all({}), all({})}});
    EXPECT_THAT(found.cycles, IsEmpty());
    EXPECT_THAT(found.culprits, IsEmpty());
}

TEST(WaitGraph, twoThatWaitForEachOther_areACycle) {
    const auto found = searchWaits({{all({1}), all({0}), all({0}), all({})}});
    EXPECT_THAT(found.cycles, ElementsAre(ElementsAre(0, 1)));
    EXPECT_EQ(found.behindCycles, 1U);
    EXPECT_THAT(found.culprits, IsEmpty());
}

TEST(WaitGraph, chain_itsEndIsWaitedForByAll) {
    const auto found = searchWaits({{all({1}), all({2}), all({})}});
    EXPECT_THAT(found.cycles, IsEmpty());
    ASSERT_EQ(found.culprits.size(), 1U);
    EXPECT_EQ(found.culprits[0].who, 2U);
    EXPECT_EQ(found.culprits[0].waiting, 2U);
}

/// 0 waits for 1 or 2, and 2 computes.
TEST(WaitGraph, oneIsEnoughAndGoesOn_isNoCycle) {
    const auto found = searchWaits({{any({1, 2}), all({0}), all({})}});
    EXPECT_THAT(found.cycles, IsEmpty());
    EXPECT_EQ(found.culprits.at(0).who, 2U);
}

TEST(WaitGraph, oneIsEnoughAndNoneGoesOn_isACycle) {
    EXPECT_THAT(searchWaits({{any({1, 2}), all({0}), all({0})}}).cycles, ElementsAre(ElementsAre(0, 1)));
}

/// Something that is not known may wake it.
TEST(WaitGraph, oneIsEnoughAndNotAllAreKnown_isNoCycle) {
    EXPECT_THAT(searchWaits({{{{1}, true, true}, all({0})}}).cycles, IsEmpty());
}

/// It needs them all, whoever else it waits for.
TEST(WaitGraph, allAreNeededAndNotAllAreKnown_isACycle) {
    EXPECT_THAT(searchWaits({{{{1}, false, true}, all({0})}}).cycles, ElementsAre(ElementsAre(0, 1)));
}

TEST(WaitGraph, whoWaitsForItself_isACycle) {
    EXPECT_THAT(searchWaits({{all({0})}}).cycles, ElementsAre(ElementsAre(0)));
}

/// 0 and 1 are threads of 3, and 2 that of another process. 1 can do what 2 waits for.
TEST(WaitGraph, oneThreadOfAProcessGoesOn_isNoCycle) {
    const auto found = searchWaits({{all({2}), all({}), all({3}), process({0, 1})}});
    EXPECT_THAT(found.cycles, IsEmpty());
    EXPECT_THAT(found.possibleCycles, IsEmpty());
    ASSERT_EQ(found.culprits.size(), 1U);
    EXPECT_EQ(found.culprits[0].who, 1U);
    EXPECT_EQ(found.culprits[0].waiting, 2U);
}

TEST(WaitGraph, allThreadsOfAProcessWaitForWhoWaitsForIt_areACycle) {
    const auto found = searchWaits({{all({2}), all({2}), all({3}), process({0, 1})}});
    EXPECT_THAT(found.cycles, ElementsAre(ElementsAre(0, 2)));
    EXPECT_EQ(found.behindCycles, 1U);
    EXPECT_THAT(found.culprits, IsEmpty());
}

TEST(WaitGraph, twoGroups_areTwoCycles) {
    EXPECT_THAT(searchWaits({{all({1}), all({0}), all({3}), all({2})}}).cycles,
                ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
}

TEST(WaitGraph, oneOfThemWaitsPerhaps_mayBeACycle) {
    const auto found = searchWaits({{perhaps({1}), all({0}), all({0})}});
    EXPECT_THAT(found.cycles, IsEmpty());
    EXPECT_THAT(found.possibleCycles, ElementsAre(ElementsAre(0, 1)));
    EXPECT_EQ(found.behindCycles, 0U);
}

/// 0 computes.
TEST(WaitGraph, theyWaitPerhapsAndForOneWhoGoesOn_isNoCycle) {
    const auto found = searchWaits({{all({}), perhaps({0, 2}), perhaps({0, 1})}});
    EXPECT_THAT(found.cycles, IsEmpty());
    EXPECT_THAT(found.possibleCycles, IsEmpty());
    EXPECT_EQ(found.culprits.at(0).waiting, 2U);
}

/// 1 waits for 0 in any case, and perhaps for 2.
TEST(WaitGraph, sureCycleOfWhoAlsoWaitsPerhaps_isACycle) {
    const auto found = searchWaits({{all({1}), {{0, 2}, false, false, {2}}, all({})}});
    EXPECT_THAT(found.cycles, ElementsAre(ElementsAre(0, 1)));
    EXPECT_THAT(found.possibleCycles, IsEmpty());
}

/// Perhaps 1 has nothing to wait for, and then that is enough for 0.
TEST(WaitGraph, oneIsEnoughAndIsPerhapsThere_mayBeACycle) {
    const auto found = searchWaits({{{{1, 2}, true, false, {1}}, all({0}), all({0})}});
    EXPECT_THAT(found.cycles, IsEmpty());
    EXPECT_EQ(found.possibleCycles.size(), 1U);
}

TEST(WaitGraph, whoWaitsPerhapsForACycle_isInNoOther) {
    const auto found = searchWaits({{all({1}), all({0}), perhaps({0, 3}), perhaps({2})}});
    EXPECT_THAT(found.cycles, ElementsAre(ElementsAre(0, 1)));
    EXPECT_THAT(found.possibleCycles, IsEmpty());
    EXPECT_EQ(found.behindCycles, 2U);
}

TEST(WaitGraph, mostWaitedFor_comesFirst) {
    const auto found = searchWaits({{all({}), all({}), all({1}), all({1}), all({0})}});
    ASSERT_EQ(found.culprits.size(), 2U);
    EXPECT_EQ(found.culprits[0].who, 1U);
    EXPECT_EQ(found.culprits[1].who, 0U);
}

}  // namespace
}  // namespace holos::watch

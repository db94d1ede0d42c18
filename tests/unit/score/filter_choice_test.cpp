// SPDX-License-Identifier: BSD-3-Clause
#include "report/score/score.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tracing/filter/filter.h"

namespace holos::score {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

RegionScore region(const std::string& name, RegionKind kind, double bytes, double time) {
    return {name, kind, {{bytes, bytes}, bytes / 26, time}};
}

/// 100 bytes of MPI, and of functions: a small one, one that does the work, and one that calls MPI.
Score sample() {
    Score score;
    score.regions = {region("small", RegionKind::User, 500, 1), region("work", RegionKind::User, 300, 100),
                     region("exchange", RegionKind::Common, 200, 1),
                     region("MPI_Send", RegionKind::Mpi, 100, 1)};
    for (const RegionScore& one : score.regions) score.all += one.totals;
    return score;
}

std::vector<std::string> namesOf(const FilterChoice& choice) {
    std::vector<std::string> names;
    for (const RegionScore& region : choice.excluded) names.push_back(region.name);
    return names;
}

TEST(FilterChoiceTest, smallEnough_nothingIsLeftOut) {
    const FilterChoice choice = chooseFilter(sample(), 1100);
    EXPECT_TRUE(choice.isEnough);
    EXPECT_THAT(choice.excluded, IsEmpty());
}

TEST(FilterChoiceTest, littleTooLarge_leavesOutWhatHasMostBytesForItsTime) {
    const FilterChoice choice = chooseFilter(sample(), 700);
    EXPECT_THAT(namesOf(choice), ElementsAre("small"));
    EXPECT_EQ(choice.bytesLeft, 600);
    EXPECT_TRUE(choice.isEnough);
}

TEST(FilterChoiceTest, whatWasNotNeeded_staysIn) {
    Score score = sample();
    score.regions[1] = region("work", RegionKind::User, 450, 0.1);
    score.all.bytes.trace += 150;
    const FilterChoice choice = chooseFilter(score, 750);
    EXPECT_THAT(namesOf(choice), ElementsAre("small"));  // and not "work", which was tried first
}

TEST(FilterChoiceTest, callersOfMpi_goLast) {
    EXPECT_THAT(namesOf(chooseFilter(sample(), 250)), ElementsAre("small", "work", "exchange"));
}

TEST(FilterChoiceTest, mpiAloneTooLarge_saysSo) {
    const FilterChoice choice = chooseFilter(sample(), 50);
    EXPECT_FALSE(choice.isEnough);
    EXPECT_EQ(choice.bytesLeft, 100);
}

/// Behind functions, before those that call MPI; a construct counts at all of its places.
TEST(FilterChoiceTest, locksAndCallsThatOnlyAsk_canBeLeftOut) {
    Score score;
    score.regions = {region("MPI_Comm_rank", RegionKind::Mpi, 400, 1),
                     region("omp_set_lock", RegionKind::OpenMp, 300, 1),
                     region("!$omp critical @a.c:3", RegionKind::OpenMp, 100, 1),
                     region("!$omp critical @a.c:7", RegionKind::OpenMp, 100, 1),
                     region("pthread_mutex_lock", RegionKind::Threads, 150, 1),
                     region("exchange", RegionKind::Common, 60, 1),
                     region("!$omp parallel @a.c:1", RegionKind::OpenMp, 50, 1),
                     region("pthread_create", RegionKind::Threads, 40, 1),
                     region("work", RegionKind::User, 30, 1),
                     region("MPI_Testany", RegionKind::Mpi, 20, 1),
                     region("MPI_Get", RegionKind::Mpi, 10, 1)};
    for (const RegionScore& one : score.regions) score.all += one.totals;
    const FilterChoice choice = chooseFilter(score, 1);
    EXPECT_THAT(namesOf(choice), ElementsAre("work", "MPI_Comm_rank", "omp_set_lock", "pthread_mutex_lock",
                                             "!$omp critical", "exchange"));
    EXPECT_EQ(choice.bytesLeft, 50 + 40 + 20 + 10);
    const filter::Filter filter(filterText(choice), "test");
    for (const char* name : {"MPI_Comm_rank", "omp_set_lock", "!$omp critical", "pthread_mutex_lock"})
        EXPECT_TRUE(filter.excludesCall(name)) << name;
    EXPECT_FALSE(filter.excludesCall("!$omp parallel"));
}

TEST(FilterTextTest, ofAnyName_leavesOutThatOneOnly) {
    for (const std::string name : {"f(int, char*)", "a[3]", "x::operator*()", "#hash", "EXCLUDE",
                                   "back\\slash", "SCOREP_REGION_NAMES_END", "is it?", "MANGLED"}) {
        FilterChoice choice;
        choice.excluded.push_back(region(name, RegionKind::User, 1, 1));
        const filter::Filter filter(filterText(choice), "test");
        EXPECT_TRUE(filter.excludesRegion(name)) << name;
        EXPECT_FALSE(filter.excludesRegion(name + "x")) << name;
        EXPECT_FALSE(filter.excludesRegion("f(int, char)")) << name;
    }
}

TEST(FilterTextTest, ofANameWithLineEnds_addsNoRules) {
    FilterChoice choice;
    const std::string name = "evil\nEXCLUDE *\nSCOREP_REGION_NAMES_END";
    choice.excluded.push_back(region(name, RegionKind::User, 1, 1));
    const filter::Filter filter(filterText(choice), "test");
    EXPECT_TRUE(filter.excludesRegion(name));
    EXPECT_FALSE(filter.excludesRegion("main"));
}

}  // namespace
}  // namespace holos::score

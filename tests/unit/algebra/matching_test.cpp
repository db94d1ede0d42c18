// SPDX-License-Identifier: BSD-3-Clause
// How parts of several experiments pair up: regions, call paths, systems.
#include <gmock/gmock.h>

#include "algebra/operators/aggregates.h"
#include "algebra/operators/collapse.h"
#include "algebra/operators/diff.h"
#include "base/function_name.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

using holos::testing::SmallExperiment;
using holos::testing::valuesAt;
using ::testing::ElementsAre;

Experiment matched(const SmallExperiment::Rows& rows) {
    return SmallExperiment().counter("e", rows).take();
}

TEST(PlainName, compilerSuffixes_areIgnored) {
    for (const char* name : {"f", "f.constprop.0", "f.isra.1", "f.part.2.constprop.3", "f.cold",
                             "f._omp_fn.0", "f.omp_outlined", "f.lto_priv.0", "f_", "f__", "f.llvm.123"})
        EXPECT_EQ(plainName(name), "f") << name;
    EXPECT_EQ(plainName("__solver_MOD_step"), "solver::step");
    EXPECT_EQ(plainName("solver_mp_step_"), "solver::step");
    EXPECT_EQ(plainName("!$omp parallel @a.c:12"), "!$omp parallel");
}

TEST(PlainName, otherNames_stay) {
    for (const char* name : {"main", "f.party", "f.colder", "_start", "a_b", ".omp_outlined.", "___", ""})
        EXPECT_EQ(plainName(name), name);
}

TEST(Matching, movedRegion_isTheSame) {
    const Experiment a = matched({{"main/f", {1, 2}}});
    Experiment b = matched({{"main/f", {10, 20}}});
    for (Region& region : b.regions) region.beginLine += 7;
    EXPECT_THAT(valuesAt(sum({a, b}), "e", "main/f"), ElementsAre(11, 22));
    EXPECT_EQ(sum({a, b}, {.lines = true}).regions.size(), 4u);
}

TEST(Matching, linesTellTwinsApart) {
    // Two functions f of one module; the other run has the second one only.
    Experiment a = matched({{"main/f", {1, 2}}, {"main/twin", {3, 4}}});
    a.regions[1].beginLine = 10;
    a.regions[2].name = "f";
    a.regions[2].beginLine = 50;
    Experiment b = matched({{"main/f", {10, 20}}});
    b.regions[1].beginLine = 50;
    const Experiment result = sum({a, b});
    ASSERT_EQ(result.callTree.size(), 3u);
    EXPECT_EQ(result.severities.table(MetricId(0)).at(CallPathId(2), LocationId(0)), 13);
}

TEST(Matching, otherCompiler_matchesLoosely) {
    const Experiment a = matched({{"main/f._omp_fn.0/g", {1, 2}}});
    Experiment b = matched({{"main/f.omp_outlined/g_", {10, 20}}});
    for (Region& region : b.regions) region.module = "/other/folder/app.c";
    EXPECT_EQ(sum({a, b}).callTree.size(), 6u);
    EXPECT_THAT(valuesAt(sum({a, b}, {.loosely = true}), "e", "main/f._omp_fn.0/g"), ElementsAre(11, 22));
}

TEST(Matching, renamedRegion_isTheSame) {
    Experiment a = matched({{"main/old", {1, 2}}});
    const Experiment b = matched({{"main/new", {10, 20}}});
    renameRegions(a, {{"old", "new"}, {"absent", "x"}});
    EXPECT_THAT(valuesAt(sum({a, b}), "e", "main/new"), ElementsAre(11, 22));
}

TEST(Matching, structure_ignoresRanksAndNames) {
    const Experiment a = SmallExperiment(2, 1, "node 1").counter("e", {{"main", {1, 2}}}).take();
    Experiment b = SmallExperiment(2, 1, "node 7").counter("e", {{"main", {10, 20}}}).take();
    b.system.processes[0].rank = 5;
    b.system.processes[1].rank = 4;
    const Experiment result = sum({a, b}, {.systems = Matching::Systems::Structure});
    EXPECT_EQ(result.system.nodes.size(), 2u);
    EXPECT_THAT(valuesAt(result, "e", "main"), ElementsAre(11, 22));
    EXPECT_EQ(sum({a, b}).system.processes.size(), 4u);
}

TEST(Matching, systemsThatBeginAlike_pairByRankBehind) {
    const Experiment a = SmallExperiment(3, 1).counter("e", {{"main", {1, 2, 3}}}).take();
    Experiment b = SmallExperiment(4, 1).counter("e", {{"main", {10, 20, 30, 40}}}).take();
    b.system.processes[1].rank = 2;
    b.system.processes[2].rank = 1;
    EXPECT_THAT(valuesAt(sum({a, b}), "e", "main"), ElementsAre(11, 32, 23, 40));
    EXPECT_THAT(valuesAt(sum({b, a}), "e", "main"), ElementsAre(11, 23, 32, 40));
}

TEST(Matching, callPathsThatBeginAlike_pairByRegionBehind) {
    const Experiment a = matched({{"main/f", {1, 0}}, {"main/g", {2, 0}}, {"main/h", {3, 0}}});
    const Experiment b = matched({{"main/f", {10, 0}}, {"main/h", {30, 0}}, {"main/g", {20, 0}}});
    const Experiment result = sum({a, b});
    EXPECT_EQ(result.callTree.size(), 4U);
    EXPECT_THAT(valuesAt(result, "e", "main/g"), ElementsAre(22, 0));
    EXPECT_THAT(valuesAt(result, "e", "main/h"), ElementsAre(33, 0));
}

TEST(CollapseWhereDifferent, otherThreads_collapseToProcesses) {
    std::vector<Experiment> runs;
    runs.push_back(SmallExperiment(2, 2).counter("e", {{"main", {1, 2, 3, 4}}}).take());
    runs.push_back(SmallExperiment(2, 1).counter("e", {{"main", {5, 6}}}).take());
    const auto alike = collapseWhereDifferent(std::move(runs));
    EXPECT_THAT(valuesAt(diff(alike[0], alike[1]), "e", "main"), ElementsAre(-2, 1));
}

TEST(CollapseWhereDifferent, otherProcesses_collapseToOne) {
    std::vector<Experiment> runs;
    runs.push_back(SmallExperiment(4, 1).counter("e", {{"main", {1, 2, 3, 4}}}).take());
    runs.push_back(SmallExperiment(2, 1).counter("e", {{"main", {5, 6}}}).take());
    const auto alike = collapseWhereDifferent(std::move(runs));
    EXPECT_THAT(valuesAt(diff(alike[0], alike[1]), "e", "main"), ElementsAre(-1));
}

TEST(CollapseWhereDifferent, sameRanksAndThreads_stay) {
    std::vector<Experiment> runs;
    runs.push_back(SmallExperiment(2, 2, "node 1").counter("e", {{"main", {1, 2, 3, 4}}}).take());
    runs.push_back(SmallExperiment(2, 2, "node 2").counter("e", {{"main", {1, 2, 3, 4}}}).take());
    EXPECT_EQ(collapseWhereDifferent(std::move(runs))[1].system.locations.size(), 4u);
}

}  // namespace
}  // namespace holos::algebra

// SPDX-License-Identifier: BSD-3-Clause
// cut, flatten, collapse
#include "algebra/operators/cut.h"

#include <gmock/gmock.h>

#include "algebra/model/queries.h"
#include "algebra/operators/collapse.h"
#include "algebra/operators/flatten.h"
#include "base/error.h"
#include "tests/support/small_experiment.h"
#include "tests/unit/algebra/sample_experiment.h"

namespace holos::algebra {
namespace {

using holos::testing::SmallExperiment;
using holos::testing::valuesAt;
using ::testing::ElementsAre;

/// Inclusive sums: main 36, main/f 26, main/f/g 8, main/f/h 8, main/g 8.
Experiment program() {
    return SmallExperiment()
        .counter("e", {{"main", {1, 1}},
                       {"main/f", {4, 6}},
                       {"main/f/g", {3, 5}},
                       {"main/f/h", {8, 0}},
                       {"main/g", {2, 6}}})
        .take();
}

std::size_t callPaths(const Experiment& experiment) {
    return experiment.callTree.size();
}

TEST(Cut, prunedRegion_becomesPartOfItsCallers) {
    const Experiment result = cut(program(), {.prune = {"g"}});
    EXPECT_EQ(callPaths(result), 3u);
    EXPECT_THAT(valuesAt(result, "e", "main"), ElementsAre(3, 7));
    EXPECT_THAT(valuesAt(result, "e", "main/f"), ElementsAre(7, 11));
    EXPECT_THAT(valuesAt(result, "e", "main/f/h"), ElementsAre(8, 0));
}

TEST(Cut, newRoot_leavesOnlyWhatIsBelow) {
    const Experiment result = cut(program(), {.roots = {"f"}});
    EXPECT_EQ(callPaths(result), 3u);
    EXPECT_THAT(valuesAt(result, "e", "f"), ElementsAre(4, 6));
    EXPECT_THAT(valuesAt(result, "e", "f/g"), ElementsAre(3, 5));
}

TEST(Cut, newRootOfSeveralPaths_becomesSeveralRoots) {
    EXPECT_EQ(cut(program(), {.roots = {"g"}}).callTree.roots().size(), 2u);
}

TEST(Cut, depth_keepsInclusiveValues) {
    const Experiment two = cut(program(), {.depth = 2});
    EXPECT_EQ(callPaths(two), 3u);
    EXPECT_THAT(valuesAt(two, "e", "main/f"), ElementsAre(15, 11));
    const Experiment one = cut(program(), {.depth = 1});
    EXPECT_THAT(valuesAt(one, "e", "main"), ElementsAre(18, 18));
}

TEST(Cut, share_foldsWhatIsSmaller) {
    // main/f/g, main/f/h and main/g have 8 of 36, 22 %; main/f has 26.
    const Experiment quarter = cut(program(), {.share = Cut::Share{"e", 0.25}});
    EXPECT_EQ(callPaths(quarter), 2u);
    EXPECT_EQ(callPaths(cut(program(), {.share = Cut::Share{"e", 0.2}})), 5u);
}

TEST(Cut, wrongRequest_isAnError) {
    EXPECT_THROW(cut(program(), {.roots = {"absent"}}), Error);
    EXPECT_THROW(cut(program(), {.prune = {"main"}}), Error);
    EXPECT_THROW(cut(program(), {.depth = 0}), Error);
    EXPECT_THROW(cut(program(), {.share = Cut::Share{"absent", 0.1}}), Error);
}

TEST(Cut, misspeltRegion_errorNamesTheNearest) {
    try {
        cut(program(), {.prune = {"mian"}});
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("there is no region \"mian\"; did you mean 'main'?"));
    }
}

TEST(Cut, smallType_becomesWide) {
    Experiment experiment = program();
    experiment.metrics[MetricId(0)].valueType = ValueType::UInt8;
    EXPECT_EQ(cut(std::move(experiment), {.depth = 1}).metrics[MetricId(0)].valueType, ValueType::UInt64);
}

TEST(Flatten, region_hasTheValuesOfAllItsCallPaths) {
    const Experiment result = flatten(program());
    EXPECT_EQ(result.callTree.roots().size(), 4u);
    EXPECT_THAT(valuesAt(result, "e", "g"), ElementsAre(5, 11));
    EXPECT_THAT(valuesAt(result, "e", "main"), ElementsAre(1, 1));
}

/// `time` has 10 p + l + 1 at call path p and location l; two processes of two threads on one node.
Experiment twoProcesses() {
    Experiment experiment = testing::sampleStructure();
    testing::addSampleMetric(experiment, "time", 1.0);
    return experiment;
}

TEST(Collapse, processes_haveTheSumsOfTheirThreads) {
    const Experiment result = collapse(twoProcesses(), CollapseTo::Processes);
    EXPECT_EQ(result.system.processes.size(), 2u);
    EXPECT_THAT(valuesAt(result, "time", "main"), ElementsAre(3, 7));
    EXPECT_EQ(result.system.processes[1].name, "MPI Rank 1");
}

TEST(Collapse, nodes_haveTheSumsOfTheirProcesses) {
    Experiment experiment = twoProcesses();
    experiment.system.processes[1].node =
        experiment.system.nodes.add({"node 2", "node", "", {}}, SystemNodeId(0));
    const Experiment result = collapse(std::move(experiment), CollapseTo::Nodes);
    ASSERT_EQ(result.system.locations.size(), 2u);
    EXPECT_EQ(result.system.processes[1].name, "node 2");
    EXPECT_THAT(valuesAt(result, "time", "main"), ElementsAre(3, 7));
}

TEST(Collapse, one_hasTheSumOfAll) {
    const Experiment result = collapse(twoProcesses(), CollapseTo::One);
    EXPECT_EQ(result.system.nodes[result.system.processes[0].node].name, "cluster");
    EXPECT_THAT(valuesAt(result, "time", "main"), ElementsAre(10));
}

TEST(Collapse, topologies_keepPlacesOfProcesses) {
    Experiment experiment = twoProcesses();
    Topology both{"grid", {{"x", 2, false}}, {{LocationId(0), {0}}, {ProcessId(1), {1}}}};
    Topology threads{"threads", {{"x", 2, false}}, {{LocationId(0), {0}}}};
    experiment.topologies = {both, threads};
    const Experiment result = collapse(std::move(experiment), CollapseTo::Processes);
    ASSERT_EQ(result.topologies.size(), 1u);
    EXPECT_EQ(result.topologies[0].coordinates.size(), 1u);
}

}  // namespace
}  // namespace holos::algebra

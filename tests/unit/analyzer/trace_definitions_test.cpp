// SPDX-License-Identifier: BSD-3-Clause
// Definitions that no trace of this machine's OTF2 has, as they are taken.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/trace/comm_members.h"
#include "analyzer/trace/definitions_builder.h"

namespace holos::testing {
namespace {

using namespace analyzer::trace;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr OTF2_GroupType kCommLocationGroups = 7;  // of OTF2 3.2

/// Two processes, 20 before 10, each with two threads and a stream of an accelerator that belongs to it.
void addTwoProcesses(DefinitionsBuilder& builder) {
    for (const std::uint32_t process : {20U, 10U}) {
        builder.addProcess(process, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
        builder.addLocation(process * 10 + 5, 0, OTF2_LOCATION_TYPE_ACCELERATOR_STREAM, 0, process);
        builder.addLocation(process * 10, 0, OTF2_LOCATION_TYPE_CPU_THREAD, 0, process);
        builder.addLocation(process * 10 + 1, 0, OTF2_LOCATION_TYPE_CPU_THREAD, 0, process);
    }
}

DefinitionsBuilder twoProcesses() {
    DefinitionsBuilder builder;
    builder.addString(0, "");
    builder.setClock(1000, 0, 100);
    addTwoProcesses(builder);
    return builder;
}

void addWorld(DefinitionsBuilder& builder, std::vector<std::uint64_t> processes) {
    builder.addGroup(0, kCommLocationGroups, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, std::move(processes));
    builder.addGroup(1, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, {0, 1});
    builder.addComm(0, 0, 1, OTF2_UNDEFINED_GROUP);
}

TEST(TraceDefinitions, communicatorOfProcesses_hasTheFirstThreadOfEach) {
    DefinitionsBuilder builder = twoProcesses();
    addWorld(builder, {10, 20});
    const Definitions definitions = builder.finish();
    EXPECT_THAT(definitions.problems, IsEmpty());
    ASSERT_EQ(definitions.processes.size(), 2U);
    EXPECT_EQ(definitions.processes[0].reference, 10U) << "by rank";
    ASSERT_EQ(definitions.comms.size(), 1U);
    std::vector<std::uint64_t> members;
    for (const LocationId member : definitions.comms[0].members)
        members.push_back(definitions[member].reference);
    EXPECT_THAT(members, ElementsAre(100, 200));
    EXPECT_EQ(peerProcess(definitions, 0, definitions.comms[0].members[0], 1), ProcessId(1));
}

// Ranks are not defined in their order, and a process without locations, which is taken for none, comes
// before them.
TEST(TraceDefinitions, counterOfAProcess_isDividedAmongTheThreadsOfThatProcess) {
    DefinitionsBuilder builder;
    builder.addString(0, "");
    builder.setClock(1000, 0, 100);
    builder.addProcess(30, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    addTwoProcesses(builder);
    addWorld(builder, {10, 20});
    MetricMember grows;
    grows.mode = MetricMode::AccumulatedSinceStart;
    builder.addMetricMember(0, grows);
    const OTF2_MetricMemberRef member = 0;
    builder.addMetricClass(0, &member, 1);
    const auto readFor = [&](OTF2_MetricRef self, std::uint32_t process) {
        builder.addLocation(1000 + self, 0, OTF2_LOCATION_TYPE_METRIC, 0, 10);
        builder.addMetricInstance(self, 0, 1000 + self, OTF2_SCOPE_LOCATION_GROUP, process);
    };
    readFor(1, 10);
    readFor(2, 20);
    readFor(3, 30);
    const Definitions definitions = builder.finish();
    const auto threads = [&](OTF2_MetricRef instance) {
        std::vector<std::uint64_t> references;
        const auto metricClass = definitions.metricClassOf.find(instance);
        for (const LocationId thread : definitions.metricClasses[metricClass->index()].readFor)
            references.push_back(definitions[thread].reference);
        return references;
    };
    EXPECT_THAT(threads(1), ElementsAre(100, 101));
    EXPECT_THAT(threads(2), ElementsAre(200, 201));
    EXPECT_THAT(threads(3), IsEmpty());
}

TEST(TraceDefinitions, communicatorOfProcessesThatAreNot_isAProblem) {
    DefinitionsBuilder builder = twoProcesses();
    addWorld(builder, {10, 99});
    const Definitions definitions = builder.finish();
    EXPECT_EQ(definitions.problems.size(), 1U);
    EXPECT_THAT(definitions.comms[0].members, IsEmpty());
}

}  // namespace
}  // namespace holos::testing

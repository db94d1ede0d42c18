// SPDX-License-Identifier: BSD-3-Clause
// Traces of other writers: what they leave out, and what only few of them record.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "algebra/insight/findings/efficiencies.h"
#include "algebra/model/queries.h"
#include "analyzer/metric_guide.h"
#include "analyzer/predictor.h"
#include "tests/support/findings.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

constexpr auto* kOuter = "!$omp parallel @test.c:10";
constexpr auto* kInner = "!$omp parallel @test.c:20";
constexpr auto* kBarrierRegion = "!$omp barrier @test.c:12";

/// As some writers do: a name and nothing else.
void knowByNameOnly(TraceBuilder& trace, std::initializer_list<const char*> regions) {
    for (const char* region : regions)
        trace.region(region, {OTF2_PARADIGM_UNKNOWN, OTF2_REGION_ROLE_UNKNOWN, ""});
}

TEST(OtherWriters, regionsWithoutParadigmAndRole_areKnownByName) {
    TraceBuilder trace(2);
    knowByNameOnly(trace, {"main", "MPI_Send", "MPI_Recv", "MPI_Barrier"});
    trace.on(0).enter(0, "main").send(5, 6, {.peer = 1}).barrier(6, 10).leave(20);
    trace.on(1).enter(0, "main").recv(1, 6, {.peer = 0}).barrier(8, 10).leave(20);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_latesender", "main/MPI_Recv", 1), 0.004, kExact);
    EXPECT_NEAR(found.at("mpi_barrier_wait", "main/MPI_Barrier", 0), 0.002, kExact);
    EXPECT_NEAR(found.at("mpi_point2point", "main/MPI_Send", 0), 0.001, kExact);
    EXPECT_NEAR(found.at("comp", "main", 0), 0.015, kExact);
    EXPECT_NEAR(found.at("delay_latesender", "main", 0), 0.004, kExact);  // 5 - 1 before the message
}

TEST(OtherWriters, eventThatFilledTheBuffer_isAsOldAsTheFlush) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").record([begin = trace.timestamp(2), end = trace.timestamp(5)](auto* out) {
        return OTF2_EvtWriter_BufferFlush(out, nullptr, begin, end);
    });
    trace.on(0).enter(2, "leaf").leave(6).leave(9);  // Score-P: the flush has the time of this event
    const Findings found(trace);
    EXPECT_TRUE(found.result().diagnoses.empty());
    EXPECT_NEAR(found.at("overhead", "main/leaf/TRACE BUFFER FLUSH", 0), 0.003, kExact);
    EXPECT_NEAR(found.at("comp", "main/leaf", 0), 0.001, kExact);
    EXPECT_NEAR(found.at("comp", "main", 0), 0.005, kExact);
}

TEST(OtherWriters, callsWithoutRecordsOfOperations_areSaidToHaveNone) {
    TraceBuilder trace(1);
    for (const char* call : {"MPI_Send", "MPI_Bcast", "MPI_Wait"})
        trace.region(call, {OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_FUNCTION, ""});
    trace.on(0).enter(0, "main");
    trace.on(0).enter(1, "MPI_Bcast").leave(3).enter(4, "MPI_Wait").leave(5).leave(9);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_collective", "main/MPI_Bcast", 0), 0.002, kExact);
    const auto& diagnoses = found.result().diagnoses;
    ASSERT_EQ(diagnoses.size(), 1U);  // MPI_Send was not called, and MPI_Wait completes anything
    EXPECT_EQ(
        diagnosisText(diagnoses[0]),
        "trace: not recorded: no collective operations were recorded, only calls of MPI_Bcast: waits and "
        "bytes are not known");
}

TEST(OtherWriters, callsOfOneProcessWithoutMessages_areNoReasonToAsk) {
    for (const unsigned ranks : {1U, 2U}) {
        TraceBuilder trace(ranks);
        trace.region("MPI_Sendrecv", {OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_FUNCTION, ""});
        for (unsigned rank = 0; rank < ranks; ++rank)
            trace.on(rank).enter(0, "main").enter(1, "MPI_Sendrecv").leave(3).leave(9);
        EXPECT_EQ(Findings(trace).result().diagnoses.size(), ranks - 1) << ranks;  // to MPI_PROC_NULL
        const TemporaryDirectory folder;
        const std::filesystem::path anchor = trace.write(folder.path());
        std::ofstream(folder.path() / "measurement.json") << R"({"run": "1f"})";  // Holos recorded it
        EXPECT_TRUE(Findings(anchor, 1).result().diagnoses.empty()) << ranks;
        EXPECT_TRUE(analyzer::Predictor(anchor, {}).diagnoses().empty()) << ranks;
    }
}

TEST(OtherWriters, callsThatMoveNothing_areNoReasonToAsk) {
    TraceBuilder trace(2);
    for (const char* call : {"MPI_Recv_init", "MPI_Iprobe", "MPI_Bcast_init"})
        trace.region(call, {OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_FUNCTION, ""});
    for (unsigned rank = 0; rank < 2; ++rank)
        trace.on(rank).enter(0, "main").call(1, 2, "MPI_Recv_init").call(3, 4, "MPI_Iprobe").leave(9);
    trace.on(0).enter(10, "MPI_Bcast_init").leave(11);
    EXPECT_TRUE(Findings(trace).result().diagnoses.empty());
}

TEST(OtherWriters, parametersOfCalls_areCountedAndLeftOut) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main");
    for (const Tick tick : {1U, 2U, 5U})
        trace.on(0).record([time = trace.timestamp(tick)](auto* out) {
            return OTF2_EvtWriter_ParameterInt(out, nullptr, time, 0, 7);
        });
    trace.on(0).leave(6);
    const Findings found(trace);
    const auto& diagnoses = found.result().diagnoses;
    ASSERT_EQ(diagnoses.size(), 1U);
    EXPECT_EQ(diagnoses[0].trouble, analyzer::Trouble::NotAnalyzed);
    EXPECT_EQ(diagnoses[0].count, 3U);
    EXPECT_NEAR(found.at("time", "main", 0), 0.006, kExact);
    EXPECT_EQ(found.result().statistics.events, 5U);
}

TEST(OtherWriters, parametersInSeveralLocations_areSaidOnce) {
    TraceBuilder trace(3);
    for (unsigned rank = 0; rank < 3; ++rank) {
        trace.on(rank).enter(0, "main");
        for (unsigned i = 0; i <= rank; ++i)
            trace.on(rank).record([time = trace.timestamp(1)](auto* out) {
                return OTF2_EvtWriter_ParameterInt(out, nullptr, time, 0, 7);
            });
        trace.on(rank).leave(6);
    }
    const Findings found(trace);
    ASSERT_EQ(found.result().diagnoses.size(), 1U);
    EXPECT_EQ(diagnosisText(found.result().diagnoses[0]),
              "trace: not analyzed: parameters of calls were left out (6 times)");  // 1 + 2 + 3
}

TEST(OtherWriters, onlyCounters_areNoCallPath) {
    TraceBuilder trace(1);
    const auto counters = trace.counters({{.name = "power"}});
    trace.on(0).counters(1, counters, {5}).counters(9, counters, {8});
    const Findings found(trace);
    EXPECT_EQ(found.total("time"), 0);
    EXPECT_EQ(found.result().statistics.events, 2U);
}

TEST(OtherWriters, onlyCountersBesideThreadsThatRan_areNoThread) {
    TraceBuilder trace(1, 3);
    const auto counters = trace.counters({{.name = "power"}});
    trace.on(0).enter(0, "main").leave(10);
    trace.on(0, 1).counters(1, counters, {5}).counters(9, counters, {8});
    trace.on(0, 2).enter(2, "worker").leave(4);
    const Findings found(trace);
    const auto& locations = found.result().experiment.system.locations;
    ASSERT_EQ(locations.size(), 3U);
    EXPECT_EQ(locations[0].type, algebra::Location::Type::Thread);
    EXPECT_EQ(locations[1].type, algebra::Location::Type::Metric);
    EXPECT_EQ(locations[2].type, algebra::Location::Type::Thread);
}

TEST(OtherWriters, locationOfCounters_standsBehindThreads) {
    TraceBuilder trace(1, 2);
    const auto counters = trace.counters({{.name = "power"}});
    trace.sampler(0).counters(1, counters, {5});
    for (unsigned thread = 0; thread < 2; ++thread) trace.on(0, thread).enter(0, "main").leave(10);
    const Findings found(trace);
    const auto& system = found.result().experiment.system;
    ASSERT_EQ(system.locations.size(), 3U);
    EXPECT_EQ(system.locations[2].type, algebra::Location::Type::Metric);
    EXPECT_EQ(system.locations[1].rank, 1);
    EXPECT_EQ(algebra::numberOfThreads(system), 2U);
}

TEST(OtherWriters, tasksThatMoveBetweenWorkers_areNoCallsOfEachOther) {
    TraceBuilder trace(1, 2);
    trace.region("a", {OTF2_PARADIGM_USER, OTF2_REGION_ROLE_TASK, ""});
    for (unsigned task = 0; task < 100; ++task) {
        trace.on(0, 0).enterTask(10 * task, "a", task);
        trace.on(0, 1).leaveTask(10 * task + 9, "a", task);
    }
    const Findings found(trace);
    EXPECT_TRUE(found.result().diagnoses.empty());
    EXPECT_EQ(found.total("visits"), 100);
    EXPECT_EQ(found.at("visits", "a", 0), 100);
    EXPECT_EQ(found.result().experiment.callTree.size(), 1U);
    EXPECT_NEAR(found.at("time", "a", 0), 0.990, kExact);  // each until the worker's next one
    EXPECT_NEAR(found.total("time"), 0.990, kExact);
}

/// Each worker stands in a region of its own, which it leaves while a task is away.
TEST(OtherWriters, regionAroundATaskThatMovedAway_endsInOrder) {
    TraceBuilder trace(1, 2);
    trace.region("a", {OTF2_PARADIGM_USER, OTF2_REGION_ROLE_TASK, ""});
    for (unsigned worker = 0; worker < 2; ++worker) trace.on(0, worker).enter(0, "loop");
    for (unsigned task = 0; task < 10; ++task) {
        trace.on(0, 0).enterTask(10 * task, "a", task);
        trace.on(0, 1).leaveTask(10 * task + 9, "a", task);
    }
    for (unsigned worker = 0; worker < 2; ++worker) trace.on(0, worker).leave(110);
    const Findings found(trace);
    EXPECT_TRUE(found.result().diagnoses.empty());
    EXPECT_EQ(found.at("visits", "loop/a", 0), 10);
    EXPECT_NEAR(found.at("time", "loop", 0, 1), 0.110, kExact);
    EXPECT_NEAR(found.total("time"), 0.220, kExact);
}

TEST(OtherWriters, taskInsideOfATask_sharesItsTime) {
    TraceBuilder trace(1);
    for (const char* region : {"outer", "inner"})
        trace.region(region, {OTF2_PARADIGM_USER, OTF2_REGION_ROLE_TASK, ""});
    trace.on(0).enterTask(0, "outer", 1).enterTask(10, "inner", 2).enter(12, "f").leave(16);
    trace.on(0).leaveTask(20, "inner", 2).leaveTask(50, "outer", 1);
    const Findings found(trace);
    EXPECT_TRUE(found.result().diagnoses.empty());
    EXPECT_NEAR(found.at("time", "outer", 0), 0.040, kExact);
    EXPECT_NEAR(found.at("time", "inner", 0), 0.006, kExact);
    EXPECT_NEAR(found.at("time", "inner/f", 0), 0.004, kExact);
    EXPECT_EQ(found.total("visits"), 3);
}

TEST(OtherWriters, rolesOfANewerLibrary_areKnown) {
    TraceBuilder trace(1);
    trace.region("k", {OTF2_PARADIGM_CUDA, static_cast<OTF2_RegionRole>(40), ""});
    trace.on(0).enter(0, "main").call(1, 2, "k").leave(3);
    const Findings found(trace);
    const auto& regions = found.result().experiment.regions;
    const auto kernel = std::ranges::find(regions, "k", &algebra::Region::name);
    ASSERT_NE(kernel, regions.end());
    EXPECT_EQ(kernel->role, "kernel");
}

TEST(OtherWriters, streamOfAnAccelerator_hasItsOwnTime) {
    TraceBuilder trace(2);
    for (unsigned rank = 0; rank < 2; ++rank) trace.on(rank).enter(0, "main");
    trace.on(0).barrier(4, 10).leave(20);
    trace.on(1).barrier(8, 10).leave(20);
    trace.stream(1).call(1, 4, "kernel").call(6, 13, "kernel");
    const Findings found(trace);
    EXPECT_FALSE(found.reported(analyzer::Trouble::NotAnalyzed));
    const auto& experiment = found.result().experiment;
    ASSERT_EQ(experiment.system.locations.size(), 3U);
    EXPECT_EQ(experiment.system.locations[2].type, algebra::Location::Type::AcceleratorStream);
    EXPECT_NEAR(found.at("time", "kernel", 2), 0.010, kExact);  // 3 + 7
    EXPECT_EQ(found.at("visits", "kernel", 2), 2);
    EXPECT_EQ(found.at("time", "kernel", 1), 0);
    // What the host waits for, and how well it is used, is as without the stream.
    EXPECT_NEAR(found.total("mpi_barrier_wait"), 0.004, kExact);
    EXPECT_EQ(found.at("imbalance", "kernel", 2), 0);
    EXPECT_NEAR(found.total("critical_path"), 0.020, kExact);
    EXPECT_NEAR(algebra::efficiencies(experiment, analyzer::metricGuide()).parallel, 0.8,
                kExact);  // (14 + 18) / 2 / 20
}

TEST(TeamSizes, smallerTeamFirst_eachBarrierIsOfItsOwnThreads) {
    TraceBuilder trace(1, 3);
    const OTF2_CommRef two = trace.team(0, {0, 1});
    const OTF2_CommRef three = trace.team(0, {0, 1, 2});
    const auto stay = [&](unsigned thread, OTF2_CommRef team, Tick begin, Tick barrier, Tick end) {
        trace.on(0, thread).teamBegin(begin, team).enter(begin, kOuter).call(barrier, end, kBarrierRegion);
        trace.on(0, thread).leave(end).teamEnd(end, team);
    };
    trace.on(0).enter(0, "main").fork(1, 2);
    stay(0, two, 1, 2, 10);
    stay(1, two, 1, 8, 10);
    trace.on(0).join(10).fork(11, 3);
    stay(0, three, 11, 12, 20);
    stay(1, three, 11, 19, 20);
    stay(2, three, 11, 13, 20);
    trace.on(0).join(20).leave(22);
    const Findings found(trace);
    const std::string barrier = std::string("main/") + kOuter + '/' + kBarrierRegion;
    EXPECT_NEAR(found.at("omp_ebarrier_wait", barrier, 0, 0), 0.013, kExact);  // 8 - 2, 19 - 12
    EXPECT_EQ(found.at("omp_ebarrier_wait", barrier, 0, 1), 0);
    EXPECT_NEAR(found.at("omp_ebarrier_wait", barrier, 0, 2), 0.006, kExact);  // 19 - 13
    EXPECT_TRUE(found.result().diagnoses.empty());
}

TEST(NestedTeams, innerBarrier_isNotWaitedForByTheOuterTeam) {
    TraceBuilder trace(1, 3);
    const OTF2_CommRef outer = trace.team(0, {0, 1});
    const OTF2_CommRef inner = trace.team(0, {1, 2});
    trace.on(0).enter(0, "main").fork(1, 2).teamBegin(1, outer).enter(1, kOuter);
    trace.on(0).call(3, 20, kBarrierRegion).leave(20).teamEnd(20, outer).join(20).leave(22);
    trace.on(0, 1).teamBegin(1, outer).enter(1, kOuter).fork(4, 2).teamBegin(4, inner).enter(4, kInner);
    trace.on(0, 1).call(5, 12, kBarrierRegion).leave(12).teamEnd(12, inner).join(12);
    trace.on(0, 1).call(18, 20, kBarrierRegion).leave(20).teamEnd(20, outer);
    trace.on(0, 2)
        .teamBegin(4, inner)
        .enter(4, kInner)
        .call(11, 12, kBarrierRegion)
        .leave(12)
        .teamEnd(12, inner);
    const Findings found(trace);
    const std::string outside = std::string("main/") + kOuter;
    const std::string inside = outside + '/' + kInner + '/' + kBarrierRegion;
    EXPECT_NEAR(found.at("omp_ebarrier_wait", outside + '/' + kBarrierRegion, 0, 0), 0.015,
                kExact);                                                      // 18 - 3
    EXPECT_NEAR(found.at("omp_ebarrier_wait", inside, 0, 1), 0.006, kExact);  // 11 - 5
    EXPECT_EQ(found.at("omp_ebarrier_wait", inside, 0, 2), 0);
    EXPECT_NEAR(found.total("omp_ebarrier_wait"), 0.021, kExact);
    EXPECT_TRUE(found.result().diagnoses.empty());
}

}  // namespace
}  // namespace holos::testing

// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "analyzer/trace/comm_members.h"
#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

TEST(InitFinalize, ranksLeaveInitOneByOne_completionAfterTheFirst) {
    TraceBuilder trace(3);
    trace.on(0).enter(0, "main").call(0, 8, "MPI_Init").call(10, 12, "MPI_Finalize").leave(13);
    trace.on(1).enter(0, "main").call(2, 7, "MPI_Init").call(10, 12, "MPI_Finalize").leave(13);
    trace.on(2).enter(0, "main").call(4, 6, "MPI_Init").call(10, 12, "MPI_Finalize").leave(13);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_init_completion", "main/MPI_Init", 0), 0.002, kExact);  // 8 - 6
    EXPECT_NEAR(found.at("mpi_init_completion", "main/MPI_Init", 1), 0.001, kExact);  // 7 - 6
    EXPECT_EQ(found.at("mpi_init_completion", "main/MPI_Init", 2), 0);
    EXPECT_EQ(found.total("mpi_finalize_wait"), 0);  // all came at once
}

TEST(InitFinalize, lastRankLateAtFinalize_othersWaitForIt) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").call(0, 2, "MPI_Init_thread").call(5, 12, "MPI_Finalize").leave(13);
    trace.on(1).enter(0, "main").call(0, 2, "MPI_Init_thread").call(9, 12, "MPI_Finalize").leave(13);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_finalize_wait", "main/MPI_Finalize", 0), 0.004, kExact);  // 9 - 5
    EXPECT_NEAR(found.total("mpi_finalize_wait"), 0.004, kExact);
    EXPECT_EQ(found.total("mpi_init_completion"), 0);
}

TEST(InitFinalize, leftFinalizeBeforeTheLastCame_waitIsTheWholeCall) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").call(0, 2, "MPI_Init").call(5, 7, "MPI_Finalize").leave(13);
    trace.on(1).enter(0, "main").call(0, 2, "MPI_Init").call(9, 12, "MPI_Finalize").leave(13);
    EXPECT_NEAR(Findings(trace).total("mpi_finalize_wait"), 0.002, kExact);  // min(9, 7) - 5
}

TEST(InitFinalize, lastRankLateAtInit_othersWaitForItAndItsWorkIsToBlame) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").call(1, 8, "MPI_Init").call(10, 12, "MPI_Finalize").leave(13);
    trace.on(1).enter(0, "main").call(0, 6, "reads").call(6, 8, "MPI_Init");
    trace.on(1).call(10, 12, "MPI_Finalize").leave(13);
    const Findings found(trace);
    EXPECT_NEAR(found.at("mpi_init_wait", "main/MPI_Init", 0), 0.005, kExact);  // 6 - 1
    EXPECT_NEAR(found.total("mpi_init_wait"), 0.005, kExact);
    EXPECT_NEAR(found.at("delay_init", "main/reads", 1), 0.005, kExact);
    EXPECT_NEAR(found.at("critical_path", "main/reads", 1), 0.006, kExact);
}

TEST(InitFinalize, leftInitBeforeTheLastCame_noWait) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").call(1, 5, "MPI_Init").call(10, 12, "MPI_Finalize").leave(13);
    trace.on(1).enter(0, "main").call(5, 8, "MPI_Init").call(10, 12, "MPI_Finalize").leave(13);
    EXPECT_EQ(Findings(trace).total("mpi_init_wait"), 0);
}

TEST(InitFinalize, oneProcess_noWait) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").call(0, 2, "MPI_Init").call(5, 7, "MPI_Finalize").leave(8);
    const Findings found(trace);
    EXPECT_EQ(found.total("mpi_init_completion"), 0);
    EXPECT_EQ(found.total("mpi_finalize_wait"), 0);
    EXPECT_NEAR(found.total("mpi_init_exit"), 0.004, kExact);  // (2 - 0) + (7 - 5)
}

/// Processes that started others.
analyzer::trace::Definitions definitionsOfTwoWorlds() {
    using namespace analyzer::trace;
    const LocationId first(0);
    const LocationId second(1);
    const LocationId third(2);
    Definitions all;
    for (std::uint32_t i = 0; i < 4; ++i) {
        all.processes.emplace_back();
        all.locations.emplace_back().process = ProcessId(i);
    }
    const auto addComm = [&all](const char* name, std::vector<LocationId> members) {
        Comm& comm = all.comms.emplace_back();
        comm.name = name;
        comm.paradigm = Paradigm::Mpi;
        comm.members = std::move(members);
    };
    addComm("", {first, second, third});
    addComm("MPI_COMM_WORLD", {first});
    addComm("MPI_COMM_WORLD", {second, third});
    addComm("MPI_COMM_WORLD", {third, second});  // a duplicate that the program named
    return all;
}

TEST(Worlds, processesThatStartedOthers_areOfTheirOwn) {
    using analyzer::trace::LocationId;
    const auto definitions = definitionsOfTwoWorlds();
    const analyzer::trace::Worlds worlds(definitions);
    EXPECT_EQ(worlds.count(), 2u);
    EXPECT_EQ(worlds.of(LocationId(0)), 0u);
    EXPECT_EQ(worlds.of(LocationId(1)), 1u);
    EXPECT_EQ(worlds.of(LocationId(2)), 1u);
    EXPECT_EQ(worlds.of(LocationId(3)), 0u) << "no process of MPI";
}

TEST(Worlds, withoutMpi_isOne) {
    EXPECT_EQ(analyzer::trace::Worlds(analyzer::trace::Definitions()).count(), 1u);
}

}  // namespace
}  // namespace holos::testing

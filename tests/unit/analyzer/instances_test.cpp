// SPDX-License-Identifier: BSD-3-Clause
// The longest waits of each pattern, with time stamps and participants.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

std::string instancesOf(const TraceBuilder& trace, unsigned workers = 1) {
    const Findings found(trace, workers);
    const auto& files = found.result().experiment.files;
    const auto instances = files.find(analyzer::kInstancesName);
    return instances == files.end() ? "" : instances->second;
}

/// Rank 1 waits 2, 5 and 5 ms for rank 0 in `main`, and 3 in `main/f`.
void lateMessages(TraceBuilder& trace) {
    trace.on(0).enter(0, "main").send(12, 13, {.peer = 1}).send(25, 26, {.peer = 1});
    trace.on(0).send(35, 36, {.peer = 1}).send(43, 44, {.peer = 1}).leave(50);
    trace.on(1).enter(0, "main").recv(10, 14, {.peer = 0}).recv(20, 27, {.peer = 0});
    trace.on(1).recv(30, 37, {.peer = 0}).enter(39, "f").recv(40, 45, {.peer = 0}).leave(46).leave(50);
}

TEST(Instances, ofEachCallPath_theLongestAndOfEqualOnesTheFirst) {
    TraceBuilder trace(2);
    lateMessages(trace);
    EXPECT_EQ(instancesOf(trace),
              "metric\twait\tbegin\tlocation\tawaited\tcall_path\n"
              "mpi_latesender\t0.005000\t0.020000\tMPI Rank 1 / Master thread\t"
              "MPI Rank 0 / Master thread\tmain/MPI_Recv\n"
              "mpi_latesender\t0.003000\t0.040000\tMPI Rank 1 / Master thread\t"
              "MPI Rank 0 / Master thread\tmain/f/MPI_Recv\n");
    EXPECT_EQ(instancesOf(trace, 2), instancesOf(trace));
}

TEST(Instances, barrierWithoutNamedCauser_namesTheLastRank) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").barrier(1, 8).leave(9);
    trace.on(1).enter(0, "main").barrier(6, 8).leave(9);
    EXPECT_EQ(instancesOf(trace),
              "metric\twait\tbegin\tlocation\tawaited\tcall_path\n"
              "mpi_barrier_wait\t0.005000\t0.001000\tMPI Rank 0 / Master thread\t"
              "MPI Rank 1 / Master thread\tmain/MPI_Barrier\n");
}

TEST(Instances, nobodyWaits_nothingIsKept) {
    TraceBuilder trace(2);
    for (unsigned rank = 0; rank < 2; ++rank) trace.on(rank).enter(0, "main").barrier(5, 6).leave(9);
    EXPECT_EQ(instancesOf(trace), "");
}

TEST(Instances, manyCallPaths_fiveOfEachPattern) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main");
    trace.on(1).enter(0, "main");
    for (Tick i = 0; i < 7; ++i) {
        const std::string function = "f" + std::to_string(i);
        trace.on(0).send(10 * i + 1 + i, 10 * i + 9, {.peer = 1});
        trace.on(1).enter(10 * i, function).recv(10 * i, 10 * i + 9, {.peer = 0}).leave(10 * i + 9);
    }
    trace.on(0).leave(99);
    trace.on(1).leave(99);
    const std::string found = instancesOf(trace);
    EXPECT_EQ(std::count(found.begin(), found.end(), '\n'), 6);  // with the heading
    EXPECT_NE(found.find("main/f6/MPI_Recv"), std::string::npos);
    EXPECT_EQ(found.find("main/f1/MPI_Recv"), std::string::npos);
}

}  // namespace
}  // namespace holos::testing

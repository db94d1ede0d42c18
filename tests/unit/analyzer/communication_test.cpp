// SPDX-License-Identifier: BSD-3-Clause
// Who sent what to whom, and who waited for whom.
#include "algebra/model/communication.h"

#include <gmock/gmock.h>

#include "tests/support/findings.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

algebra::Traffic traffic(std::size_t sender, std::size_t receiver, double messages, double bytes,
                         double lateSender = 0.0, double lateReceiver = 0.0, double put = 0.0,
                         double got = 0.0) {
    return {algebra::ProcessId(sender),
            algebra::ProcessId(receiver),
            messages,
            bytes,
            lateSender,
            lateReceiver,
            put,
            got};
}

/// Rank 1 waits 2 ms for rank 0's first message and not for its second; rank 2 sends nothing but an empty
/// one.
void threeRanks(TraceBuilder& trace) {
    trace.on(0)
        .enter(0, "main")
        .send(12, 13, {.peer = 1, .bytes = 100})
        .send(20, 21, {.peer = 1, .bytes = 11});
    trace.on(0).recv(30, 34, {.peer = 2, .bytes = 0}).leave(50);
    trace.on(1).enter(0, "main").recv(10, 14, {.peer = 0, .bytes = 100});
    trace.on(1).recv(25, 26, {.peer = 0, .bytes = 11}).leave(50);
    trace.on(2).enter(0, "main").send(27, 28, {.peer = 0, .bytes = 0}).leave(50);
}

TEST(Communication, messagesBytesAndWaits_areAddedByPair) {
    TraceBuilder trace(3);
    threeRanks(trace);
    const Findings found(trace);
    EXPECT_THAT(algebra::communicationOf(found.result().experiment),
                ElementsAre(traffic(0, 1, 2, 111, 0.002), traffic(2, 0, 1, 0)));
    EXPECT_DOUBLE_EQ(found.total("bytes_sent"), 111);
    EXPECT_DOUBLE_EQ(found.total("mpi_latesender"), 0.002);
}

TEST(Communication, severalWorkers_findTheSame) {
    TraceBuilder trace(3);
    threeRanks(trace);
    const auto textOf = [&trace](unsigned workers) {
        return Findings(trace, workers).result().experiment.files.at(algebra::kCommunicationFile);
    };
    EXPECT_EQ(textOf(2), textOf(1));
}

/// The receiver comes at 20: a synchronous send waits for it from 5 on.
TEST(Communication, senderThatWaits_isSeen) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(5, 22, {.peer = 1}).leave(30);
    trace.on(1).enter(0, "main").recv(20, 22, {.peer = 0}).leave(30);
    const Findings found(trace);
    const auto pairs = algebra::communicationOf(found.result().experiment);
    ASSERT_EQ(pairs.size(), 1U);
    EXPECT_DOUBLE_EQ(pairs[0].lateReceiver, found.total("mpi_latereceiver"));
    EXPECT_DOUBLE_EQ(pairs[0].lateReceiver, 0.015);
}

/// In a communicator of ranks 2 and 1, in this order.
TEST(Communication, ranksOfACommunicator_areProcessesOfTheWorld) {
    TraceBuilder trace(3);
    const auto comm = trace.communicator({2, 1});
    trace.on(0).enter(0, "main").leave(9);
    trace.on(1).enter(0, "main").recv(1, 6, {.peer = 0, .bytes = 4, .comm = comm}).leave(9);
    trace.on(2).enter(0, "main").send(1, 2, {.peer = 1, .bytes = 4, .comm = comm}).leave(9);
    const Findings found(trace);
    EXPECT_THAT(algebra::communicationOf(found.result().experiment), ElementsAre(traffic(2, 1, 1, 4)));
}

/// Rank 0 puts 16 bytes into the window of rank 1 and gets 4 from it; rank 1 puts into its own.
TEST(Communication, oneSidedBytes_goFromWhoHadThemToWhoHasThem) {
    TraceBuilder trace(2);
    const auto window = trace.window();
    trace.region("MPI_Put", {OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_RMA, "MPI"});
    trace.region("MPI_Get", {OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_RMA, "MPI"});
    const auto put = [&](unsigned rank, Tick begin, unsigned target, std::uint64_t bytes) {
        const auto time = trace.timestamp(begin);
        trace.on(rank)
            .enter(begin, "MPI_Put")
            .record([=](auto* out) {
                return OTF2_EvtWriter_RmaPut(out, nullptr, time, window, target, bytes, 1);
            })
            .leave(begin + 1);
    };
    const auto get = [&](unsigned rank, Tick begin, unsigned target, std::uint64_t bytes) {
        const auto time = trace.timestamp(begin);
        trace.on(rank)
            .enter(begin, "MPI_Get")
            .record([=](auto* out) {
                return OTF2_EvtWriter_RmaGet(out, nullptr, time, window, target, bytes, 1);
            })
            .leave(begin + 1);
    };
    for (unsigned rank = 0; rank < 2; ++rank) trace.on(rank).enter(0, "main");
    put(0, 1, 1, 10);
    put(0, 3, 1, 6);
    get(0, 5, 1, 4);
    put(1, 1, 1, 2);
    put(1, 3, 9, 100);  // nobody
    for (unsigned rank = 0; rank < 2; ++rank) trace.on(rank).leave(9);
    const Findings found(trace);
    EXPECT_THAT(algebra::communicationOf(found.result().experiment),
                ElementsAre(traffic(0, 1, 0, 0, 0, 0, 16), traffic(1, 0, 0, 0, 0, 0, 0, 4),
                            traffic(1, 1, 0, 0, 0, 0, 2)));
}

TEST(Communication, noMessages_nothingIsKept) {
    TraceBuilder trace(2);
    for (unsigned rank = 0; rank < 2; ++rank) trace.on(rank).enter(0, "main").barrier(5, 6).leave(9);
    const Findings found(trace);
    EXPECT_THAT(
        found.result().experiment.files,
        ::testing::Not(::testing::Contains(::testing::Key(std::string(algebra::kCommunicationFile)))));
}

}  // namespace
}  // namespace holos::testing

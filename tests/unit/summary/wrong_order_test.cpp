// SPDX-License-Identifier: BSD-3-Clause
// Receives that wait while messages of other senders are there: a fault of order only as far as the receiver
// has work for these.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "algebra/insight/summary/summary.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

/// In each of ten calls of `round` the first process receives one message of each of the others, and works on
/// it for so many seconds; in the first receive it waits 0.6 s for the second process, and the others'
/// messages are there. In `loop` all rounds are in one call.
Experiment rounds(double work, double ofSecond, bool isLoop = false) {
    const std::string round = isLoop ? "main/loop" : "main/round";
    testing::SmallExperiment build(4, 1);
    build.metric(testing::seconds("time"), "",
                 {{round, {work, 0, 0, 0}},
                  {round + "/MPI_Recv", {6, 0, 0, 0}},
                  {"main/solve", {4, ofSecond, 4, 4}},
                  {"main/MPI_Barrier", {0, 0, 6, 6}}});
    build.metric(testing::seconds("comp"), "time",
                 {{round, {work, 0, 0, 0}}, {"main/solve", {4, ofSecond, 4, 4}}});
    build.metric(testing::seconds("mpi_latesender"), "time", {{round + "/MPI_Recv", {6, 0, 0, 0}}});
    build.metric(testing::seconds("mpi_latesender_wo"), "mpi_latesender",
                 {{round + "/MPI_Recv", {6, 0, 0, 0}}});
    build.metric(testing::seconds("mpi_lswo_different"), "mpi_latesender_wo",
                 {{round + "/MPI_Recv", {6, 0, 0, 0}}});
    build.metric(testing::seconds("delay"), "", {{"main/solve", {0, 6, 0, 0}}});
    build.metric(testing::seconds("delay_latesender_aggregate"), "delay", {{"main/solve", {0, 6, 0, 0}}});
    const double calls = isLoop ? 1 : 10;
    build.metric(testing::seconds("visits"), "",
                 {{round, {calls, calls, calls, calls}}, {round + "/MPI_Recv", {30, 0, 0, 0}}});
    return build.take();
}

double costOf(const Experiment& experiment, const char* kind) {
    double cost = 0;
    const auto summary = summarize(experiment);
    for (const Problem& problem : summary->problems)
        if (problem.kind == kind) cost += problem.cost;
    return cost;
}

TEST(OrderOfMessages, whoHasNoWorkForThem_waitsForALateSender) {
    EXPECT_EQ(costOf(rounds(0, 10), "wrong-order"), 0);
    EXPECT_NEAR(costOf(rounds(0, 10), "imbalance"), 6, 1e-9);
}

/// Of three messages of a round it can do the work of two earlier.
TEST(OrderOfMessages, ofDifferentSenders_costsNoMoreThanTheWorkForThem) {
    EXPECT_NEAR(costOf(rounds(4.5, 10), "wrong-order"), 3, 1e-9);
    EXPECT_NEAR(costOf(rounds(4.5, 10), "imbalance"), 3, 1e-9);
}

/// It is not known whether it works between the receives of a round, or between rounds.
TEST(OrderOfMessages, ofALoop_isNoFaultWhereTheSenderWorksLonger) {
    EXPECT_EQ(costOf(rounds(1.5, 10, true), "wrong-order"), 0);
    EXPECT_NEAR(costOf(rounds(1.5, 10, true), "imbalance"), 6, 1e-9);
    const Experiment nobodyIsLate = rounds(4.5, 4, true);
    EXPECT_GE(costOf(nobodyIsLate, "wrong-order"), 3 - 1e-9);
    const auto problems = summarize(nobodyIsLate)->problems;
    const auto order = std::ranges::find(problems, "wrong-order", &Problem::kind);
    ASSERT_NE(order, problems.end());
    EXPECT_NE(order->why.find("spares only what is done between these receives"), std::string::npos);
}

/// Of 6 s that the first process waits in wrong order, the sender has no processor for 4 s: these are told
/// with the lack of processors alone.
TEST(OrderOfMessages, whileTheSenderLacksAProcessor_isToldOnce) {
    constexpr auto *kRecv = "main/round/MPI_Recv", *kWithout = "main/solve/WAITING FOR A PROCESSOR";
    const auto problemsOf = [&](double without) {
        testing::SmallExperiment build(2, 1);
        build.metric(testing::seconds("time"), "",
                     {{"main/round", {4, 0}},
                      {kRecv, {6, 0}},
                      {"main/solve", {0, 10 - without}},
                      {kWithout, {0, without}}});
        build.metric(testing::seconds("comp"), "time",
                     {{"main/round", {4, 0}}, {"main/solve", {0, 10 - without}}});
        build.metric(testing::seconds("processor_waiting"), "time", {{kWithout, {0, without}}});
        build.metric(testing::seconds("mpi_latesender"), "time", {{kRecv, {6, 0}}});
        build.metric(testing::seconds("mpi_latesender_wo"), "mpi_latesender", {{kRecv, {6, 0}}});
        const testing::SmallExperiment::Rows delays{{"main/solve", {0, 6 - without}},
                                                    {kWithout, {0, without}}};
        build.metric(testing::seconds("delay"), "", delays);
        build.metric(testing::seconds("delay_latesender_aggregate"), "delay", delays);
        return summarize(build.take())->problems;
    };
    const auto ofOrder = [](const std::vector<Problem>& problems) {
        return *std::ranges::find(problems, "wrong-order", &Problem::kind);
    };
    EXPECT_NEAR(ofOrder(problemsOf(0)).cost, 6, 1e-9);
    EXPECT_EQ(ofOrder(problemsOf(0)).why.find("no processor"), std::string::npos);
    EXPECT_EQ(ofOrder(problemsOf(0)).why.find("between these receives"), std::string::npos);  // of one sender
    EXPECT_NEAR(ofOrder(problemsOf(4)).cost, 2, 1e-9);
    EXPECT_NE(ofOrder(problemsOf(4)).why.find("in 67 % of such waiting senders had no processor"),
              std::string::npos);
}

/// The first process waits 0.6 s in wrong order; the others wait for its work in another place, which has
/// nothing to do with that.
TEST(OrderOfMessages, explainsNoMoreThanWhatFollowsFromIt) {
    constexpr auto* kRecv = "main/exchange/MPI_Recv";
    testing::SmallExperiment build(2, 1);
    build.metric(
        testing::seconds("time"), "",
        {{"main/exchange", {1, 1}}, {kRecv, {0.6, 0}}, {"main/solve", {8, 8}}, {"main/MPI_Barrier", {3, 3}}});
    build.metric(testing::seconds("comp"), "time", {{"main/exchange", {1, 1}}, {"main/solve", {8, 8}}});
    build.metric(testing::seconds("mpi_latesender"), "time", {{kRecv, {0.6, 0}}});
    build.metric(testing::seconds("mpi_latesender_wo"), "mpi_latesender", {{kRecv, {0.6, 0}}});
    build.metric(testing::seconds("mpi_barrier_wait"), "time", {{"main/MPI_Barrier", {3, 3}}});
    build.metric(testing::seconds("delay"), "", {{"main/exchange", {0, 2.6}}, {"main/solve", {2, 2}}});
    build.metric(testing::seconds("delay_latesender_aggregate"), "delay", {{"main/exchange", {0, 0.6}}});
    const testing::SmallExperiment::Rows handedOn{{"main/exchange", {0, 2}}};
    build.metric(testing::seconds("delay_barrier_aggregate"), "delay",
                 {{"main/solve", {2, 2}}, handedOn.front()});
    build.metric(testing::seconds("delay_barrier_longterm"), "delay_barrier_aggregate", handedOn);
    const Experiment experiment = build.take();
    EXPECT_NEAR(costOf(experiment, "wrong-order"), 0.6 + 0.6, 1e-9);  // the other one waits no longer for it
    EXPECT_GE(costOf(experiment, "imbalance"), 4 - 1e-9);
}

/// In each of ten calls of `round` the first process receives from the second one, which sends late, then
/// from the third one, whose message is there, and works for 0.4 s in line `line`.
Experiment roundOfLines(std::int64_t line) {
    constexpr auto *kFirst = "main/round/MPI_Recv", *kSecond = "main/round/again/MPI_Recv",
                   *kRelax = "main/round/relax";
    const testing::SmallExperiment::Rows waits{{kFirst, {6, 0, 0}}},
        works{{kRelax, {4, 0, 0}}, {"main/solve", {0, 10, 4}}};
    testing::SmallExperiment build(3, 1);
    build.metric(testing::seconds("time"), "",
                 {waits.front(), works[0], works[1], {"main/MPI_Barrier", {0, 0, 6}}});
    build.metric(testing::seconds("comp"), "time", works);
    build.metric(testing::seconds("mpi_latesender"), "time", waits);
    build.metric(testing::seconds("mpi_latesender_wo"), "mpi_latesender", waits);
    build.metric(testing::seconds("mpi_lswo_different"), "mpi_latesender_wo", waits);
    build.metric(testing::seconds("delay"), "", {{"main/solve", {0, 6, 0}}});
    build.metric(testing::seconds("delay_latesender_aggregate"), "delay", {{"main/solve", {0, 6, 0}}});
    build.metric(testing::seconds("visits"), "",
                 {{"main", {1, 1, 1}},
                  {"main/round", {10, 10, 10}},
                  {kFirst, {10, 0, 0}},
                  {"main/round/again", {10, 0, 0}},
                  {kSecond, {10, 0, 0}},
                  {kRelax, {10, 0, 0}}});
    Experiment made = build.take();
    const auto standsIn = [&](const char* path, std::int64_t number) {
        made.callTree[testing::findPath(made, path)].line = number;
    };
    standsIn(kFirst, 20);
    standsIn("main/round/again", 22);
    standsIn(kRelax, line);
    return made;
}

/// What stands behind both receives cannot be done between them in any order.
TEST(OrderOfMessages, whoWorksBehindAllReceives_gainsNothingByAnotherOne) {
    EXPECT_NEAR(costOf(roundOfLines(21), "wrong-order"), 2, 1e-9);  // of two messages that of one
    EXPECT_NEAR(costOf(roundOfLines(21), "imbalance") + costOf(roundOfLines(21), "serial"), 4, 1e-9);
    for (const std::int64_t line : {19, 23}) {
        EXPECT_EQ(costOf(roundOfLines(line), "wrong-order"), 0) << line;
        EXPECT_NEAR(costOf(roundOfLines(line), "imbalance") + costOf(roundOfLines(line), "serial"), 6, 1e-9);
    }
    EXPECT_NEAR(costOf(roundOfLines(-1), "wrong-order"), 2, 1e-9) << "it is not known where it stands";
}

}  // namespace
}  // namespace holos::algebra

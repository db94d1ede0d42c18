// SPDX-License-Identifier: BSD-3-Clause
// Who sends what to whom: the file in an experiment, and what operators make of it.
#include "algebra/model/communication.h"

#include <gmock/gmock.h>

#include "algebra/model/wait_files.h"
#include "algebra/operators/aggregates.h"
#include "algebra/operators/collapse.h"
#include "algebra/operators/cut.h"
#include "algebra/operators/diff.h"
#include "algebra/operators/merge.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

using holos::testing::SmallExperiment;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kHeading =
    "sender\treceiver\tmessages\tbytes\tlate_sender\tlate_receiver\tbytes_put\tbytes_got\n";

Traffic traffic(std::size_t sender, std::size_t receiver, double messages, double bytes,
                double lateSender = 0.0, double lateReceiver = 0.0, double put = 0.0, double got = 0.0) {
    return {ProcessId(sender), ProcessId(receiver), messages, bytes, lateSender, lateReceiver, put, got};
}

/// Of three processes with two threads each.
Experiment with(const std::string& text, const std::string& node = "node 1") {
    return SmallExperiment(3, 2, node)
        .counter("e", {{"main", {1, 1, 1, 1, 1, 1}}, {"main/f", {1, 1, 1, 1, 1, 1}}})
        .file(kCommunicationFile, text)
        .take();
}

Experiment with(const std::vector<Traffic>& pairs) {
    return with(communicationText(pairs));
}

TEST(Communication, text_comesBackAsItWas) {
    const std::vector<Traffic> pairs{traffic(0, 1, 3, 24.5, 0.1, 1e-9), traffic(2, 0, 1, 1e15, 0, 0, 7, 0.5)};
    EXPECT_EQ(communicationOf(with(pairs)), pairs);
    EXPECT_EQ(communicationText({traffic(0, 2, 3, 8, 0.25)}),
              kHeading + std::string("0\t2\t3\t8\t0.25\t0\t0\t0\n"));
}

TEST(Communication, olderFile_hasNoOneSidedOperations) {
    EXPECT_THAT(communicationOf(with(std::string("0\t2\t3\t8\t0.25\t1\n"))),
                ElementsAre(traffic(0, 2, 3, 8, 0.25, 1)));
}

TEST(Communication, hostileLines_arePassedOver) {
    std::string text = kHeading;
    for (const char* line :
         {"0\t1\t1\t8\t0\n", "0\t1\t1\t8\t0\t0\t0\n", "0\t3\t1\t8\t0\t0\n", "-1\t1\t1\t8\t0\t0\n",
          "0\t99999999999\t1\t8\t0\t0\n", "0\t1\tnan\t8\t0\t0\n", "0\t1\t1\tinf\t0\t0\n", "0 1 1 8 0 0\n",
          "0\t1\t1\t8\t0\t0 \n", "\n", "\t\t\t\t\t\n", "1\t0\t2\t16\t0\t0\n", "1\t0\t1e999\t1\t0\t0"})
        text += line;
    text += std::string(1, '\0');
    EXPECT_THAT(communicationOf(with(text)), ElementsAre(traffic(1, 0, 2, 16)));
    EXPECT_THAT(communicationOf(with(std::string())), IsEmpty());
    EXPECT_THAT(communicationOf(with(std::string(100000, '\t'))), IsEmpty());
}

TEST(Communication, pairThatComesTwice_isAdded) {
    EXPECT_THAT(communicationOf(with(std::string("1\t0\t2\t16\t1\t0\n0\t1\t1\t1\t0\t0\n1\t0\t1\t4\t2\t3"))),
                ElementsAre(traffic(0, 1, 1, 1), traffic(1, 0, 3, 20, 3, 3)));
}

TEST(Communication, ofSeveralRuns_isAveragedSubtractedAndAdded) {
    const Experiment a = with(std::vector{traffic(0, 1, 4, 32, 2, 1)});
    const Experiment b = with(std::vector{traffic(0, 1, 2, 16, 4), traffic(1, 2, 2, 8)});
    EXPECT_THAT(communicationOf(mean({a, b})),
                ElementsAre(traffic(0, 1, 3, 24, 3, 0.5), traffic(1, 2, 1, 4)));
    EXPECT_THAT(communicationOf(diff(a, b)), ElementsAre(traffic(0, 1, 2, 16, -2, 1), traffic(1, 2, -2, -8)));
    EXPECT_THAT(communicationOf(sum({a, b})), ElementsAre(traffic(0, 1, 6, 48, 6, 1), traffic(1, 2, 2, 8)));
    EXPECT_THAT(communicationOf(maximum({a, b})), IsEmpty());
}

TEST(Communication, merge_averagesTheRunsThatKnowIt_inAnyOrder) {
    const Experiment a = SmallExperiment(2, 1).counter("e", {{"main", {1, 1}}}).take();
    const Experiment b = with(std::vector{traffic(0, 1, 1, 8)});
    const Experiment c = with(std::vector{traffic(0, 1, 7, 64)});
    const Experiment d = with(std::vector{traffic(0, 1, 10, 96)});
    const auto mean = ElementsAre(traffic(0, 1, 6, 56));
    EXPECT_THAT(communicationOf(merge({a, b, c, d})), mean);
    EXPECT_THAT(communicationOf(merge({d, c, b, a})), mean);
    const Experiment first = merge({b, c});
    const Experiment last = merge({d, c});
    EXPECT_THAT(communicationOf(merge({first, d})), mean);
    EXPECT_THAT(communicationOf(merge({b, last})), mean);
    EXPECT_EQ(communicationOf(merge({b, b})), communicationOf(b));
}

TEST(Communication, cut_keepsThatOfTheWholeRun) {
    const std::vector<Traffic> pairs{traffic(0, 1, 4, 32)};
    EXPECT_EQ(communicationOf(cut(with(pairs), {.roots = {"f"}})), pairs);
}

TEST(Communication, collapse_addsWhatFallsTogether) {
    const std::vector<Traffic> pairs{traffic(0, 1, 4, 32, 0, 0, 5), traffic(2, 0, 1, 8, 0, 0, 1, 2)};
    EXPECT_EQ(communicationOf(collapse(with(pairs), CollapseTo::Processes)), pairs);
    EXPECT_THAT(communicationOf(collapse(with(pairs), CollapseTo::One)),
                ElementsAre(traffic(0, 0, 5, 40, 0, 0, 6, 2)));
}

TEST(LongestWaits, ofSeveralRuns_areKeptWhereTheyAreTheSame) {
    const auto run = [](const std::string& waits) {
        return SmallExperiment().counter("e", {{"main", {1, 1}}}).file(kInstancesFile, waits).take();
    };
    const Experiment a = run("one");
    const Experiment b = run("other");
    EXPECT_TRUE(mean({a, a}).files.contains(kInstancesFile));
    EXPECT_FALSE(mean({a, b}).files.contains(kInstancesFile));
    EXPECT_FALSE(diff(a, b).files.contains(kInstancesFile));
    EXPECT_EQ(merge({a, b}).files.at(kInstancesFile), "one");
}

}  // namespace
}  // namespace holos::algebra

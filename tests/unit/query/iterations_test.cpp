// SPDX-License-Identifier: BSD-3-Clause
// Iterations of runs whose times are known by construction. A tick is a millisecond.
#include "report/query/iterations.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "tests/support/loop_trace.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr double kTiny = 1e-9;
constexpr const char* kWait = "Late Sender in main/step/MPI_Recv (waiting for main/step/work)";

query::IterationTimes timesOf(Tick work, Tick slowWork) {
    TraceBuilder trace(2);
    tellLoop(trace, work, slowWork);
    const TemporaryDirectory folder;
    query::Run run(trace.write(folder.path() / "run"), {.threads = 1});
    return query::readIterationTimes(run);
}

TEST(Iterations, partsOfAnIteration_addUpToIt) {
    const query::IterationTimes times = timesOf(40, 100);
    EXPECT_EQ(times.loop, "main/step");
    ASSERT_THAT(times.seconds, SizeIs(10));
    for (std::size_t i = 0; i < 10; ++i) {
        EXPECT_NEAR(times.seconds[i], i == 6 ? 0.13 : 0.07, kTiny);
        double sum = 0;
        for (const auto& [part, course] : times.parts) sum += course.empty() ? 0 : course[i];
        EXPECT_NEAR(sum, times.seconds[i], kTiny);
    }
    // Of two processes, one works and the other one waits.
    EXPECT_NEAR(times.parts.at("main/step/work")[0], 0.02, kTiny);
    EXPECT_NEAR(times.parts.at(kWait)[0], (0.06 - 0.005) / 2, kTiny);
    EXPECT_NEAR(times.waits.at(0), (0.06 - 0.005) / 2, kTiny);
    EXPECT_NEAR(times.begins.at(0), 0.1, kTiny);
    EXPECT_NEAR(times.begins.at(7), 0.1 + 6 * 0.07 + 0.13, kTiny);
    EXPECT_NEAR(times.end, 0.1 + 9 * 0.07 + 0.13, kTiny);
}

/// 87 steps, and a summary in every eleventh of them: 8 times, which 87 fits to but for one.
TEST(Iterations, whatIsDoneNowAndThen_isNoLoop) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main");
    for (Tick step = 0; step < 87; ++step) {
        const Tick begin = 100 * step;
        for (Tick part = 0; part < 6; ++part)
            trace.on(0).call(begin + 10 * part, begin + 10 * part + 9, "part " + std::to_string(part));
        if (step % 11 == 0)
            trace.on(0).call(begin + 80, begin + 85, "gather").call(begin + 85, begin + 90, "print");
    }
    trace.on(0).leave(8700);
    const TemporaryDirectory folder;
    query::Run run(trace.write(folder.path() / "run"), {.threads = 1});
    const query::IterationTimes times = query::readIterationTimes(run);
    EXPECT_EQ(times.loop, "main/part 0");
    EXPECT_THAT(times.seconds, SizeIs(87));
}

TEST(Iterations, threeCallsInARow_areNoLoopOfALongRun) {
    const auto loopOf = [](Tick end) {
        TraceBuilder trace(1);
        trace.on(0).enter(0, "main").call(100, 102, "shift").call(102, 104, "shift").call(104, 106, "shift");
        trace.on(0).leave(end);
        const TemporaryDirectory folder;
        query::Run run(trace.write(folder.path() / "run"), {.threads = 1});
        return query::readIterationTimes(run).loop;
    };
    EXPECT_EQ(loopOf(599), "main/shift");
    EXPECT_THROW(loopOf(700), Error) << "less than a hundredth of the run";
}

TEST(Iterations, loopsOfOtherFunctions_areSaidToBeSo) {
    const auto text = [](const char* before, const char* after) {
        return query::otherLoopText({"old", {.loop = before, .seconds = {}, .parts = {}}},
                                    {"new", {.loop = after, .seconds = {}, .parts = {}}});
    };
    EXPECT_EQ(text("main/step", "main/step"), std::nullopt);
    EXPECT_EQ(text("main/step @a/b.c:3", "main/solve/step @a/b.c:5"), std::nullopt);
    EXPECT_EQ(
        text("main/step @a.c:3", "main/MPI_Send @a.c:3"),
        "the iterations of old begin with main/step @a.c:3, those of new with main/MPI_Send @a.c:3: it is "
        "not known whether they do the same work");
}

TEST(Iterations, slowOne_isFoundWithWhatIsSlowerInIt) {
    const query::IterationComparison all = query::compareIterations(timesOf(40, 100));
    EXPECT_NEAR(all.medianAfter, 0.07, kTiny);
    ASSERT_THAT(all.odd, SizeIs(1));
    EXPECT_EQ(all.odd[0].number, 7);
    EXPECT_NEAR(all.odd[0].excess, 0.06, kTiny);
    ASSERT_THAT(all.odd[0].reasons, SizeIs(2));
    for (const query::IterationReason& reason : all.odd[0].reasons) EXPECT_NEAR(reason.seconds, 0.03, kTiny);
    EXPECT_THAT((std::vector{all.odd[0].reasons[0].part, all.odd[0].reasons[1].part}),
                ::testing::UnorderedElementsAre(kWait, "main/step/work"));
}

TEST(Iterations, ofEqualLength_areNotOdd) {
    EXPECT_THAT(query::compareIterations(timesOf(40, 40)).odd, IsEmpty());
    EXPECT_THAT(query::compareIterations(timesOf(40, 43)).odd, IsEmpty()) << "4 %";
    EXPECT_THAT(query::compareIterations(timesOf(40, 44)).odd, SizeIs(1)) << "6 %";
}

TEST(Iterations, ofTwoRuns_areComparedByTheirNumbers) {
    const query::IterationComparison all = query::compareIterations(timesOf(40, 40), timesOf(50, 20));
    EXPECT_NEAR(all.medianBefore, 0.07, kTiny);
    EXPECT_NEAR(all.medianAfter, 0.08, kTiny);
    ASSERT_THAT(all.typical, SizeIs(2));
    EXPECT_NEAR(all.typical[0].seconds, 0.005, kTiny);
    ASSERT_THAT(all.odd, SizeIs(1));
    EXPECT_EQ(all.odd[0].number, 7);
    EXPECT_NEAR(all.odd[0].before, 0.07, kTiny);
    EXPECT_NEAR(all.odd[0].after, 0.05, kTiny);
    EXPECT_NEAR(all.odd[0].excess, -0.03, kTiny);
    EXPECT_NEAR(all.odd[0].reasons.at(0).seconds, -0.015, kTiny);
}

TEST(Iterations, ofTwoRuns_areToldInSentences) {
    using ::testing::StartsWith;
    const auto sentences = query::changeSentences({"a", timesOf(40, 40)}, {"b", timesOf(50, 20)});
    ASSERT_THAT(sentences, SizeIs(2));
    EXPECT_THAT(sentences[0], StartsWith("10 iterations of main/step took 0.07 s each in a and 0.08 s in b "
                                         "(medians), because of "));
    EXPECT_THAT(sentences[1], StartsWith("Iteration 7 took less time than the usual change explains: it took "
                                         "0.05 s instead of 0.07 s, because of "));
    const query::NamedIterations even{
        "a", {.loop = "main/step", .seconds = std::vector<double>(30, 1.0), .parts = {}}};
    query::NamedIterations many{"b", even.times};
    for (const std::size_t slow : {3, 7, 11, 13, 17, 19, 23})
        many.times.seconds[slow] = 2 + 0.01 * static_cast<double>(slow);
    EXPECT_THAT(query::changeSentences(even, many).at(1),
                StartsWith("Iterations 24, 20, 18, 14, 12 and 2 more took more time"));
    many.times.loop = "main/changed/step";
    EXPECT_THAT(
        query::changeSentences(even, many).at(0),
        StartsWith("30 iterations (of main/step in a, of main/changed/step in b) took 1 s each in a"));
    many.times.loop = "main/other";
    EXPECT_THAT(query::changeSentences(even, many), IsEmpty());
}

TEST(Iterations, ofALoopThatIsShorter_areComparedAsFarAsBothGo) {
    query::IterationTimes before{
        .loop = "main/step", .seconds = {1, 1, 1, 9}, .parts = {{"a", {1, 1, 1, 9}}}};
    query::IterationTimes after{.loop = "main/step", .seconds = {1, 1, 3}, .parts = {{"b", {1, 1, 3}}}};
    const query::IterationComparison all = query::compareIterations(before, after);
    EXPECT_THAT(all.before, SizeIs(4));
    ASSERT_THAT(all.odd, SizeIs(1));
    EXPECT_EQ(all.odd[0].number, 3);
    EXPECT_EQ(query::reasonText(all.odd[0].reasons), "b +2 s");
}

/// What each of many parts adds is no reason for the whole.
TEST(Iterations, differenceOfManySmallParts_hasNoReason) {
    query::IterationTimes run{.loop = "main/step", .seconds = {1, 1, 1, 2}, .parts = {}};
    for (const char part : {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'})
        run.parts[std::string(1, part)] = {0.125, 0.125, 0.125, 0.25};
    const query::IterationComparison all = query::compareIterations(run);
    ASSERT_THAT(all.odd, SizeIs(1));
    EXPECT_THAT(all.odd[0].reasons, IsEmpty());
}

}  // namespace
}  // namespace holos::testing

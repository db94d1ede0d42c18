// SPDX-License-Identifier: BSD-3-Clause
// What a difference of two versions of a program is called.
#include "algebra/insight/runs/change.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "algebra/model/processors.h"
#include "algebra/operators/aggregates.h"
#include "algebra/operators/diff.h"
#include "algebra/operators/history/first_totals.h"
#include "algebra/operators/history/provenance.h"
#include "algebra/operators/history/recorded_run.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

/// Two processes. `solve` takes so long in each, and is called so often.
testing::SmallExperiment runOf(double first, double second, double calls) {
    const double rest = std::max(first, second) - std::min(first, second);
    testing::SmallExperiment build(2, 1);
    const double wait0 = first < second ? rest : 0, wait1 = first < second ? 0 : rest;
    build.metric(testing::seconds("time"), "",
                 {{"main", {1, 1}}, {"main/solve", {first, second}}, {"main/wait", {wait0, wait1}}});
    build.metric(testing::seconds("comp"), "time", {{"main", {1, 1}}, {"main/solve", {first, second}}});
    build.metric(
        testing::seconds("critical_path"), "",
        {{"main", {1, 0}}, {"main/solve", {first < second ? 0 : first, first < second ? second : 0}}});
    build.counter("visits", {{"main", {1, 1}}, {"main/solve", {calls, calls}}, {"main/wait", {1, 1}}});
    return build;
}

Change changeOf(const Experiment& first, const Experiment& second) {
    return changeBetween({"A", {first}}, {"B", {second}}).value();
}

/// Beside 5 s, the first calls one function for 2 s, and the second another one for 3 s.
TEST(Change, oneFunctionInsteadOfAnother_areSaidTogether) {
    const auto run = [](const char* function, double seconds) {
        const testing::SmallExperiment::Rows rows{{"main", {5}}, {function, {seconds}}};
        testing::SmallExperiment build(1, 1);
        build.metric(testing::seconds("time"), "", rows);
        build.metric(testing::seconds("comp"), "time", rows);
        build.metric(testing::seconds("critical_path"), "", rows);
        return build.take();
    };
    EXPECT_EQ(
        changeOf(run("main/old", 2), run("main/new", 3)).sentences[0],
        "B is 14 % slower than A, because main › new takes 3.00 s longer (only the second calls it there), "
        "and main › old takes 2.00 s less.");
}

TEST(Change, oneRunOfEach_saysWhatIsSlowerAndThatChanceIsNotKnown) {
    const Change change = changeOf(runOf(2, 2, 10).take(), runOf(4, 4, 20).take());
    ASSERT_THAT(change.sentences, SizeIs(3));
    EXPECT_EQ(change.sentences[0],
              "B is 67 % slower than A, because main › solve takes 2.00 s longer: it is called 40 times "
              "instead of 20.");
    EXPECT_EQ(change.sentences[1], "B took 5.00 s, A 3.00 s: 2.00 s more.");
    EXPECT_THAT(change.sentences[2], StartsWith("This is one run of each"));
    EXPECT_FALSE(change.seconds.error);
}

TEST(Change, partOfARun_isSaidToBeOne) {
    Experiment part = runOf(2, 2, 10).take();
    part.attributes.emplace_back(kRangeAttribute, "1 4");
    const Change change = changeOf(part, runOf(4, 4, 20).take());
    EXPECT_THAT(change.sentences[0], StartsWith("B is 67 % slower than A (1 s to 4 s), because"));
    EXPECT_EQ(changeBetween({"A (1 s to 4 s)", {part}}, {"B", {part}})->first, "A (1 s to 4 s)");
}

TEST(Change, whatOnlyOneHas_isSaidToBeNoChange) {
    testing::SmallExperiment counted = runOf(4, 4, 20);
    counted.counter("PAGE_FAULTS", {{"main/solve", {7, 9}}});
    const Experiment plain = runOf(2, 2, 10).take(), withCounter = counted.take();
    EXPECT_THAT(changeOf(plain, withCounter).sentences,
                Contains("Only B has PAGE_FAULTS: a difference counts it as zero in A."));
    EXPECT_THAT(changeOf(withCounter, plain).sentences, Contains(StartsWith("Only A has PAGE_FAULTS: ")));
    EXPECT_THAT(changeOf(plain, plain).sentences, Each(Not(StartsWith("Only"))));
}

/// One run with more steps is no slower program.
TEST(Change, moreSteps_areSaid) {
    const auto runWith = [](double solves, double exchanges, double norms) {
        testing::SmallExperiment build(2, 1);
        build.metric(testing::seconds("time"), "", {{"main/solve", {solves, solves}}});
        build.counter("visits", {{"main", {1, 1}},
                                 {"main/solve", {solves, solves}},
                                 {"main/exchange", {exchanges, exchanges}},
                                 {"main/norm", {norms, norms}}});
        return build.take();
    };
    const Experiment shorter = runWith(60, 120, 60);
    EXPECT_THAT(
        changeOf(shorter, runWith(90, 180, 90)).sentences,
        Contains(AllOf(StartsWith("B made more steps: main › "),
                       HasSubstr("and most call paths that are executed repeatedly are executed 1.5 "
                                 "times as often, so the two runs may not have done the same work."))));
    EXPECT_THAT(changeOf(runWith(90, 180, 90), shorter).sentences,
                Contains(StartsWith("B made fewer steps: main › ")));
    EXPECT_THAT(changeOf(shorter, runWith(90, 130, 60)).sentences, Each(Not(HasSubstr("steps"))));
}

/// Nobody calls that.
TEST(Change, timeWithoutAProcessor_saysWhatItIs) {
    const auto waitsFor = [](double seconds) {
        const char* path = "main/solve/WAITING FOR A PROCESSOR";
        testing::SmallExperiment build = runOf(2, 2, 10);
        build.metric(testing::seconds("processor_waiting"), "time", {{path, {seconds, seconds}}});
        Experiment made = build.take();
        for (const char* name : {"time", "critical_path"})
            for (const std::uint32_t rank : {0U, 1U})
                made.severities.edit(*made.findMetric(name))
                    .add(testing::findPath(made, path), LocationId(rank), seconds);
        return made;
    };
    const Change change = changeOf(waitsFor(1), waitsFor(4));
    EXPECT_THAT(change.sentences[0], HasSubstr("threads could run there, and had no processor"));
    for (const std::string& sentence : change.sentences) EXPECT_THAT(sentence, Not(HasSubstr("called")));
}

TEST(Change, fasterVersion_hasTheSameSentencesTheOtherWay) {
    const Change change = changeOf(runOf(4, 4, 20).take(), runOf(2, 2, 10).take());
    EXPECT_EQ(change.sentences[0],
              "B is 40 % faster than A, because main › solve takes 2.00 s less: it is called 20 times "
              "instead of 40.");
    EXPECT_EQ(change.sentences[1], "B took 3.00 s, A 5.00 s: 2.00 s less.");
}

/// The other one waits for it meanwhile: that is no second difference.
TEST(Change, oneProcessThatIsSlower_isNamedAndTheWaitIsNot) {
    const Change change = changeOf(runOf(2, 2, 10).take(), runOf(2, 5, 10).take());
    ASSERT_THAT(change.places, SizeIs(1));
    EXPECT_EQ(change.places[0].where, "main › solve");
    EXPECT_NEAR(change.places[0].seconds, 3, 1e-9);
    EXPECT_EQ(change.places[0].why, "MPI Rank 1 computes 3.00 s longer there, the other one does not");
}

/// Sleep is no computation, and has somebody who sleeps longer, too.
TEST(Change, oneProcessThatSleepsLonger_isNamed) {
    const auto run = [](double of1) {
        testing::SmallExperiment build(2, 1);
        build.metric(testing::seconds("time"), "",
                     {{"main", {1, 1}}, {"main/usleep", {2, of1}}, {"main/wait", {of1 - 2, 0}}});
        build.metric(testing::seconds("comp"), "time", {{"main", {1, 1}}});
        build.metric(testing::seconds("system_waiting"), "time", {{"main/usleep", {2, of1}}});
        build.metric(testing::seconds("critical_path"), "", {{"main", {0, 1}}, {"main/usleep", {0, of1}}});
        build.counter("visits", {{"main", {1, 1}}, {"main/usleep", {10, 10}}});
        return build.take();
    };
    const Change change = changeOf(run(2), run(5));
    ASSERT_THAT(change.places, SizeIs(1));
    EXPECT_EQ(change.places[0].why, "MPI Rank 1 sleeps 3.00 s longer there, the other one does not");
}

TEST(Change, manyTimesAsLong_isNoPercentage) {
    EXPECT_THAT(changeOf(runOf(2, 2, 10).take(), runOf(17, 17, 10).take()).sentences[0],
                StartsWith("B takes 6 times as long as A, because main › solve takes 15.0 s longer"));
}

/// Rank 0 takes 3 s more, rank 2 takes 2 s less, and the others 0.2 s more: no mean of them is told.
TEST(Change, othersOfWhomSomeComputeLess_haveNoMean) {
    const auto run = [](const std::vector<double>& solve, const std::vector<double>& wait,
                        const std::vector<double>& critical) {
        testing::SmallExperiment build(4, 1);
        build.metric(testing::seconds("time"), "",
                     {{"main", {1, 1, 1, 1}}, {"main/solve", solve}, {"main/wait", wait}});
        build.metric(testing::seconds("comp"), "time", {{"main", {1, 1, 1, 1}}, {"main/solve", solve}});
        build.metric(testing::seconds("critical_path"), "",
                     {{"main", {1, 0, 0, 0}}, {"main/solve", critical}});
        build.counter("visits", {{"main", {1, 1, 1, 1}}, {"main/solve", {9, 9, 9, 9}}});
        return build.take();
    };
    const Change change = changeOf(run({1, 1, 3, 1}, {2, 2, 0, 2}, {0, 0, 3, 0}),
                                   run({4, 1.2, 1, 1.2}, {0, 2.8, 3, 2.8}, {4, 0, 0, 0}));
    ASSERT_THAT(change.places, SizeIs(1));
    EXPECT_EQ(change.places[0].why,
              "MPI Rank 0 computes 3.00 s longer there, the others between 2.00 s less and 200 ms longer");
}

TEST(Change, numbersOfManyCalls_haveNoExponent) {
    EXPECT_THAT(changeOf(runOf(2, 2, 100'000).take(), runOf(4, 4, 200'000).take()).sentences[0],
                HasSubstr("it is called 400 thousand times instead of 200 thousand"));
}

TEST(Change, nothingThatExplainsIt_isSaid) {
    const Change change = changeOf(runOf(2, 2, 10).take(), runOf(4, 4, 10).take());
    EXPECT_EQ(change.places.at(0).why,
              "it is called as often in both; its computation takes 4.00 s longer in all processes together; "
              "why is not known");
}

/// The loop of a function has more steps: it computes between calls that are made more often.
TEST(Change, functionThatCallsOthersMoreOften_isSaidTo) {
    const auto runWith = [](double own, double steps) {
        testing::SmallExperiment build(1, 1);
        for (const char* name : {"time", "critical_path"})
            build.metric(testing::seconds(name), "", {{"main", {own}}, {"main/step", {0.01}}});
        build.counter("visits", {{"main", {1}}, {"main/step", {steps}}});
        return build.take();
    };
    EXPECT_EQ(changeOf(runWith(2, 20), runWith(3, 30)).places.at(0).why,
              "it calls step 30 times instead of 20");
}

/// A call that only one of them makes, and that had no processor, is not explained by others alone.
TEST(Change, timeWithoutAProcessorInANewCall_saysWhoCallsIt) {
    const auto runOnce = [](const testing::SmallExperiment::Rows& rows) {
        testing::SmallExperiment build(1, 1);
        for (const char* name : {"time", "critical_path"}) build.metric(testing::seconds(name), "", rows);
        return build.take();
    };
    const Experiment before = runOnce({{"main", {1}}});
    const Experiment after = runOnce({{"main", {1}}, {"main/exchange/WAITING FOR A PROCESSOR", {3}}});
    EXPECT_EQ(changeOf(before, after).places.at(0).why,
              "threads could run there, and had no processor; only the second calls exchange there");
}

/// The time without a processor grows much more than the calls do, and not by these alone.
TEST(Change, timeWithoutAProcessorInMoreCalls_saysHowManyOrHowLarge) {
    const auto runOnce = [](double shortage, double calls, double bytes) {
        constexpr auto* kShortage = "main/MPI_Send/WAITING FOR A PROCESSOR";
        testing::SmallExperiment build(1, 1);
        build.metric(testing::seconds("time"), "",
                     {{"main", {1}}, {"main/MPI_Send", {0}}, {kShortage, {shortage}}});
        build.metric(testing::seconds("critical_path"), "", {{"main", {1}}, {kShortage, {shortage}}});
        build.counter("visits", {{"main/MPI_Send", {calls}}});
        build.counter("bytes_sent", {{"main/MPI_Send", {bytes}}});
        Experiment made = build.take();
        for (Region& region : made.regions)
            if (region.name == "MPI_Send") region.paradigm = "mpi";
        return made;
    };
    const auto why = [&](const Experiment& after) {
        return changeOf(runOnce(0.001, 20, 100), after).places.at(0).why;
    };
    const std::string lack = "threads could run there, and had no processor";
    EXPECT_EQ(why(runOnce(9, 8000, 100)), lack + "; MPI_Send is called 8000 times instead of 20");
    EXPECT_EQ(why(runOnce(9, 80, 40000)), lack +
                                              "; MPI_Send is called 80 times instead of 20, and it moves 400 "
                                              "times as many bytes");
    EXPECT_EQ(why(runOnce(9, 22, 40000)), lack + "; MPI_Send moves 400 times as many bytes");
    EXPECT_EQ(why(runOnce(9, 22, 110)), lack);
    EXPECT_EQ(changeOf(runOnce(9, 8000, 100), runOnce(1, 8001, 100)).places.at(0).why, lack);
}

TEST(Change, instructionsThatWereCounted_sayWhetherItIsMoreWork) {
    const auto counting = [](double seconds, double instructions, double cycles) {
        testing::SmallExperiment build = runOf(seconds, seconds, 10);
        build.counter("PAPI_TOT_INS", {{"main/solve", {instructions, instructions}}});
        build.counter("PAPI_TOT_CYC", {{"main/solve", {cycles, cycles}}});
        return build.take();
    };
    const Experiment before = counting(2, 1e9, 2e9);
    EXPECT_EQ(changeOf(before, counting(4, 2e9, 4e9)).places.at(0).why,
              "it executes 2 times as many instructions");
    EXPECT_EQ(changeOf(before, counting(4, 1e9, 4e9)).places.at(0).why,
              "it executes 1 times as many instructions in 2 times as many cycles");
    EXPECT_THAT(changeOf(before, counting(4, 1e9, 2e9)).places.at(0).why,
                HasSubstr("which does not explain it"));
}

TEST(Change, repeatedRuns_haveAnErrorOfTheWholeAndOfItsParts) {
    const Experiment a1 = runOf(2, 2, 10).take(), a2 = runOf(2.1, 2.1, 10).take(),
                     b1 = runOf(4, 4, 20).take(), b2 = runOf(4.1, 4.1, 20).take();
    const Change change = changeBetween({"A", {a1, a2}}, {"B", {b1, b2}}).value();
    ASSERT_TRUE(change.seconds.error);
    EXPECT_NEAR(*change.seconds.error, 4.3027 * 0.0707107, 1e-3);
    EXPECT_THAT(
        change.sentences[0],
        StartsWith(
            "B is 66 % slower than A (± 10 %), because main › solve takes 2.00 s (± 304 ms) longer: "));
    EXPECT_EQ(change.sentences[1],
              "B took 5.05 s, A 3.05 s (means of 2 runs and of 2 runs): 2.00 s (± 304 ms) more.");
    EXPECT_THAT(change.sentences, Each(Not(HasSubstr("one run of each"))));
}

/// Sometimes one of two functions is slow, sometimes the other one.
TEST(Change, placesThatDifferByChance_areNoCause) {
    const auto runWith = [](double solve, double smooth) {
        testing::SmallExperiment build(1, 1);
        const testing::SmallExperiment::Rows values{
            {"main", {1}}, {"main/solve", {solve}}, {"main/smooth", {smooth}}};
        build.metric(testing::seconds("time"), "", values);
        build.metric(testing::seconds("comp"), "time", values);
        build.metric(testing::seconds("critical_path"), "", values);
        return build.take();
    };
    const Experiment a1 = runWith(1, 3), a2 = runWith(3, 1), b1 = runWith(3, 5), b2 = runWith(5, 3);
    const Change change = changeBetween({"A", {a1, a2}}, {"B", {b1, b2}}).value();
    EXPECT_THAT(change.places, IsEmpty());
    EXPECT_THAT(change.sentences[0], AllOf(StartsWith("B is 80 % slower than A"), Not(HasSubstr("because"))));
    EXPECT_THAT(change.sentences[2], AllOf(StartsWith("Where it is cannot be told from chance: main › s"),
                                           HasSubstr("takes 2.00 s (± 6.0")));
}

TEST(Change, noMoreThanChanceMakes_isNotExplained) {
    const Experiment a1 = runOf(2, 2, 10).take(), a2 = runOf(3, 3, 10).take(),
                     b1 = runOf(2.1, 2.1, 10).take(), b2 = runOf(3.2, 3.2, 10).take();
    const Change change = changeBetween({"A", {a1, a2}}, {"B", {b1, b2}}).value();
    EXPECT_THAT(change.sentences,
                ElementsAre(StartsWith("Whether B is slower or faster than A is not known")));
    EXPECT_THAT(change.places, IsEmpty());
}

TEST(Change, meansOfRepeatedRuns_knowTheSpreadOfTheirRuns) {
    const Experiment a1 = runOf(2, 2, 10).take(), a2 = runOf(2.1, 2.1, 10).take();
    Experiment first = mean({a1, a2});
    noteSeconds(secondsOf({"", {a1, a2}}), first);
    const Change change = changeOf(first, runOf(4, 4, 20).take());
    EXPECT_EQ(change.firstRuns, 2U);
    EXPECT_TRUE(change.seconds.error);
}

TEST(Change, otherNumberOfProcesses_isSaidInsteadOfComparingParts) {
    testing::SmallExperiment build(4, 1);
    build.metric(testing::seconds("time"), "", {{"main", {1, 1, 1, 1}}});
    const Change change = changeOf(runOf(2, 2, 10).take(), build.take());
    EXPECT_THAT(change.sentences, Contains("A had 2 processes with 2 threads in all, B had 4 processes with "
                                           "4 threads in all, so their parts are not compared."));
    EXPECT_THAT(change.places, IsEmpty());
}

TEST(Change, otherProgram_isSaidInsteadOfComparingParts) {
    testing::SmallExperiment build(2, 1);
    build.metric(testing::seconds("time"), "", {{"other", {1, 1}}});
    EXPECT_THAT(changeOf(runOf(2, 2, 10).take(), build.take()).sentences,
                Contains(StartsWith("They are runs of different programs, main and other, so their parts are "
                                    "not compared")));
}

/// Each thread had none for so long, by the kernel's count.
Experiment withoutProcessors(Experiment run, double seconds) {
    for (Location& location : run.system.locations) {
        location.attributes.emplace_back(kOnProcessorsAttribute, "1000000000");
        location.attributes.emplace_back(kWaitingForProcessorsAttribute,
                                         std::to_string(static_cast<long long>(seconds * 1e9)));
    }
    return run;
}

TEST(Change, processorsThatOthersUsed_areComparedWithTheDifference) {
    const Change change = changeOf(withoutProcessors(runOf(2, 2, 10).take(), 0),
                                   withoutProcessors(runOf(4, 4, 10).take(), 1.5));
    EXPECT_NEAR(change.forProcessors, 1.5, 1e-9);
    EXPECT_THAT(
        change.sentences,
        Contains(AllOf(
            StartsWith(
                "While they computed, threads of B waited 1.50 s longer for a processor than those of A"),
            HasSubstr(
                "as much as 75 % of the difference, and other programs used the processors meanwhile"))));
}

/// They had something to do in MPI, too.
TEST(Change, lackOfProcessorsInCalls_isNotSaidToBeOfComputation) {
    testing::SmallExperiment build = runOf(4, 4, 10);
    build.metric(testing::seconds("mpi_point2point_processor_waiting"), "time", {{"main/wait", {1.5, 1.5}}});
    Experiment after = withoutProcessors(build.take(), 1.5);
    for (Location& location : after.system.locations)
        location.attributes.emplace_back(kShortageAttribute, "1500000000");
    const Change change = changeOf(withoutProcessors(runOf(2, 2, 10).take(), 0), after);
    EXPECT_THAT(
        change.sentences,
        Contains(AllOf(StartsWith("Threads of B waited 1.50 s longer for a processor than those of A"),
                       HasSubstr("not counting times in which they waited for others anyway"),
                       HasSubstr("75 % of the difference"))));
}

/// Nothing else would tell what made them slower.
TEST(Change, lackOfProcessors_isSaidOfRunsWhosePartsAreNotCompared) {
    testing::SmallExperiment build(4, 1);
    build.metric(testing::seconds("time"), "", {{"main", {5, 5, 5, 5}}});
    build.metric(testing::seconds("comp"), "time", {{"main", {5, 5, 5, 5}}});
    EXPECT_THAT(
        changeOf(runOf(2, 2, 10).take(), withoutProcessors(build.take(), 1.5)).sentences,
        Contains(AllOf(HasSubstr("threads of B waited 1.50 s longer"), HasSubstr("75 % of the difference"))));
}

TEST(Change, ofADifference_isNone) {
    const Experiment run = runOf(2, 2, 10).take();
    Experiment difference = diff(run, run);
    setProvenance(difference, {"diff", "1", {}, {}});
    EXPECT_FALSE(changeBetween({"A", {difference}}, {"B", {run}}));
}

TEST(ChangeInFile, ofADifference_isReadBackAndOfWhatIsMadeOfItIsNot) {
    const Experiment first = runOf(2, 2, 10).take(), second = runOf(4, 4, 20).take();
    Experiment difference = diff(first, second);
    keepChange(changeOf(first, second), difference);
    setProvenance(difference, {"diff", "1", {}, {}});
    const auto kept = changeIn(difference);
    ASSERT_TRUE(kept);
    EXPECT_EQ((*kept)["sentences"][1], "B took 5.00 s, A 3.00 s: 2.00 s more.");
    EXPECT_DOUBLE_EQ((*kept)["difference"].get<double>(), 2);
    EXPECT_TRUE((*kept)["error95"].is_null());
    setProvenance(difference, {"sum", "1", {}, {}});
    EXPECT_FALSE(changeIn(difference));
}

TEST(ChangeInFile, damaged_isNone) {
    Experiment difference = runOf(2, 2, 10).take();
    setProvenance(difference, {"diff", "1", {}, {}});
    for (const char* text : {"", "{", "[]", "{\"sentences\": 7}", "{\"sentences\": [7]}"}) {
        difference.files["holos.change"] = text;
        EXPECT_FALSE(changeIn(difference)) << text;
    }
}

TEST(Wholes, ofADifference_areThoseOfTheFirst) {
    const Experiment first = runOf(2, 2, 10).take(), second = runOf(4, 4, 20).take();
    Experiment difference = diff(first, second);
    setProvenance(difference, {"diff", "1", {}, {}});
    const MetricId time = *difference.findMetric("time");
    EXPECT_TRUE(std::isnan(Wholes(difference).of(time)));
    keepTotalsOfFirst(first, difference);
    EXPECT_DOUBLE_EQ(Wholes(difference).of(time), 6);
    EXPECT_DOUBLE_EQ(Wholes(first).of(*first.findMetric("time")), 6);
    setProvenance(difference, {"sum", "1", {}, {{"a", {}}, {"b", {}}}});
    EXPECT_DOUBLE_EQ(Wholes(difference).of(time), -4);
}

}  // namespace
}  // namespace holos::algebra

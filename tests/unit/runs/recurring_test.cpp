// SPDX-License-Identifier: BSD-3-Clause
// What several recordings of one program have in common.
#include "algebra/insight/runs/recurring.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algebra/insight/summary/summary.h"
#include "algebra/model/experiment.h"
#include "algebra/model/wait_files.h"
#include "algebra/operators/history/provenance.h"
#include "base/error.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

/// Two processes of 10 s, of which the second works longer in `solve` by this much; with so much time in
/// reading files, too.
Experiment runOf(double late, double files, int guilty = 1) {
    testing::SmallExperiment build(2, 1);
    const double work = 9 - files;
    const std::vector<double> works =
        guilty == 1 ? std::vector{work - late, work} : std::vector{work, work - late};
    const std::vector<double> waits = guilty == 1 ? std::vector{late, 0.0} : std::vector{0.0, late};
    const std::vector<double> blamed = guilty == 1 ? std::vector{0.0, late} : std::vector{late, 0.0};
    build.metric(
        testing::seconds("time"), "",
        {{"main", {1, 1}}, {"main/solve", works}, {"main/read", {files, files}}, {"main/sum", waits}});
    build.metric(testing::seconds("comp"), "time", {{"main", {1, 1}}, {"main/solve", works}});
    build.metric(testing::seconds("mpi_wait_nxn"), "time", {{"main/sum", waits}});
    build.metric(testing::seconds("file_io"), "time", {{"main/read", {files, files}}});
    build.metric(testing::seconds("delay"), "", {{"main", {0, 0}}});
    build.metric(testing::seconds("delay_n2n_aggregate"), "delay", {{"main/solve", blamed}});
    return build.take();
}

TEST(Recurrence, problemOfAllRuns_hasItsSpread) {
    const Experiment a = runOf(2, 0), b = runOf(2.5, 0), c = runOf(3, 0);
    const std::vector<NamedRun> runs{{"a", a}, {"b", b}, {"c", c}};
    const Recurrence found = recurrenceOf(runs);
    EXPECT_TRUE(found.areRepeats);
    EXPECT_EQ(found.sentences.at(0),
              "3 runs of 2 processes with 2 threads in all took 10.0 s, 10.0 s on average (± 0.00 s).");
    ASSERT_THAT(found.findings, SizeIs(1));
    const RecurringFinding& finding = found.findings[0];
    EXPECT_THAT(finding.runs, ElementsAre(0, 1, 2));
    EXPECT_EQ(finding.of, 3U);
    EXPECT_FALSE(finding.mayBeChance());
    EXPECT_EQ(finding.recursText(runs),
              "in 3 of 3 runs, 2.00 to 3.00 s of all threads, 10 to 15 % of their time");
    EXPECT_THAT(finding.who, HasSubstr("(in b)"));
    EXPECT_EQ(finding.note, "");
}

TEST(Recurrence, problemOfOneRun_mayBeChanceAndComesLast) {
    const Experiment a = runOf(2, 0), b = runOf(2, 0), c = runOf(2, 4);
    const std::vector<NamedRun> runs{{"a", a}, {"b", b}, {"c", c}};
    const Recurrence found = recurrenceOf(runs);
    ASSERT_THAT(found.findings, SizeIs(2));
    EXPECT_EQ(found.findings[0].kind, "imbalance");
    EXPECT_EQ(found.findings[1].kind, "files");
    EXPECT_TRUE(found.findings[1].mayBeChance());
    EXPECT_EQ(found.findings[1].recursText(runs),
              "in 1 of 3 runs (c), 8.00 s of all threads, 40 % of their time; perhaps chance");
}

TEST(Recurrence, anotherProcessInEachRun_isSaid) {
    const Experiment a = runOf(2, 0), b = runOf(2, 0, 0);
    const Recurrence found = recurrenceOf({{"a", a}, {"b", b}});
    ASSERT_THAT(found.findings, SizeIs(1));
    EXPECT_EQ(found.findings[0].note,
              "who it is changes from run to run: MPI Rank 0 (in b), MPI Rank 1 (in a)");
}

/// Rank 1 works longer in `main`, and rank 0 in what that calls.
Experiment twoLate(double inMain, double inSolve) {
    testing::SmallExperiment build(2, 1);
    const std::vector<double> ofMain{1, 1 + inMain}, ofSolve{1 + inSolve, 1}, waits{inMain, inSolve};
    build.metric(testing::seconds("time"), "",
                 {{"main", ofMain}, {"main/solve", ofSolve}, {"main/sum", waits}});
    build.metric(testing::seconds("comp"), "time", {{"main", ofMain}, {"main/solve", ofSolve}});
    build.metric(testing::seconds("mpi_wait_nxn"), "time", {{"main/sum", waits}});
    build.metric(testing::seconds("delay"), "", {{"main", {0, 0}}});
    build.metric(testing::seconds("delay_n2n_aggregate"), "delay",
                 {{"main", {0, inMain}}, {"main/solve", {inSolve, 0}}});
    return build.take();
}

/// What costs most changes from run to run: each stays with what is at the same place.
TEST(Recurrence, twoProblemsOfOneKind_areNotMixedUp) {
    const Experiment a = twoLate(4, 3), b = twoLate(3, 4), c = twoLate(4, 3);
    const Recurrence found = recurrenceOf({{"a", a}, {"b", b}, {"c", c}});
    ASSERT_THAT(found.findings, SizeIs(2));
    for (const RecurringFinding& finding : found.findings) {
        EXPECT_THAT(finding.runs, ElementsAre(0, 1, 2));
        EXPECT_EQ(finding.note, "");
    }
}

/// Two threads of one process, of which one works longer.
Experiment threadsOf(std::size_t late) {
    testing::SmallExperiment build(1, 2);
    std::vector<double> works{1, 1}, waits{2, 2}, blamed{0, 0};
    works[late] = 3;
    waits[late] = 0;
    blamed[late] = 2;
    const std::string loop = "main/!$omp parallel";
    build.metric(testing::seconds("time"), "",
                 {{"main", {1, 0}}, {loop, works}, {loop + "/!$omp implicit barrier", waits}});
    build.metric(testing::seconds("comp"), "time", {{"main", {1, 0}}, {loop, works}});
    build.metric(testing::seconds("omp_ibarrier_wait"), "time", {{loop + "/!$omp implicit barrier", waits}});
    build.metric(testing::seconds("delay"), "", {{"main", {0, 0}}});
    build.metric(testing::seconds("delay_ompbarrier_aggregate"), "delay", {{loop, blamed}});
    return build.take();
}

TEST(Recurrence, anotherThreadInEachRunOfOneProcess_isNamed) {
    const Experiment a = threadsOf(0), b = threadsOf(1);
    const Recurrence found = recurrenceOf({{"a", a}, {"b", b}});
    ASSERT_THAT(found.findings, SizeIs(1));
    EXPECT_THAT(found.findings[0].note, AllOf(HasSubstr(a.system.locations[0].name + " (in a)"),
                                              HasSubstr(a.system.locations[1].name + " (in b)")));
}

/// Two of six threads are late in both runs, now one of them more, now the other.
TEST(Recurrence, theSameThreadsInAnotherOrder_areTheSame) {
    const auto run = [](double one, double other) {
        constexpr auto* kLoop = "main/loop";
        const std::vector<double> work{one, other, 5, 5, 5, 5}, blamed{one, other, 0, 0, 0, 0},
            waits{10 - one, 10 - other, 5, 5, 5, 5};
        testing::SmallExperiment build(1, 6);
        build.metric(testing::seconds("time"), "", {{kLoop, work}, {"main/barrier", waits}});
        build.metric(testing::seconds("comp"), "time", {{kLoop, work}});
        build.metric(testing::seconds("omp_ibarrier_wait"), "time", {{"main/barrier", waits}});
        build.metric(testing::seconds("delay"), "", {{kLoop, blamed}});
        build.metric(testing::seconds("delay_ompbarrier_aggregate"), "delay", {{kLoop, blamed}});
        return build.take();
    };
    const Experiment a = run(9.5, 9.4), b = run(9.4, 9.5);
    const Recurrence found = recurrenceOf({{"a", a}, {"b", b}});
    ASSERT_FALSE(found.findings.empty());
    EXPECT_THAT(found.findings[0].who, HasSubstr(a.system.locations[1].name));
    EXPECT_EQ(found.findings[0].note, "");
}

TEST(Recurrence, runsWithoutProblems_areSaidToHaveNone) {
    const Experiment a = runOf(0, 0), b = runOf(0, 0);
    const Recurrence found = recurrenceOf({{"a", a}, {"b", b}});
    EXPECT_THAT(found.findings, IsEmpty());
    EXPECT_EQ(found.sentences.back(), "In none of them is there a problem that is worth saying.");
}

TEST(Recurrence, profileAmongTraces_isCountedApart) {
    const Experiment a = runOf(2, 0), b = runOf(2, 0);
    testing::SmallExperiment build(2, 1);
    build.metric(testing::seconds("time"), "", {{"main", {6, 6}}, {"main/sum", {4, 4}}});
    build.metric(testing::seconds("mpi_collective"), "time", {{"main/sum", {4, 4}}});
    Experiment profile = build.take();
    profile.attributes.emplace_back(kProfileAttribute, "1");
    const Recurrence found = recurrenceOf({{"a", a}, {"b", b}, {"p", profile}});
    EXPECT_THAT(found.sentences.at(1), StartsWith("1 of them is a profile"));
    ASSERT_THAT(found.findings, SizeIs(2));
    EXPECT_EQ(found.findings[0].of + found.findings[1].of, 3U);
    for (const RecurringFinding& finding : found.findings) EXPECT_EQ(finding.runs.size(), finding.of);
}

TEST(Recurrence, otherProgramOrSize_isSaidInsteadOfComparing) {
    const Experiment a = runOf(2, 0);
    testing::SmallExperiment larger(4, 1), other(2, 1);
    larger.metric(testing::seconds("time"), "", {{"main", {1, 1, 1, 1}}});
    other.metric(testing::seconds("time"), "", {{"elsewhere", {1, 1}}});
    const Experiment four = larger.take(), elsewhere = other.take();
    const Recurrence sizes = recurrenceOf({{"a", a}, {"four", four}});
    EXPECT_FALSE(sizes.areRepeats);
    EXPECT_THAT(sizes.sentences,
                ElementsAre(StartsWith("These are no repeats: a had 2 processes with 2 threads in all, four "
                                       "had 4 processes")));
    EXPECT_THAT(sizes.findings, IsEmpty());
    const Recurrence programs = recurrenceOf({{"a", a}, {"e", elsewhere}});
    EXPECT_THAT(programs.sentences, ElementsAre(StartsWith("These are no repeats: a is a run of main, e one "
                                                           "of elsewhere.")));
}

TEST(Recurrence, experimentThatIsOfNoRun_isRefusedByName) {
    const Experiment a = runOf(2, 0);
    Experiment difference = runOf(2, 0);
    setProvenance(difference, {"diff", "1", {}, {}});
    try {
        recurrenceOf({{"a", a}, {"d", difference}});
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("d: is not of a run"));
    }
}

/// The longest waits, as the analysis keeps them: when each began, and for how long.
Experiment withWaits(std::vector<std::pair<double, double>> waits) {
    Experiment run = runOf(2, 0);
    std::string text = "metric\twait\tbegin\tlocation\tawaited\tcall path\n";
    for (const auto& [begin, wait] : waits)
        text += "mpi_wait_nxn\t" + std::to_string(wait) + '\t' + std::to_string(begin) +
                "\tMPI Rank 0 / Master thread\tMPI Rank 1 / Master thread\tmain/sum\n";
    run.files[kInstancesFile] = text;
    return run;
}

TEST(SingleWaits, problemThatIsOneWait_mayBeChance) {
    const auto summary = summarize(withWaits({{3.5, 1.8}, {7, 0.1}, {8, 0.1}}));
    ASSERT_THAT(summary->problems, SizeIs(1));
    EXPECT_THAT(summary->problems[0].chance,
                StartsWith("90 % of it is waited at one time, 3.50 s after the start of the run"));
}

TEST(SingleWaits, severalWhoWaitAtOneTime_areOneWait) {
    const auto summary = summarize(withWaits({{3.5, 0.6}, {3.6, 0.6}, {8, 0.5}, {9, 0.3}}));
    EXPECT_THAT(summary->problems.at(0).chance, HasSubstr("60 % of it"));
}

TEST(SingleWaits, problemOfManyWaits_isNotCalledChance) {
    const auto summary = summarize(withWaits({{1, 0.7}, {3, 0.7}, {5, 0.6}}));
    EXPECT_EQ(summary->problems.at(0).chance, "");
}

}  // namespace
}  // namespace holos::algebra

// SPDX-License-Identifier: BSD-3-Clause
// Whether one experiment is worse than another (holos report --fail-if).
#include "report/regression.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "tests/support/small_experiment.h"

namespace holos::report {
namespace {

using ::testing::HasSubstr;

algebra::Experiment faults(double number) {
    return testing::SmallExperiment(1, 1).counter("page-faults", {{"main", {number}}}).take();
}

Verdict judged(const std::string& condition, double before, double now) {
    const algebra::Experiment baseline = faults(before), later = faults(now);
    return judge(parseCondition(condition).value(), {{"a.cubex", baseline}}, {"b.cubex", later});
}

TEST(Regression, conditionOfTheBaseline_failsAboveItsMultiple) {
    EXPECT_FALSE(judged("page-faults > 1.5x", 100, 150).fails);
    EXPECT_TRUE(judged("page-faults > 1.5x", 100, 151).fails);
}

TEST(Regression, conditionOfAValue_needsNoBaseline) {
    EXPECT_TRUE(judged("page-faults < 10", 100, 9).fails);
    EXPECT_FALSE(judged("page-faults < 10", 1, 10).fails);
}

TEST(Regression, verdict_saysBothValues) {
    EXPECT_THAT(judged("page-faults > 1.5x", 100, 200).text,
                ::testing::AllOf(HasSubstr("200"), HasSubstr("100 before")));
}

TEST(Regression, textThatIsNoCondition_isNone) {
    for (const char* text :
         {"", "time", "time >", "> 3", "time = 3", "time > 3y", "slower > 3", "slower > 3x"})
        EXPECT_FALSE(parseCondition(text)) << text;
}

TEST(Regression, metricThatIsMissing_isAnErrorWithTheFile) {
    try {
        judged("cache-misses > 1x", 1, 1);
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("cubex"));
    }
}

algebra::Metric secondsMetric(const std::string& name) {
    algebra::Metric metric;
    metric.uniqueName = name;
    metric.displayName = name;
    metric.unit = "sec";
    return metric;
}

algebra::Experiment runOf(double seconds, double late = 0) {
    return testing::SmallExperiment(1, 1)
        .metric(secondsMetric("time"), "", {{"main", {seconds}}})
        .metric(secondsMetric("mpi_latesender"), "time", {{"main", {late}}})
        .take();
}

Verdict judgedRuns(const std::string& condition, const std::vector<double>& before, double now) {
    std::vector<algebra::Experiment> runs;
    for (const double seconds : before) runs.push_back(runOf(seconds));
    std::vector<Judged> baseline;
    for (const algebra::Experiment& run : runs) baseline.push_back({"before.cubex", run});
    const algebra::Experiment later = runOf(now);
    return judge(parseCondition(condition).value(), baseline, {"after.cubex", later});
}

TEST(Regression, runThatTakesLonger_isSlowerByPercent) {
    const Verdict verdict = judgedRuns("slower > 5%", {2}, 2.2);
    EXPECT_TRUE(verdict.fails);
    EXPECT_THAT(verdict.text,
                ::testing::AllOf(HasSubstr("10.0 % more than 2 s"), HasSubstr("no run was repeated")));
    EXPECT_FALSE(judgedRuns("slower > 5%", {2}, 2.09).fails);
    EXPECT_FALSE(judgedRuns("slower > 5%", {2}, 1).fails);
}

TEST(Regression, runThatIsSlowerByNoMoreThanRepeatedOnesDiffer_doesNotFail) {
    const Verdict chance = judgedRuns("slower > 5%", {1.8, 2.2, 2.0}, 2.2);
    EXPECT_FALSE(chance.fails);
    EXPECT_THAT(chance.text, HasSubstr("no more than repeated runs differ by"));
    EXPECT_TRUE(judgedRuns("slower > 5%", {1.99, 2.01, 2.0}, 2.2).fails);
}

TEST(Regression, waiting_isAPartOfTheTime) {
    const algebra::Experiment run = runOf(2, 0.5);
    const auto judgedAlone = [&](const std::string& condition) {
        return judge(parseCondition(condition).value(), {}, {"run.cubex", run});
    };
    EXPECT_TRUE(judgedAlone("waiting > 10%").fails);
    EXPECT_FALSE(judgedAlone("waiting > 30%").fails);
    EXPECT_TRUE(judgedAlone("mpi_latesender > 0.4").fails);
    EXPECT_THAT(judgedAlone("mpi_latesender > 10%").text, HasSubstr("25.0 %"));
}

TEST(Regression, waitingOfAnExperimentWithoutWaitStates_isAnError) {
    const algebra::Experiment run = faults(1);
    EXPECT_THROW(judge(parseCondition("waiting > 1%").value(), {}, {"a.cubex", run}), Error);
}

TEST(Regression, percentageOfNothing_isAnError) {
    const algebra::Experiment run = runOf(0);
    EXPECT_THROW(judge(parseCondition("waiting < 1%").value(), {}, {"a.cubex", run}), Error);
    EXPECT_FALSE(judge(parseCondition("waiting > 1").value(), {}, {"a.cubex", run}).fails);
}

TEST(Regression, conditionsThatNeedABaseline_sayIt) {
    EXPECT_TRUE(parseCondition("slower > 5%")->needsBaseline());
    EXPECT_TRUE(parseCondition("time > 1.1x")->needsBaseline());
    EXPECT_FALSE(parseCondition("waiting > 5%")->needsBaseline());
}

TEST(Regression, verdictsForServers_areTestCases) {
    const std::string text =
        junitText({{"a.cubex", "time > 1x", {true, "time \"<\""}}, {"a.cubex", "x < 3", {false, "so"}}});
    EXPECT_THAT(text,
                ::testing::AllOf(HasSubstr("tests=\"2\" failures=\"1\""), HasSubstr("name=\"time &gt; 1x\""),
                                 HasSubstr("<failure message=\"time &quot;&lt;&quot;\"/>")));
}

}  // namespace
}  // namespace holos::report

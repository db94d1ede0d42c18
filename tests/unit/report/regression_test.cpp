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
    return judge(parseCondition(condition).value(), {"a.cubex", baseline}, {"b.cubex", later});
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
    for (const char* text : {"", "time", "time >", "> 3", "time = 3", "time > 3y"})
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

}  // namespace
}  // namespace holos::report

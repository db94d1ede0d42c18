// SPDX-License-Identifier: BSD-3-Clause
// What holos show says of threads that slept in a way that the recorder does not see.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algebra/files/cubex.h"
#include "algebra/model/processors.h"
#include "tests/cli/command_test.h"
#include "tests/support/small_experiment.h"

namespace holos::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class UnseenSleep : public CommandTest {
  protected:
    /// Two threads of 10 s. The second one computes for 8 s, without a processor for some of them.
    static algebra::Experiment experiment(double off, double unseen) {
        SmallExperiment build(1, 2);
        build.metric(seconds("time"), "", {{"main", {10, 10}}});
        build.metric(seconds("comp"), "time", {{"main", {10, 8}}});
        build.metric(seconds("off_processor"), "", {{"main", {0, off}}});
        build.metric(seconds("unseen_sleep"), "off_processor", {{"main", {0, unseen}}});
        return build.take();
    }

    std::string shown(const algebra::Experiment& experiment) const {
        algebra::writeCubex(experiment, file("run.cubex"));
        return holos({"show", file("run.cubex")}).output;
    }

    static void tell(algebra::Experiment& experiment, std::string_view attribute, const std::string& value) {
        experiment.system.locations[1].attributes.emplace_back(attribute, value);
    }
};

TEST_F(UnseenSleep, waitForProcessorsIsKnown_whatIsLeftIsSleep) {
    auto told = experiment(6, 2);
    tell(told, algebra::kOnProcessorsAttribute, "2000000000");
    tell(told, algebra::kWaitingForProcessorsAttribute, "4000000000");
    EXPECT_THAT(shown(told), HasSubstr(" slept for at least 2.000 s of the 8.000 s that are called its "
                                       "computation, in a way that the recorder does not see"));
}

TEST_F(UnseenSleep, waitForProcessorsIsNotKnown_mayBeAll) {
    auto told = experiment(6, 0);
    tell(told, algebra::kOnProcessorsAttribute, "2000000000");
    EXPECT_THAT(shown(told),
                HasSubstr(" slept or waited for a processor for at least 6.000 s of the 8.000 s"));
}

TEST_F(UnseenSleep, threadThatOnlyWaitedForProcessors_isNotNamed) {
    auto told = experiment(6, 0);
    tell(told, algebra::kOnProcessorsAttribute, "2000000000");
    tell(told, algebra::kWaitingForProcessorsAttribute, "6000000000");
    EXPECT_THAT(shown(told), Not(HasSubstr(" slept ")));
}

TEST_F(UnseenSleep, littleOfTheTime_isNotNamed) {
    auto told = experiment(0.4, 0.4);
    tell(told, algebra::kOnProcessorsAttribute, "7600000000");
    tell(told, algebra::kWaitingForProcessorsAttribute, "0");
    EXPECT_THAT(shown(told), Not(HasSubstr(" slept ")));
}

/// What slept in two runs cannot be told of how these differ.
TEST_F(UnseenSleep, ofADifference_isNotTold) {
    auto told = experiment(6, 2);
    tell(told, algebra::kOnProcessorsAttribute, "2000000000");
    tell(told, algebra::kWaitingForProcessorsAttribute, "4000000000");
    algebra::writeCubex(told, file("run.cubex"));
    algebra::writeCubex(experiment(0, 0), file("other.cubex"));
    ASSERT_EQ(holos({"diff", file("run.cubex"), file("other.cubex"), "-o", file("diff.cubex")}).exitCode, 0);
    EXPECT_THAT(holos({"show", file("diff.cubex")}).output, Not(HasSubstr(" slept ")));
}

}  // namespace
}  // namespace holos::testing

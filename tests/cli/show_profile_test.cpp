// SPDX-License-Identifier: BSD-3-Clause
// What holos says of an experiment that was added up without events
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algebra/files/cubex.h"
#include "algebra/model/experiment.h"
#include "tests/cli/command_test.h"
#include "tests/support/small_experiment.h"

namespace holos::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Two processes compute for 8 and 6 of 10 s, and are in MPI for the rest.
class ShowProfile : public CommandTest {
  protected:
    ShowProfile() : file_(file("profile.cubex")) {
        SmallExperiment build(2, 1);
        build.metric(seconds("time"), "", {{"main", {8, 6}}, {"main/call", {2, 4}}})
            .metric(seconds("execution"), "time", {{"main", {8, 6}}, {"main/call", {2, 4}}})
            .metric(seconds("comp"), "execution", {{"main", {8, 6}}})
            .metric(seconds("mpi"), "execution", {{"main/call", {2, 4}}})
            .file("holos.diagnoses", "process 1 lost 5 events\n");
        algebra::Experiment profile = build.take();
        for (algebra::Region& region : profile.regions)
            if (region.name == "call") region.paradigm = "mpi";
        profile.attributes.emplace_back(algebra::kProfileAttribute, "1");
        algebra::writeCubex(profile, file_);
    }

    std::string file_;
};

TEST_F(ShowProfile, efficienciesThatNeedWaits_areNotKnown) {
    const std::string text = holos({"show", file_, "--efficiencies"}).output;
    EXPECT_THAT(text, HasSubstr("0.700    0.875    0.800        -        -  whole program\n"));
    EXPECT_THAT(text, HasSubstr("a profile does not tell waiting from transfer"));
    EXPECT_THAT(text, Not(HasSubstr("estimates")));
    EXPECT_THAT(text, Not(HasSubstr("nothing was executed")));
    EXPECT_THAT(holos({"show", file_, "--efficiencies", "--format", "csv"}).output,
                HasSubstr("0.8,,,unknown\n"));
    const std::string json = holos({"show", file_, "--efficiencies", "--format", "json"}).output;
    EXPECT_THAT(json, HasSubstr("\"mpi_transfer\": null"));
    EXPECT_THAT(json, HasSubstr("\"transfer_by\": \"unknown\""));
}

TEST_F(ShowProfile, report_hasItsUnknownEfficienciesAsDashes) {
    const std::string page = file("report.md");
    EXPECT_EQ(holos({"report", file_, "-o", page}).exitCode, 0);
    EXPECT_THAT(contentOf(page), HasSubstr("Serialisation [%] | – |"));
    EXPECT_THAT(contentOf(page), HasSubstr("Transfer [%] | – |"));
}

TEST_F(ShowProfile, lostEvents_areSaid) {
    const std::string text = holos({"show", file_}).output;
    EXPECT_THAT(text, HasSubstr("Process 1 lost 5 events: "));
    EXPECT_THAT(text, Not(HasSubstr("holos analyze")));
}

}  // namespace
}  // namespace holos::testing

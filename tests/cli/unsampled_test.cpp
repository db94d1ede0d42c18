// SPDX-License-Identifier: BSD-3-Clause
// What holos show says where functions between events are not known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algebra/files/cubex.h"
#include "tests/support/command.h"
#include "tests/support/small_experiment.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Ten seconds, of which so many are computation in `solve`.
algebra::Experiment experiment(double computation, const std::string& paradigm = "sampling") {
    SmallExperiment build(1, 1);
    const auto seconds = [](const std::string& name) {
        algebra::Metric made;
        made.uniqueName = made.displayName = name;
        made.unit = "sec";
        return made;
    };
    build.metric(seconds("time"), "", {{"main", {10 - computation}}, {"main/solve", {computation}}});
    build.metric(seconds("comp"), "time", {{"main/solve", {computation}}});
    algebra::Experiment made = build.take();
    for (algebra::Region& region : made.regions) region.paradigm = paradigm;
    return made;
}

std::string shown(const algebra::Experiment& experiment) {
    const TemporaryDirectory folder;
    const std::string file = (folder.path() / "run.cubex").string();
    algebra::writeCubex(experiment, file);
    return runCommand({HOLOS_PROGRAM, "show", file}).output;
}

constexpr const char* kHint = "holos record --sample 10ms";

TEST(Unsampled, muchComputationAtFunctionsOnTheStack_showNamesTheOption) {
    EXPECT_THAT(shown(experiment(6)),
                HasSubstr("60.0 % of the time is computation between events, such as that of solve and what "
                          "it calls: 'holos record --sample 10ms' tells which functions took it"));
}

/// `exchange` calls MPI in a loop, and the program computes between: in it, or in what calls it.
TEST(Unsampled, functionWithALoopAroundItsEvents_isNamedWithItsCallers) {
    SmallExperiment build(1, 1);
    build.metric(seconds("time"), "", {{"main/exchange", {6}}, {"main/exchange/MPI_Sendrecv", {4}}});
    build.metric(seconds("comp"), "time", {{"main/exchange", {6}}});
    build.metric(seconds("visits"), "", {{"main/exchange", {1}}, {"main/exchange/MPI_Sendrecv", {300}}});
    algebra::Experiment made = build.take();
    for (algebra::Region& region : made.regions)
        region.paradigm = region.name.starts_with("MPI") ? "mpi" : "sampling";
    EXPECT_THAT(shown(made),
                HasSubstr("such as that of exchange or its callers and what these call: 'holos"));
}

TEST(Unsampled, littleComputation_isNotMentioned) {
    EXPECT_THAT(shown(experiment(1.5)), Not(HasSubstr(kHint)));
}

TEST(Unsampled, functionsThatWereCompiledForIt_areKnown) {
    EXPECT_THAT(shown(experiment(6, "compiler")), Not(HasSubstr(kHint)));
}

TEST(Unsampled, runWithSamples_isToldAlready) {
    algebra::Experiment sampled = experiment(6);
    algebra::Metric samples;
    samples.uniqueName = samples.displayName = "samples";
    samples.unit = "occ";
    sampled.metrics.add(samples);
    EXPECT_THAT(shown(sampled), Not(HasSubstr(kHint)));
}

}  // namespace
}  // namespace holos::testing

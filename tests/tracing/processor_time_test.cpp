// SPDX-License-Identifier: BSD-3-Clause
// Sleep that the recorder does not see, told by how long threads were on processors:
// `programs/unseen_sleepers.c`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "algebra/model/processors.h"
#include "algebra/model/queries.h"
#include "analyzer/analyze.h"
#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"
#include "tests/tracing/recorded_events.h"

namespace holos::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr auto* kProgram = HOLOS_PROGRAMS "/unseen_sleepers";

std::vector<double> perThread(const algebra::Experiment& experiment, const char* name) {
    const auto metric = experiment.findMetric(name);
    std::vector<algebra::CallPathChoice> roots;
    for (const algebra::CallPathId path : experiment.callTree.roots())
        roots.push_back({path, algebra::Extent::Inclusive});
    return metric ? algebra::perLocation(experiment, {*metric}, roots) : std::vector<double>();
}

/// Of `programs/crowded.c`: most of what the kernel counts is known.
void expectWaitsOf(const std::filesystem::path& archive) {
    const auto experiment = analyzer::analyze(archive).experiment;
    const auto& locations = experiment.system.locations;
    ASSERT_EQ(locations.size(), 3U);
    if (!algebra::processorTimeOf(locations[1])->betweenEvents) GTEST_SKIP() << "no restartable sequences";
    const auto waited = perThread(experiment, "processor_waiting");
    const auto computation = perThread(experiment, "comp");
    double all = 0, split = 0;
    for (std::size_t thread = 1; thread <= 2; ++thread) {
        const auto time = algebra::processorTimeOf(locations[thread]);
        ASSERT_TRUE(time && time->waiting && time->betweenEvents);
        EXPECT_LE(waited[thread], *time->betweenEvents + 1e-9);
        EXPECT_GT(computation[thread], 0.19);
        all += *time->waiting;
        split += waited[thread];
    }
    EXPECT_GT(split, all / 2);
}

class RecordedProcessorTime : public ::testing::Test {
  protected:
    std::string analyzed(const std::filesystem::path& archive) const {
        return runCommand({HOLOS_PROGRAM, "analyze", archive.string()}).output;
    }
    TemporaryDirectory directory_;
};

TEST_F(RecordedProcessorTime, threadThatSleptUnseen_isNamed_withHowLong) {
    const auto archive = record(directory_.path(), kProgram);
    EXPECT_THAT(analyzed(archive),
                AllOf(HasSubstr("Process / Thread 1 slept "), HasSubstr(" that are called its computation")));
    const auto experiment = analyzer::analyze(archive).experiment;
    const auto computation = perThread(experiment, "comp");
    const auto off = perThread(experiment, "off_processor");
    ASSERT_EQ(off.size(), 2U);
    const auto time = algebra::processorTimeOf(experiment.system.locations[1]);
    ASSERT_TRUE(time.has_value());
    EXPECT_NEAR(off[1], computation[1] - time->on, 1e-9);
    EXPECT_GT(off[1], computation[1] / 2);
    EXPECT_GT(computation[1], 0.15);
    EXPECT_GT(algebra::processorTimeOf(experiment.system.locations[0])->on, 0.15);
}

/// What the kernel counts in all is known between events, but for the time after a thread slept.
TEST_F(RecordedProcessorTime, threadsThatShareAProcessor_waitForItBetweenTheirEvents) {
    expectWaitsOf(record(directory_.path(), HOLOS_PROGRAMS "/crowded"));
}

TEST_F(RecordedProcessorTime, threadsThatSleep_waitedForAProcessorBefore) {
    expectWaitsOf(record(directory_.path(), HOLOS_PROGRAMS "/crowded", {}, {}, {"sleeps"}));
}

TEST_F(RecordedProcessorTime, threadsWhoseLastCallIsASleep_waitedForAProcessorBefore) {
    expectWaitsOf(record(directory_.path(), HOLOS_PROGRAMS "/crowded", {}, {}, {"sleeps", "last"}));
}

TEST_F(RecordedProcessorTime, killedProgram_isSaidNotToBeKnown) {
    const auto archive = directory_.path() / "killed";
    runCommand({HOLOS_PROGRAM, "record", "-o", archive.string(), "--", kProgram, "kill"});
    EXPECT_THAT(analyzed(archive), HasSubstr("how long 2 threads were on processors is not known"));
    const auto experiment = analyzer::analyze(archive).experiment;
    EXPECT_FALSE(experiment.findMetric("off_processor").has_value());
    for (const auto& location : experiment.system.locations)
        EXPECT_TRUE(algebra::lacksProcessorTime(location));
}

}  // namespace
}  // namespace holos::testing

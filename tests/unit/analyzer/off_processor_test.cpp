// SPDX-License-Identifier: BSD-3-Clause
// Computation of threads that were on no processor.
#include "analyzer/assemble/additions.h"

#include <gtest/gtest.h>

#include "algebra/insight/findings/efficiencies.h"
#include "algebra/model/processors.h"
#include "algebra/model/queries.h"
#include "analyzer/metric_guide.h"
#include "tests/support/findings.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

/// A process of 10 ms that computes, with a thread that has 9 ms of computation and 1 ms of `read`.
algebra::Experiment twoThreads() {
    TraceBuilder trace(1, 2);
    trace.region("read", {OTF2_PARADIGM_NONE, OTF2_REGION_ROLE_WRAPPER, "system"});
    trace.on(0).enter(0, "main").leave(10);
    trace.on(0, 1).enter(0, "helper").call(8, 9, "read").leave(10);
    const TemporaryDirectory directory;
    trace.write(directory.path());
    return analyzer::analyze(directory.path()).experiment;
}

/// What was recorded of the second thread, in milliseconds.
void tell(algebra::Experiment& experiment, unsigned on, unsigned waiting) {
    experiment.system.locations[1].attributes = {
        {std::string(algebra::kOnProcessorsAttribute), std::to_string(on) + "000000"},
        {std::string(algebra::kWaitingForProcessorsAttribute), std::to_string(waiting) + "000000"}};
}

double of(const algebra::Experiment& experiment, const char* metric, unsigned thread) {
    double sum = 0;
    for (const algebra::CallPathId root : experiment.callTree.roots())
        sum += algebra::perLocation(experiment, {experiment.findMetric(metric).value()},
                                    {{root, algebra::Extent::Inclusive}})[thread];
    return sum;
}

TEST(OffProcessor, computationWithoutProcessor_isSleepOrWaitForOne) {
    algebra::Experiment experiment = twoThreads();
    tell(experiment, 2, 3);
    analyzer::assemble::addOffProcessor(experiment);
    EXPECT_NEAR(of(experiment, "off_processor", 1), 0.007, kExact);  // 9 - 2
    EXPECT_NEAR(of(experiment, "unseen_sleep", 1), 0.004, kExact);   // 7 - 3
    EXPECT_EQ(of(experiment, "off_processor", 0), 0);                // nothing is known
}

TEST(OffProcessor, threadThatOnlyWaitedForProcessors_didNotSleep) {
    algebra::Experiment experiment = twoThreads();
    tell(experiment, 2, 8);
    analyzer::assemble::addOffProcessor(experiment);
    EXPECT_NEAR(of(experiment, "off_processor", 1), 0.007, kExact);
    EXPECT_EQ(of(experiment, "unseen_sleep", 1), 0);
}

/// Then nobody can tell sleep from waiting.
TEST(OffProcessor, waitForProcessorsIsNotKnown_noneIsCalledSleep) {
    algebra::Experiment experiment = twoThreads();
    tell(experiment, 2, 3);
    experiment.system.locations[1].attributes.pop_back();
    analyzer::assemble::addOffProcessor(experiment);
    EXPECT_NEAR(of(experiment, "off_processor", 1), 0.007, kExact);
    EXPECT_EQ(of(experiment, "unseen_sleep", 1), 0);
}

/// As a thread has that also computes where nothing is recorded.
TEST(OffProcessor, moreTimeOnProcessorsThanComputation_isNothing) {
    algebra::Experiment experiment = twoThreads();
    tell(experiment, 9, 0);
    analyzer::assemble::addOffProcessor(experiment);
    EXPECT_EQ(of(experiment, "off_processor", 1), 0);
}

TEST(OffProcessor, traceThatDoesNotTell_hasNoMetric) {
    algebra::Experiment experiment = twoThreads();
    experiment.system.locations[1].attributes = {{std::string(algebra::kOnProcessorsAttribute), "not known"}};
    analyzer::assemble::addOffProcessor(experiment);
    EXPECT_FALSE(experiment.findMetric("off_processor"));
    EXPECT_TRUE(algebra::lacksProcessorTime(experiment.system.locations[1]));
    EXPECT_FALSE(algebra::lacksProcessorTime(experiment.system.locations[0]));
}

/// It needs no processor that could have computed.
TEST(OffProcessor, threadThatOnlySlept_isNotInEfficiencies) {
    algebra::Experiment experiment = twoThreads();
    EXPECT_NEAR(algebra::efficiencies(experiment, analyzer::metricGuide()).parallel, 0.95,
                kExact);  // 10 and 9 of twice 10
    tell(experiment, 0, 0);
    analyzer::assemble::addOffProcessor(experiment);
    EXPECT_NEAR(algebra::efficiencies(experiment, analyzer::metricGuide()).parallel, 1, kExact);
}

}  // namespace
}  // namespace holos::testing

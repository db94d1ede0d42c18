// SPDX-License-Identifier: BSD-3-Clause
// The rules name metrics of the analysis, and leave out none that is waiting.
#include "algebra/insight/summary/rules.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "analyzer/metric_guide.h"
#include "tests/support/findings.h"
#include "tests/support/known_trace.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

using namespace algebra;

std::vector<WaitRule> allWaits() {
    std::vector<WaitRule> all = waitRules();
    all.push_back(lockWaits());
    return all;
}

TEST(SummaryRules, waits_areWaitStates) {
    // Whoever gives up to wait for a lock has waited for it, but for nobody whom the analysis knows.
    const std::string_view untilTimeout = "pthread_lock_timeout";
    for (const WaitRule& rule : allWaits())
        for (const char* name : rule.waits)
            EXPECT_TRUE(name == untilTimeout || analyzer::metricGuide().isWaitState(name)) << name;
}

TEST(SummaryRules, waitStatesOfARun_belongToARule) {
    // What it takes to leave an operation is communication itself.
    std::set<std::string> known{"mpi_nxn_completion", "mpi_barrier_completion", "mpi_init_completion"};
    for (const WaitRule& rule : allWaits()) known.insert(rule.waits.begin(), rule.waits.end());
    const TemporaryDirectory directory;
    const KnownTrace trace = writeKnownTrace(directory.path(), {.rounds = 2});
    const Findings found(trace.anchor, 2);
    const Experiment& experiment = found.result().experiment;
    for (const MetricId id : analyzer::metricGuide().outermostWaitStates(experiment))
        EXPECT_TRUE(known.contains(experiment.metrics[id].uniqueName)) << experiment.metrics[id].uniqueName;
}

TEST(SummaryRules, delays_areMetricsOfTheAnalysis) {
    const TemporaryDirectory directory;
    const KnownTrace trace = writeKnownTrace(directory.path(), {.rounds = 2});
    const Findings found(trace.anchor, 2);
    for (const WaitRule& rule : waitRules())
        for (const MetricNames& names : {rule.delays, rule.handedOn}) {
            // The trace has no explicit tasks, and no barriers of POSIX threads.
            if (rule.problem != nullptr || rule.waits.front() == std::string_view("pthread_barrier_wait"))
                continue;
            for (const char* name : names) EXPECT_TRUE(found.result().experiment.findMetric(name)) << name;
        }
}

}  // namespace
}  // namespace holos::testing

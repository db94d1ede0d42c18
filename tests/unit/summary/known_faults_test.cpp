// SPDX-License-Identifier: BSD-3-Clause
// Runs with one known fault each: the summary names it first, and nothing else. 260 of them, by kind.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "algebra/insight/summary/summary.h"
#include "tests/support/faulty_runs.h"
#include "tests/support/findings.h"

namespace holos::testing {
namespace {

struct Family {
    Fault fault;
    const char* name;
    unsigned cases;
    const char* kind;          ///< of the problem; empty: there is none
    const char* pattern = "";  ///< of those to blame; empty: any
};

void PrintTo(const Family& family, std::ostream* out) {
    *out << family.name;
}

/// Of all cases.
constexpr double kNamed = 0.95;

std::vector<unsigned> guiltyIn(const algebra::Experiment& experiment, const algebra::Problem& problem,
                               bool threads) {
    std::vector<unsigned> found;
    for (const algebra::LocationId location : problem.locations) {
        const auto& it = experiment.system[location];
        found.push_back(static_cast<unsigned>(threads ? it.rank : experiment.system[it.process].rank));
    }
    return found;
}

/// What the summary says, and should not; empty where it is right.
std::string mistakeIn(const Family& family, unsigned variant) {
    const FaultyRun run = faultyRun(family.fault, variant);
    const Findings found(*run.trace);
    const algebra::Experiment& experiment = found.result().experiment;
    const auto summary = algebra::summarize(experiment);
    if (!summary) return "no summary";
    std::string said = summary->run;
    for (const algebra::Problem& problem : summary->problems)
        said += "\n  " + problem.kind + " " + problem.pattern + " " + std::to_string(problem.percent) + ": " +
                problem.what + " | " + problem.where + " | " + problem.who + " | " + problem.why;
    if (*family.kind == '\0') return summary->isHealthy ? "" : said;
    if (summary->problems.size() != 1) return said;
    const algebra::Problem& problem = summary->problems.front();
    if (problem.kind != family.kind) return said;
    if (*family.pattern != '\0' && problem.pattern != family.pattern) return said;
    const bool threads = run.trace->processes() == 1;
    const bool same = run.guilty.empty() || family.fault == Fault::Serial ||
                      guiltyIn(experiment, problem, threads) == run.guilty;
    return same ? "" : said;
}

/// Who comes late because of the lock is waited for, too.
TEST(GainOfALock, isWhatItCostsEachThread) {
    const FaultyRun run = faultyRun(Fault::Lock, 0);
    const auto summary = algebra::summarize(Findings(*run.trace).result().experiment);
    ASSERT_TRUE(summary && !summary->problems.empty());
    const algebra::Problem& lock = summary->problems.front();
    ASSERT_EQ(lock.kind, "lock");
    EXPECT_NEAR(lock.gain.value(), lock.cost / run.trace->threads(), kRounding);
}

class KnownFaults : public ::testing::TestWithParam<Family> {};

TEST_P(KnownFaults, generatedRun_faultIsNamedFirstAndNothingElse) {
    unsigned right = 0;
    std::string wrong;
    for (unsigned variant = 0; variant < GetParam().cases; ++variant) {
        const std::string said = mistakeIn(GetParam(), variant);
        if (said.empty())
            ++right;
        else
            wrong += "variant " + std::to_string(variant) + ": " + said + '\n';
    }
    EXPECT_GE(right, kNamed * GetParam().cases) << wrong;
}

INSTANTIATE_TEST_SUITE_P(
    , KnownFaults,
    ::testing::Values(Family{Fault::LateOne, "lateOne", 25, "imbalance"},
                      Family{Fault::Gradient, "gradient", 25, "imbalance", "gradient"},
                      Family{Fault::WrongOrder, "wrongOrder", 20, "wrong-order"},
                      Family{Fault::Serial, "serial", 25, "serial"}, Family{Fault::Lock, "lock", 20, "lock"},
                      Family{Fault::SlowNode, "slowNode", 20, "slow-node", "node"},
                      Family{Fault::GrowingImbalance, "growingImbalance", 25, "growing-imbalance"},
                      Family{Fault::SmallMessages, "smallMessages", 20, "small-messages"},
                      Family{Fault::Chain, "chain", 20, "in-turn"},
                      Family{Fault::LateProgress, "lateProgress", 20, "late-progress"},
                      Family{Fault::Probe, "probe", 20, "imbalance", "one"},
                      Family{Fault::None, "none", 20, ""}),
    [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace holos::testing

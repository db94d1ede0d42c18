// SPDX-License-Identifier: BSD-3-Clause
// Traces of any size whose severities are known: what the analysis finds, everywhere.
#include "tests/support/known_trace.h"

#include <gtest/gtest.h>

#include "tests/support/findings.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {

void PrintTo(const KnownTraceShape& shape, std::ostream* out) {
    *out << shape.processes << " processes of " << shape.threads << " threads, " << shape.rounds << " rounds";
}

namespace {

constexpr double kTolerance = 1e-9;

std::string pathOf(const algebra::Experiment& experiment, algebra::CallPathId id) {
    const auto above = experiment.callTree.parent(id);
    return (above ? pathOf(experiment, *above) + '/' : std::string()) + experiment.regionOf(id).name;
}

/// Every value of every known metric, at all call paths of the experiment and at all that are known.
void expectKnown(const algebra::Experiment& experiment, const KnownValues& known, double tolerance) {
    for (const auto& [metric, rows] : known.metrics()) {
        const auto id = experiment.findMetric(metric);
        ASSERT_TRUE(id) << metric;
        const auto& table = experiment.severities.table(*id);
        std::size_t found = 0;
        for (const algebra::CallPathId path : experiment.callTree.ids()) {
            const std::string name = pathOf(experiment, path);
            const auto row = rows.find(name);
            if (row != rows.end()) ++found;
            for (std::size_t i = 0; i < known.locations(); ++i)
                EXPECT_NEAR(table.at(path, algebra::LocationId(i)), row == rows.end() ? 0 : row->second[i],
                            tolerance)
                    << metric << " in " << name << " at location " << i;
        }
        EXPECT_EQ(found, rows.size()) << metric;
    }
}

std::string nameOf(const KnownTraceShape& shape) {
    return std::to_string(shape.processes) + "x" + std::to_string(shape.threads) + "x" +
           std::to_string(shape.rounds);
}

class KnownTraces : public ::testing::TestWithParam<KnownTraceShape> {};

TEST_P(KnownTraces, anyNumberOfWorkers_everyValueIsFound) {
    const TemporaryDirectory directory;
    const KnownTrace known = writeKnownTrace(directory.path(), GetParam());
    for (const unsigned workers : {1U, 3U}) {
        const Findings findings(known.anchor, GetParam().threads, workers);
        EXPECT_TRUE(findings.result().diagnoses.empty());
        expectKnown(findings.result().experiment, known.values, kTolerance);
    }
}

const std::vector<KnownTraceShape> kShapes{
    {.processes = 1, .threads = 1, .rounds = 3},  {.processes = 2, .threads = 2, .rounds = 20},
    {.processes = 5, .threads = 1, .rounds = 7},  {.processes = 4, .threads = 3, .rounds = 50},
    {.processes = 33, .threads = 5, .rounds = 4}, {.processes = 400, .threads = 1, .rounds = 2}};

INSTANTIATE_TEST_SUITE_P(Shapes, KnownTraces, ::testing::ValuesIn(kShapes),
                         [](const auto& instance) { return nameOf(instance.param); });

/// Each metric that says something of a scene.
TEST(KnownTrace, threadsAndProcesses_everySceneHasItsValues) {
    const TemporaryDirectory directory;
    const KnownTrace known = writeKnownTrace(directory.path(), {.processes = 4, .threads = 3, .rounds = 9});
    for (const char* metric : {"mpi_latesender",
                               "mpi_latereceiver",
                               "mpi_wait_nxn",
                               "mpi_nxn_completion",
                               "mpi_barrier_wait",
                               "mpi_barrier_completion",
                               "mpi_latebroadcast",
                               "mpi_earlyreduce",
                               "mpi_earlyscan",
                               "omp_ibarrier_wait",
                               "omp_lock_contention_critical",
                               "omp_fork",
                               "omp_management",
                               "instructions",
                               "delay_latesender",
                               "delay_latereceiver",
                               "delay_n2n",
                               "delay_barrier",
                               "delay_12n",
                               "delay_n21",
                               "delay_scan",
                               "delay_ompbarrier",
                               "delay_ompbarrier_longterm",
                               "delay_omp_lock",
                               "delay_omp_lock_longterm",
                               "lock_wait_propagating",
                               "lock_wait_terminal",
                               "lock_wait_direct",
                               "lock_wait_indirect",
                               "imbalance_above",
                               "imbalance_below",
                               "comp",
                               "visits",
                               "comms_send",
                               "comms_recv",
                               "bytes_sent",
                               "bytes_rcvd",
                               "mpi_cls_count",
                               "mpi_clr_count"})
        EXPECT_FALSE(known.values[metric].empty()) << metric;
}

/// OTF2's reader brings time stamps to one clock, and rounds them to nanoseconds.
TEST(KnownTrace, clocksThatDrift_sameValues) {
    const TemporaryDirectory directory;
    const KnownTraceShape shape{.processes = 4, .threads = 2, .rounds = 10, .clockDrift = 50};
    const KnownTrace known = writeKnownTrace(directory.path(), shape);
    const Findings findings(known.anchor, shape.threads);
    EXPECT_TRUE(findings.result().diagnoses.empty());
    KnownValues times(shape.processes, shape.threads);
    for (const char* metric : {"mpi_latesender", "mpi_latereceiver", "mpi_wait_nxn", "mpi_barrier_wait",
                               "mpi_latebroadcast", "mpi_earlyreduce", "mpi_earlyscan"})
        times.take(metric, known.values);
    constexpr double kRounding = 4e-9;
    expectKnown(findings.result().experiment, times, kRounding * static_cast<double>(shape.rounds));
}

TEST(KnownTrace, faults_areReportedAndTheRestIsFound) {
    const TemporaryDirectory directory;
    const KnownTraceShape shape{.processes = 4, .threads = 2, .rounds = 10, .faults = true};
    const KnownTrace known = writeKnownTrace(directory.path(), shape);
    const Findings findings(known.anchor, shape.threads);
    expectKnown(findings.result().experiment, known.values, kTolerance);
    std::map<analyzer::Trouble, std::uint64_t> troubles;
    for (const analyzer::Diagnosis& diagnosis : findings.result().diagnoses)
        troubles[diagnosis.trouble] += diagnosis.count;
    const std::uint64_t each = shape.processes * shape.rounds;
    EXPECT_EQ(troubles,
              (std::map<analyzer::Trouble, std::uint64_t>{{analyzer::Trouble::UnbalancedCalls, each},
                                                          {analyzer::Trouble::UnmatchedMessage, each}}));
}

}  // namespace
}  // namespace holos::testing

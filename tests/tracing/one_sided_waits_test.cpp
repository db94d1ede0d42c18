// SPDX-License-Identifier: BSD-3-Clause
// One-sided communication in which somebody is late, recorded and analyzed: `programs/late_partners.c`.
#include <gtest/gtest.h>

#include "algebra/files/cubex.h"
#include "tests/support/severity_lookup.h"
#include "tests/tracing/recorded_mpi.h"

namespace holos::testing {
namespace {

constexpr double kLate = 0.2;  // seconds

struct LatePartner {
    const char* way;  ///< argument of the program
    unsigned ranks;
    std::vector<std::string> waits;  ///< metrics; which of them depends on the MPI library
    unsigned waiter;                 ///< rank
    unsigned causer;                 ///< rank
    const char* costs;               ///< metric
    double puts, activeSyncs, passiveSyncs;
};

std::ostream& operator<<(std::ostream& out, const LatePartner& partner) {
    return out << partner.way;
}

class RecordedLatePartners : public ::testing::TestWithParam<std::tuple<std::string, LatePartner>> {};

/// Sum over all call paths.
double ofRank(const algebra::Experiment& experiment, const std::vector<std::string>& metrics, unsigned rank) {
    double sum = 0;
    for (const std::string& metric : metrics)
        for (const auto path : experiment.callTree.ids())
            sum += experiment.severities.table(*experiment.findMetric(metric))
                       .at(path, algebra::LocationId(rank));
    return sum;
}

TEST_P(RecordedLatePartners, knownDelay_isFoundWithItsCause) {
    const auto& [family, partner] = GetParam();
    if (launcher(1, family).empty()) GTEST_SKIP() << "no mpirun of " << family << " here";
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), HOLOS_PROGRAMS "/late_partners_" + family,
                                launcher(partner.ranks, family), {}, {partner.way});
    const auto analyzed = runCommand({HOLOS_PROGRAM, "analyze", archive});
    ASSERT_EQ(analyzed.exitCode, 0) << analyzed.output;
    const auto folder = std::filesystem::is_directory(archive) ? archive : archive.parent_path();
    const auto experiment = algebra::readCubex(folder / "analysis.cubex");

    for (unsigned rank = 0; rank < partner.ranks; ++rank) {
        const double wait = ofRank(experiment, partner.waits, rank);
        const double costs = ofRank(experiment, {partner.costs}, rank);
        if (rank == partner.waiter) {
            EXPECT_GT(wait, 0.25 * kLate);  // somebody may hold up the one who waits
            EXPECT_LT(wait, 10 * kLate);
        }
        if (rank == partner.causer) {
            EXPECT_GT(costs, 0.25 * kLate);
        }
        EXPECT_LE(wait, ofRank(experiment, partner.waits, partner.waiter));
        EXPECT_LE(costs, ofRank(experiment, {partner.costs}, partner.causer));
    }
    EXPECT_EQ(total(experiment, "comms_rma_puts"), partner.puts);
    EXPECT_EQ(total(experiment, "bytes_put"), 12 * partner.puts);
    EXPECT_EQ(total(experiment, "syncs_rma_active"), partner.activeSyncs);
    EXPECT_EQ(total(experiment, "syncs_rma_passive"), partner.passiveSyncs);
}

const std::vector<std::string> kLatePost{"mpi_rma_sync_late_post", "mpi_rma_comm_late_post"};
const std::vector<std::string> kLock{"mpi_rma_sync_lock_competition", "mpi_rma_comm_lock_competition"};

INSTANTIATE_TEST_SUITE_P(
    Libraries, RecordedLatePartners,
    ::testing::Combine(
        ::testing::Values(HOLOS_MPI_FAMILIES),
        ::testing::Values(
            LatePartner{"fence", 2, {"mpi_rma_wait_at_fence"}, 0, 1, "delay_rma_window", 1, 4, 0},
            LatePartner{"post", 2, kLatePost, 0, 1, "delay_rma_active", 1, 4, 0},
            LatePartner{"complete", 2, {"mpi_rma_early_wait"}, 1, 0, "delay_rma_active", 1, 4, 0},
            LatePartner{"lock", 3, kLock, 1, 0, "delay_rma_passive", 2, 0, 5},
            LatePartner{"lock_all", 3, kLock, 1, 0, "delay_rma_passive", 2, 0, 6})),
    [](const auto& instance) { return std::get<0>(instance.param) + '_' + std::get<1>(instance.param).way; });

}  // namespace
}  // namespace holos::testing

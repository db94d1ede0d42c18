// SPDX-License-Identifier: BSD-3-Clause
// Calls that one rank comes late to, while the other one waits in them, recorded and analyzed:
// `programs/late_callers.c`.
#include <gtest/gtest.h>

#include "algebra/files/cubex.h"
#include "tests/support/severity_lookup.h"
#include "tests/tracing/recorded_mpi.h"

namespace holos::testing {
namespace {

struct LateCaller {
    const char* way;                 ///< argument of the program
    std::vector<std::string> waits;  ///< metrics that together have the wait
    const char* costs;               ///< that of what it costs the one who comes late
};

std::ostream& operator<<(std::ostream& out, const LateCaller& caller) {
    return out << caller.way;
}

class RecordedLateCallers : public ::testing::TestWithParam<std::tuple<std::string, LateCaller>> {};

double valueOfRank(const algebra::Experiment& experiment, const std::string& metric, unsigned rank) {
    double sum = 0;
    const auto known = experiment.findMetric(metric);
    EXPECT_TRUE(known) << metric;
    if (known)
        for (const auto path : experiment.callTree.ids())
            sum += experiment.severities.table(*known).at(path, algebra::LocationId(rank));
    return sum;
}

/// How long they sleep and wait in fact depends on the machine: the rank that comes late may be held up, or
/// the one that waits.
TEST_P(RecordedLateCallers, knownDelay_isAWaitWithItsCause) {
    const auto& [family, caller] = GetParam();
    if (launcher(2, family).empty()) GTEST_SKIP() << "no mpirun of " << family << " here";
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), HOLOS_PROGRAMS "/late_callers_" + family,
                                launcher(2, family), {}, {caller.way, directory.path() / "file"});
    const auto analyzed = runCommand({HOLOS_PROGRAM, "analyze", archive});
    ASSERT_EQ(analyzed.exitCode, 0) << analyzed.output;
    const auto folder = std::filesystem::is_directory(archive) ? archive : archive.parent_path();
    const auto experiment = algebra::readCubex(folder / "analysis.cubex");
    const bool waits = family != "mpich" || std::string_view(caller.way) != "disconnect";
    if (!waits) return;                 // MPICH leaves a communicator without the others
    constexpr double kAtLeast = 0.025;  // of 0.1 s
    double wait = 0;
    for (const std::string& metric : caller.waits) wait += valueOfRank(experiment, metric, 1);
    EXPECT_GT(wait, kAtLeast);
    EXPECT_GT(valueOfRank(experiment, caller.costs, 0), kAtLeast);
}

const std::vector<std::string> kForSender{"mpi_latesender", "mpi_latesender_polling"};
const std::vector<std::string> kForCommunicator{"mpi_mgmt_comm_wait"};

INSTANTIATE_TEST_SUITE_P(
    Libraries, RecordedLateCallers,
    ::testing::Combine(::testing::Values(HOLOS_MPI_FAMILIES),
                       ::testing::Values(LateCaller{"recv", kForSender, "delay_p2p"},
                                         LateCaller{"irecv", kForSender, "delay_p2p"},
                                         LateCaller{"probe", kForSender, "delay_p2p"},
                                         LateCaller{"mprobe", kForSender, "delay_p2p"},
                                         LateCaller{"ssend", {"mpi_latereceiver"}, "delay_p2p"},
                                         LateCaller{"detach", {"mpi_buffer_detach_wait"}, "delay_p2p"},
                                         LateCaller{"split", kForCommunicator, "delay_comm"},
                                         LateCaller{"split_type", kForCommunicator, "delay_comm"},
                                         LateCaller{"dup", kForCommunicator, "delay_comm"},
                                         LateCaller{"create", kForCommunicator, "delay_comm"},
                                         LateCaller{"cart", kForCommunicator, "delay_comm"},
                                         LateCaller{"graph", kForCommunicator, "delay_comm"},
                                         LateCaller{"intercomm", kForCommunicator, "delay_comm"},
                                         LateCaller{"merge", kForCommunicator, "delay_comm"},
                                         LateCaller{"disconnect", kForCommunicator, "delay_comm"})),
    [](const auto& instance) { return std::get<0>(instance.param) + '_' + std::get<1>(instance.param).way; });

}  // namespace
}  // namespace holos::testing

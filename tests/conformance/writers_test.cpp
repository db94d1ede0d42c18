// SPDX-License-Identifier: BSD-3-Clause
// Traces of writers that Scalasca does not read, against what the writers themselves say of the run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "analyzer/analyze.h"
#include "analyzer/trace/anchor.h"
#include "tests/support/command.h"
#include "tests/support/event_log.h"
#include "tests/support/severity_lookup.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

using ::testing::ElementsAre;

constexpr double kExact = 1e-9;

class Writers : public ::testing::Test {
  protected:
    analyzer::AnalysisResult analyzed(const std::string& writer) const {
        const auto archive =
            std::filesystem::path(HOLOS_SOURCE_DIR) / "tests/conformance/writers" / (writer + ".tar.xz");
        const auto unpacked = runCommand({HOLOS_CMAKE, "-E", "chdir", directory_.path().string(), HOLOS_CMAKE,
                                          "-E", "tar", "xf", archive.string()});
        EXPECT_EQ(unpacked.exitCode, 0) << unpacked.output;
        EXPECT_THAT(differencesOfReaders(analyzer::trace::findAnchor(directory_.path() / writer)),
                    ::testing::IsEmpty());
        return analyzer::analyze(directory_.path() / writer, {});
    }

  private:
    TemporaryDirectory directory_;
};

std::vector<std::string> described(const std::vector<analyzer::Diagnosis>& diagnoses) {
    std::vector<std::string> lines;
    for (const analyzer::Diagnosis& diagnosis : diagnoses) lines.push_back(diagnosisText(diagnosis));
    return lines;
}

TEST_F(Writers, tau_timesAndMessages_areThoseOfItsProfile) {
    const analyzer::AnalysisResult result = analyzed("tau");
    const auto at = [&](const char* metric, const std::string& path, std::size_t location) {
        return severity(result.experiment, metric, path, algebra::LocationId(location));
    };
    const std::string main = ".TAU application/taupreload_main";
    EXPECT_NEAR(at("comp", main, 0), 0.116696, kExact);
    EXPECT_NEAR(at("mpi_init_exit", main + "/MPI_Init", 3), 0.377425, kExact);
    EXPECT_NEAR(at("mpi_point2point", main + "/MPI_Recv", 0), 0.011470, kExact);
    EXPECT_NEAR(at("mpi_point2point", main + "/MPI_Wait", 2), 0.027355, kExact);
    EXPECT_NEAR(at("mpi_sync_collective", main + "/MPI_Barrier", 0), 0.003891, kExact);
    EXPECT_EQ(at("visits", main + "/MPI_Wait", 0), 20);
    EXPECT_EQ(at("visits", main + "/MPI_Isend", 0), 27);
    EXPECT_EQ(result.statistics.messages, 94U);
    EXPECT_THAT(
        described(result.diagnoses),
        ElementsAre("location 0, event 344, 0.714677000 s: missing definition: an event names a region "
                    "that is not defined (4 times)",
                    "trace: not recorded: no collective operations were recorded, only calls of "
                    "MPI_Barrier: waits and bytes are not known"));
}

TEST_F(Writers, apex_signaturesOfMpi_areItsFunctions) {
    const analyzer::AnalysisResult result = analyzed("apex");
    const auto at = [&](const char* metric, const std::string& path, std::size_t location) {
        return severity(result.experiment, metric, path, algebra::LocationId(location));
    };
    EXPECT_NEAR(at("mpi_point2point", "MPI_Send", 0), 0.005445927, kExact);  // 141445298 - 135999371 ns
    EXPECT_NEAR(at("mpi_point2point", "MPI_Recv", 2), 0.003957789, kExact);  // 137763381 - 133805592 ns
    EXPECT_EQ(at("visits", "MPI_Barrier", 0), 1);
    EXPECT_EQ(result.diagnoses.size(), 4U);  // two threads without events; messages, collective operations
}

TEST_F(Writers, eztrace_functionsOfTheUser_areMpisByName) {
    const analyzer::AnalysisResult result = analyzed("eztrace");
    const auto at = [&](const char* metric, const std::string& path, std::size_t location) {
        return severity(result.experiment, metric, path, algebra::LocationId(location));
    };
    EXPECT_NEAR(at("mpi_point2point", "THREADS/Working/MPI_Send", 0), 0.000142856, kExact);
    EXPECT_NEAR(at("mpi_point2point", "THREADS/Working/MPI_Wait", 0), 0.050990301, kExact);
    EXPECT_NEAR(at("mpi_point2point", "THREADS/Working/MPI_Recv", 1), 0.127599373, kExact);
    EXPECT_NEAR(at("mpi_latesender", "THREADS/Working/MPI_Recv", 1), 0.021429528,
                kExact);  // 21499813 - 70285 ns
    EXPECT_NEAR(at("mpi_collective", "THREADS/Working/MPI_Allreduce", 1), 0.040517975, kExact);
    EXPECT_NEAR(at("mpi_sync_collective", "THREADS/Working/MPI_Barrier", 0), 0.050326930, kExact);
    EXPECT_EQ(at("visits", "THREADS/Working/MPI_Bcast", 0), 5);
    EXPECT_EQ(at("syncs_coll", "THREADS/Working/MPI_Barrier", 1), 5);
    EXPECT_EQ(result.statistics.messages, 5U);
    EXPECT_THAT(described(result.diagnoses),
                ::testing::Contains("location 1073741823: unmatched message: a send has no receive; it "
                                    "counts without waiting time (5 times)"));
}

TEST_F(Writers, lo2s_samplesAndTimeOnProcessors_belongToThreads) {
    const analyzer::AnalysisResult result = analyzed("lo2s");
    EXPECT_EQ(result.experiment.system.processes.size(), 1U);
    const auto sum = [&](const char* metric, std::size_t location) {
        double all = 0;
        for (const auto path : result.experiment.callTree.ids())
            all += result.experiment.severities.table(*result.experiment.findMetric(metric))
                       .at(path, algebra::LocationId(location));
        return all;
    };
    EXPECT_EQ(sum("samples", 0), 39);
    EXPECT_EQ(sum("samples", 1), 69);
    EXPECT_NEAR(sum("time", 0), 0.039252193, kExact);
    EXPECT_NEAR(sum("time", 1), 0.069619840, kExact);
    EXPECT_TRUE(result.diagnoses.empty());
}

}  // namespace
}  // namespace holos::testing

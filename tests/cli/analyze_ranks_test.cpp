// SPDX-License-Identifier: BSD-3-Clause
// mpirun -n K holos analyze
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "tests/support/command.h"
#include "tests/support/damage.h"
#include "tests/support/large_trace.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

/// The MPI of the launcher: `openmpi` or `mpich`.
class AnalyzeByRanks : public ::testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        if (launcher(1, GetParam()).empty()) GTEST_SKIP() << "no launcher of " << GetParam();
        archive_ = writeLargeTrace(folder_.path(), {.processes = 3, .rounds = 10, .callsPerRound = 20});
    }
    CommandResult analyze(unsigned ranks, const std::vector<std::string>& words) const {
        return runCommand(launcher(ranks, GetParam()) + std::vector<std::string>{HOLOS_PROGRAM, "analyze"} +
                          words);
    }
    /// The bytes of the result.
    std::string resultOf(const CommandResult& run, const fs::path& file) const {
        EXPECT_EQ(run.exitCode, 0) << run.output;
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    TemporaryDirectory folder_;
    fs::path archive_;
};

TEST_P(AnalyzeByRanks, anyNumberOfRanksAndThreads_sameFile) {
    const fs::path file = folder_.path() / "run.cubex";
    const std::vector<std::string> words{"-o", file.string(), archive_.string()};
    const std::string serial =
        resultOf(runCommand(std::vector<std::string>{HOLOS_PROGRAM, "analyze", "-j", "1"} + words), file);
    ASSERT_FALSE(serial.empty());
    for (const unsigned ranks : {1U, 2U, 3U}) {
        fs::remove(file);
        const auto run = analyze(ranks, std::vector<std::string>{"-j", ranks == 2 ? "2" : "1"} + words);
        EXPECT_EQ(resultOf(run, file), serial);
        // Said once.
        EXPECT_EQ(run.output.find(file.string()), run.output.rfind(file.string())) << run.output;
    }
}

TEST_P(AnalyzeByRanks, progressAndTable_areTheFirstRanks) {
    const auto run = analyze(2, {"--progress", "--verbose", archive_.string()});
    EXPECT_EQ(run.exitCode, 0) << run.output;
    EXPECT_EQ(run.output.find("100 %"), run.output.rfind("100 %")) << run.output;
    EXPECT_EQ(run.output.find("matching and patterns"), run.output.rfind("matching and patterns"))
        << run.output;
}

TEST_P(AnalyzeByRanks, archiveUnreadable_isSaidOnce) {
    replace(globalDefinitionFile(archive_), "nonsense");
    const auto run = analyze(3, {archive_.string()});
    EXPECT_EQ(run.exitCode, 1) << run.output;
    EXPECT_THAT(run.output, HasSubstr("holos: "));
    EXPECT_EQ(run.output.find("holos: "), run.output.rfind("holos: ")) << run.output;
    EXPECT_FALSE(fs::exists(folder_.path() / "analysis.cubex"));
}

TEST_P(AnalyzeByRanks, launcherOfAnotherMpi_isSaid) {
    // As if the launcher had started three more than this one's MPI knows of.
    const char* size = GetParam() == "openmpi" ? "OMPI_COMM_WORLD_SIZE=4" : "PMI_SIZE=4";
    const auto run = runCommand({"env", size, HOLOS_PROGRAM, "analyze", archive_.string()});
    EXPECT_EQ(run.exitCode, 1) << run.output;
    EXPECT_THAT(run.output, HasSubstr("a launcher started 4 processes, but this library's MPI knows of 1"));
    EXPECT_FALSE(fs::exists(folder_.path() / "analysis.cubex"));
}

INSTANTIATE_TEST_SUITE_P(Families, AnalyzeByRanks, ::testing::Values("openmpi", "mpich"),
                         [](const auto& family) { return family.param; });

TEST(AnalyzeByRanksAlone, pluginMissing_isSaidAndNothingIsWritten) {
    const TemporaryDirectory folder;
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").leave(10);
    const auto archive = trace.write(folder.path());
    fs::create_directories(folder.path() / "bin");
    const fs::path program = folder.path() / "bin" / "holos";
    fs::copy_file(HOLOS_PROGRAM, program);
    for (const char* size : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
        const auto run =
            runCommand({"env", std::string(size) + "=3", program.string(), "analyze", archive.string()});
        EXPECT_EQ(run.exitCode, 1) << run.output;
        EXPECT_THAT(run.output, HasSubstr("a launcher started 3 processes, but this Holos was built without "
                                          "MPI"));
        EXPECT_FALSE(fs::exists(folder.path() / "analysis.cubex"));
    }
    const auto alone =
        runCommand({"env", "OMPI_COMM_WORLD_SIZE=1", program.string(), "analyze", archive.string()});
    EXPECT_EQ(alone.exitCode, 0) << alone.output;
}

}  // namespace
}  // namespace holos::testing

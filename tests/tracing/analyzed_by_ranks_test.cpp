// SPDX-License-Identifier: BSD-3-Clause
// Recorded files and windows, analyzed by the processes of an MPI job: `mpirun -n K holos analyze`.
#include <fstream>
#include <iterator>

#include "tests/tracing/recorded_mpi.h"

namespace holos::testing {
namespace {

class AnalyzedByRanks : public RecordedMpi {
  protected:
    /// The bytes of the experiment; as many processes as `launch` starts.
    std::string experimentBy(const Words& launch, const std::filesystem::path& archive) const {
        const auto file = folder() / "run.cubex";
        std::filesystem::remove(file);
        const auto run = runCommand(
            launch + Words{HOLOS_PROGRAM, "analyze", "-j", "1", "-o", file.string(), archive.string()});
        EXPECT_EQ(run.exitCode, 0) << run.output;
        // Said once: the processes work on one analysis, not each on its own.
        EXPECT_EQ(run.output.find(file.string()), run.output.rfind(file.string())) << run.output;
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    void expectSameBytes(const std::filesystem::path& archive) const {
        const std::string alone = experimentBy({}, archive);
        ASSERT_FALSE(alone.empty());
        EXPECT_EQ(experimentBy(launcher(2, GetParam()), archive), alone);
    }
};

TEST_P(AnalyzedByRanks, files_sameBytesAsByOneProcess) {
    expectSameBytes(archiveOf("files", 2, {}, {folder() / "data"}));
}

TEST_P(AnalyzedByRanks, windows_sameBytesAsByOneProcess) {
    expectSameBytes(archiveOf("one_sided", 2));
}

INSTANTIATE_TEST_SUITE_P(Libraries, AnalyzedByRanks, ::testing::Values(HOLOS_MPI_FAMILIES),
                         [](const auto& family) { return family.param; });

}  // namespace
}  // namespace holos::testing

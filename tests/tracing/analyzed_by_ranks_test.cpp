// SPDX-License-Identifier: BSD-3-Clause
// Recorded files and windows, analyzed by the processes of an MPI job: `mpirun -n K holos analyze`.
#include <fstream>
#include <iterator>
#include <map>

#include "base/process.h"
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
        return contentOf(file);
    }
    /// A recording that is no trace yet: something was in its place.
    std::filesystem::path unfinishedRecording() const {
        const auto run = folder() / "unfinished";
        const std::string inTheWay = run / "traces.def";
        const std::string script = "touch '" + inTheWay + "' && exec " + shellLine(launcher(3, GetParam())) +
                                   ' ' + shellLine({path("ring")});
        EXPECT_EQ(runCommand({HOLOS_PROGRAM, "record", "-o", run, "--", "/bin/sh", "-c", script}).exitCode,
                  1);
        std::filesystem::remove(inTheWay);
        return run;
    }
    /// Definitions and events of the trace that so many processes make of a copy.
    std::map<std::string, std::string> traceBy(const Words& launch,
                                               const std::filesystem::path& recording) const {
        const auto copy = folder() / "copy";
        std::filesystem::remove_all(copy);
        std::filesystem::copy(recording, copy, std::filesystem::copy_options::recursive);
        const auto made = runCommand(launch + Words{HOLOS_PROGRAM, "analyze", "-j", "1", copy.string()});
        EXPECT_EQ(made.exitCode, 0) << made.output;
        std::map<std::string, std::string> files{{"traces.def", contentOf(copy / "traces.def")}};
        for (const auto& entry : std::filesystem::directory_iterator(copy / "traces"))
            files[entry.path().filename()] = contentOf(entry.path());
        return files;
    }
    static std::string contentOf(const std::filesystem::path& file) {
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

TEST_P(AnalyzedByRanks, recordingWithoutATrace_sameTraceByAnyNumber) {
    const auto recording = unfinishedRecording();
    const auto alone = traceBy({}, recording);
    EXPECT_GT(alone.size(), 6U);
    for (const unsigned ranks : {2U, 3U}) EXPECT_EQ(traceBy(launcher(ranks, GetParam()), recording), alone);
}

INSTANTIATE_TEST_SUITE_P(Libraries, AnalyzedByRanks, ::testing::Values(HOLOS_MPI_FAMILIES),
                         [](const auto& family) { return family.param; });

}  // namespace
}  // namespace holos::testing

// SPDX-License-Identifier: BSD-3-Clause
// The studies beside the examples run as one command each, here with small sizes, and leave what they
// promise.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;

class Studies : public ::testing::Test {
  protected:
    void SetUp() override {
        if (launcher(1).empty()) GTEST_SKIP() << "no mpirun here";
    }
    /// Runs the script with this `holos` first in PATH. `settings`: `NAME=value`.
    void run(const std::string& script, const std::vector<std::string>& settings) const {
        const std::string path = fs::path(HOLOS_PROGRAM).parent_path().string() + ':' + std::getenv("PATH");
        const auto result = runCommand(std::vector<std::string>{"env", "PATH=" + path} + settings +
                                       std::vector<std::string>{HOLOS_STUDIES_DIRECTORY "/" + script,
                                                                (directory_.path() / "study").string()});
        EXPECT_EQ(result.exitCode, 0) << result.output;
    }
    void expect(const std::vector<std::string>& files) const {
        for (const std::string& file : files)
            EXPECT_TRUE(fs::exists(directory_.path() / "study" / file)) << file;
    }

    TemporaryDirectory directory_;
};

TEST_F(Studies, ppm_leavesReportsAndTheDifference) {
    run("ppm/study.sh", {"PPM_OPTIONS=--size 8 --steps 1", "PPM_SETS=FAULTS"});
    expect({"even/campaign.cubex", "uneven/campaign.cubex", "even/runhyd.cubex", "change.cubex", "ppm.html",
            "table1.md", "platforms.html"});
}

TEST_F(Studies, sensors_leavesAPictureForEachKernel) {
    run("sensors/study.sh", {"SENSORS_DENSE=64", "SENSORS_FFT=64"});
    expect({"sources.txt", "dense.svg", "fft.svg", "report.html"});
}

TEST_F(Studies, smxv_leavesACurveForEachMetric) {
    run("smxv/study.sh", {"SMXV_ROWS=2000", "SMXV_THREADS=1 3", "SMXV_COUNTERS=ru_minflt"});
    expect({"plain.html", "blocked-int.html", "MFLOPS.svg", "time.svg", "ru_minflt.svg"});
}

}  // namespace
}  // namespace holos::testing

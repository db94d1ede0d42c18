// SPDX-License-Identifier: BSD-3-Clause
// Samples of accesses to memory that a recorded program takes of itself. No machine here has such events:
// page faults, of which the kernel tells the address too, stand in for them, as events of a made-up
// processor.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "algebra/files/cubex.h"
#include "algebra/model/queries.h"
#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"
#include "tests/tracing/recorded_events.h"

namespace holos::testing {
namespace {

using ::testing::HasSubstr;

class RecordedAccesses : public ::testing::Test {
  protected:
    RecordedAccesses() {
        write("cpu/type", "1");
        write("cpu/caps/max_precise", "3");
        write("cpu/format/event", "config:0-7");
        write("cpu/format/ldlat", "config1:0-15");
        write("cpu/events/mem-loads", "event=0x02");
        write("cpu/events/mem-stores", "event=0x06");  // faults that need a disk
    }

    std::string devices() const { return "HOLOS_DEVICES=" + (directory_.path() / "devices").string(); }
    const std::filesystem::path& folder() const { return directory_.path(); }

  private:
    void write(const std::string& file, const std::string& text) const {
        const std::filesystem::path path = directory_.path() / "devices" / file;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text << '\n';
    }
    const TemporaryDirectory directory_;
};

/// Of all call paths that end with these regions, with what is below them.
double below(const algebra::Experiment& experiment, const std::string& metric,
             const std::vector<std::string>& regions) {
    const auto values =
        algebra::perCallPath(experiment, {*experiment.findMetric(metric)}, algebra::Extent::Inclusive);
    double sum = 0;
    for (const auto path : experiment.callTree.ids()) {
        auto at = std::optional(path);
        auto name = regions.rbegin();
        while (at && name != regions.rend() && experiment.regionOf(*at).name == *name) {
            at = experiment.callTree.parent(*at);
            ++name;
        }
        if (name == regions.rend()) sum += values[path.index()];
    }
    return sum;
}

/// One sample for 16 pages.
TEST_F(RecordedAccesses, ofAProgramThatIsStarted_areAtTheirDataAndWhereItWasAllocated) {
    const auto available = runCommand({HOLOS_PROGRAM, "counters", "list", "--available"}).output;
    if (available.find("+ page-faults ") == std::string::npos)
        GTEST_SKIP() << "page-faults are not counted here";
    const auto archive =
        record(folder(), HOLOS_PROGRAMS "/touched_memory", {"env", devices()}, {"--sample", "memory:16"});
    ASSERT_EQ(runCommand({HOLOS_PROGRAM, "analyze", archive}).exitCode, 0);
    const auto experiment = algebra::readCubex(archive / "analysis.cubex");
    const auto samplesOf = [&](const std::vector<std::string>& regions) {
        return below(experiment, "memory_unknown", regions);
    };
    EXPECT_GE(samplesOf({"main", "touch", "data grid"}), 95);
    EXPECT_LE(samplesOf({"data grid"}), 101);
    const std::vector<std::string> heap = {"touch", "data on the heap", "data allocated in main"};
    for (const char* function : {"data allocated in make_block", "data allocated in make_zeros"}) {
        std::vector<std::string> path = heap;
        path.emplace_back(function);
        EXPECT_GE(samplesOf(path), 95) << function;
        EXPECT_LE(samplesOf(path), 101) << function;
    }
    EXPECT_EQ(below(experiment, "memory_shared_line", {"main"}), 0) << "one thread shares with nobody";
}

TEST_F(RecordedAccesses, machineWithoutThem_isToldInOneMessage) {
    const std::string nothing = "HOLOS_DEVICES=" + folder().string();
    const auto result = runCommand({"env", nothing, HOLOS_PROGRAM, "record", "--sample", "memory:1000", "-o",
                                    folder() / "run", "--", "true"});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, HasSubstr("memory: this machine has no samples of accesses to memory"));
    EXPECT_FALSE(std::filesystem::exists(folder() / "run"));
}

}  // namespace
}  // namespace holos::testing

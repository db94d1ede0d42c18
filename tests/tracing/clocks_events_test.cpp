// SPDX-License-Identifier: BSD-3-Clause
// Clocks of processes that are told to be on machines of their own: `programs/clocks.c`.
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/tracing/recorded_mpi.h"

namespace holos::testing {
namespace {

struct Offset {
    double seconds;
    double deviation;
};

/// What the trace says of a location's clock, in the order of time.
std::vector<Offset> offsetsOf(const std::filesystem::path& archive, unsigned location) {
    const auto printed = runCommand(
        {"otf2-print", "-L", std::to_string(location), "--show-clock-offsets", archive / "traces.otf2"});
    EXPECT_EQ(printed.exitCode, 0) << printed.output;
    static const std::regex kOffset(R"(CLOCK_OFFSET.*Offset: ([-+0-9]+).*StdDev: ([-+.e0-9]+))");
    std::vector<Offset> offsets;
    for (std::sregex_iterator at(printed.output.begin(), printed.output.end(), kOffset), end; at != end; ++at)
        offsets.push_back({std::stod((*at)[1]) * 1e-9, std::stod((*at)[2]) * 1e-9});
    return offsets;
}

nlohmann::json measurementOf(const std::filesystem::path& archive) {
    std::ifstream file(archive / "measurement.json");
    return nlohmann::json::parse(file);
}

class RecordedClocks : public RecordedMpi {
  protected:
    /// Each rank is on a machine whose clock is fast by `seconds` times its rank.
    std::filesystem::path archiveOfMachines(unsigned ranks, int seconds, const Words& options = {},
                                            const Words& arguments = {}) {
        const std::string rank = "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}";
        const std::string script = "HOLOS_MACHINE=machine" + rank + " WRONG_BY=$(( " + rank + " * " +
                                   std::to_string(seconds) +
                                   " )) LD_PRELOAD=" HOLOS_PROGRAMS "/libwrong_clock.so exec \"$@\"";
        return record(folder(), path("clocks"), launcher(ranks, GetParam()) + Words{"sh", "-c", script, "sh"},
                      options, arguments);
    }
};

TEST_P(RecordedClocks, machinesOfTheirOwn_offsetsAreFoundThreeTimes) {
    constexpr double kFast = 1000;
    const auto archive = archiveOfMachines(4, static_cast<int>(kFast));
    EXPECT_TRUE(offsetsOf(archive, 0).empty());
    for (unsigned rank = 1; rank < 4; ++rank) {
        const auto offsets = offsetsOf(archive, rank);
        ASSERT_EQ(offsets.size(), 3u);
        // No answer is wrong by more than half of its round trip, √3 deviations; rank 3 asks rank 2, which
        // asks 0.
        const double trips = rank == 3 ? 2 : 1;
        for (const Offset& one : offsets) {
            EXPECT_GT(one.deviation, 0.0);
            EXPECT_NEAR(one.seconds, -kFast * rank, std::sqrt(3 * trips) * one.deviation + 1e-6);
        }
    }
    const auto events = recordedEvents(archive);
    EXPECT_EQ(with(events.at(2), {"holos_synchronize_clocks"}),
              (Words{"ENTER holos_synchronize_clocks", "LEAVE holos_synchronize_clocks"}));
    // Without the offsets the trace would last as long as the clocks differ.
    analysisOf(archive);
    const auto shown = runCommand(
        {HOLOS_PROGRAM, "show", archive / "analysis.cubex", "--metric", "time", "--format", "csv"});
    for (std::smatch value; std::regex_search(shown.output, value, std::regex(R"(,([0-9.]+)\n)"));) {
        EXPECT_LT(std::stod(value[1]), kFast);
        break;
    }
}

/// As often as the processes meet, as the interval is over each time.
TEST_P(RecordedClocks, comparedInBetween_whereAllProcessesMeet) {
    constexpr double kFast = 1000;
    const auto archive =
        archiveOfMachines(3, static_cast<int>(kFast), {"--clock-offsets-every", "1us"}, {"6"});
    const auto offsets = offsetsOf(archive, 1);
    EXPECT_GE(offsets.size(), 4u) << "begin, end, and what of the 13 calls was chosen";
    EXPECT_EQ(measurementOf(archive)["clockOffsetsEveryNanoseconds"], 1000);
    for (const Offset& one : offsets) EXPECT_NEAR(one.seconds, -kFast, std::sqrt(3) * one.deviation + 1e-6);
    for (unsigned rank = 0; rank < 3; ++rank) {
        EXPECT_EQ(offsetsOf(archive, rank).size(), rank == 0 ? 0 : offsets.size());
        const auto events = with(recordedEvents(archive).at(rank),
                                 {"holos_synchronize_clocks", "MPI_Allreduce", "MPI_Barrier"});
        int deep = 0;
        for (const std::string& event : events) {
            deep += event.starts_with("ENTER") ? 1 : event.starts_with("LEAVE") ? -1 : 0;
            EXPECT_LE(deep, 1) << "not in the time of the operation";
        }
    }
}

TEST_P(RecordedClocks, intervalThatIsNotOver_nothingInBetween) {
    const auto archive = archiveOfMachines(2, 1, {"--clock-offsets-every", "3600s"}, {"80"});
    EXPECT_EQ(measurementOf(archive)["clockOffsetsEveryNanoseconds"], 3'600'000'000'000);
    EXPECT_EQ(offsetsOf(archive, 1).size(), 2u);
}

TEST_P(RecordedClocks, oneToFiveRanksOfOneMachine_nothingToCorrect) {
    for (unsigned ranks = 1; ranks <= 5; ranks += 2) {
        const auto archive =
            record(folder() / std::to_string(ranks), path("clocks"), launcher(ranks, GetParam()));
        for (unsigned rank = 0; rank < ranks; ++rank) EXPECT_TRUE(offsetsOf(archive, rank).empty());
    }
}

INSTANTIATE_TEST_SUITE_P(Libraries, RecordedClocks, ::testing::Values(HOLOS_MPI_FAMILIES),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace holos::testing

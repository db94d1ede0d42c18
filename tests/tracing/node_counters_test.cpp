// SPDX-License-Identifier: BSD-3-Clause
// A counter of the whole node, which one process reads for all that run there: `programs/rounds.c` with the
// energy that `programs/made_up_papi.cpp` makes up.
#include <gmock/gmock.h>

#include <regex>
#include <sstream>

#include "algebra/files/cubex.h"
#include "algebra/model/metric_values.h"
#include "algebra/operators/history/metric_names.h"
#include "tests/support/severity_lookup.h"
#include "tests/tracing/recorded_mpi.h"

namespace holos::testing {
namespace {

constexpr const char* kEnergy = "room:::ENERGY";
const std::string kMetric = algebra::safeUniqueName(kEnergy);

struct NodeReading {
    double seconds;  ///< since the start of the trace
    double value;
};

std::vector<NodeReading> readingsOf(const std::filesystem::path& archive) {
    const auto trace = (archive / "traces.otf2").string();
    static const std::regex kClock("Ticks per Seconds: ([0-9]+), Global Offset: ([0-9]+)");
    const std::string definitions = runCommand({"otf2-print", "-G", trace}).output;
    std::smatch clock;
    EXPECT_TRUE(std::regex_search(definitions, clock, kClock)) << definitions;
    static const std::regex kReading("METRIC +[0-9]+ +([0-9]+) .*room:::ENERGY.*; ([0-9]+)\\).*");
    std::vector<NodeReading> readings;
    std::istringstream lines(runCommand({"otf2-print", trace}).output);
    std::smatch reading;
    for (std::string line; std::getline(lines, line);)
        if (std::regex_match(line, reading, kReading))
            readings.push_back({static_cast<double>(std::stoull(reading.str(1)) - std::stoull(clock.str(2))) /
                                    std::stod(clock.str(1)),
                                std::stod(reading.str(2))});
    return readings;
}

class RecordedNodeCounters : public RecordedMpi {
  protected:
    algebra::Experiment analyzed(const std::filesystem::path& archive, const Words& options = {}) const {
        const auto file = folder() / "run.cubex";
        const auto result = runCommand(Words{HOLOS_PROGRAM, "analyze", archive, "-o", file} + options);
        EXPECT_EQ(result.exitCode, 0) << result.output;
        return algebra::readCubex(file);
    }
    /// Read at the start and at the end of the process that reads for the node, however long that takes.
    std::filesystem::path twoRanks() const {
        return record(folder(), path("rounds_plain"),
                      Words{"env", "LD_LIBRARY_PATH=" HOLOS_PROGRAMS} + launcher(2, GetParam()),
                      {"--counters", kEnergy, "--counters-async", "86400s"});
    }
};

TEST_P(RecordedNodeCounters, energyOfTheNode_isDividedAmongCallPathsOfAllProcessesByTheirTime) {
    const auto archive = twoRanks();
    const auto readings = readingsOf(archive);
    ASSERT_FALSE(readings.empty());
    ASSERT_LE(readings.size(), 2) << "two processes must not read it both";
    const double growth = readings.back().value - readings.front().value;
    const auto experiment = analyzed(archive);
    EXPECT_NEAR(total(experiment, kMetric), growth, 1e-9 * growth);
    if (readings.size() == 1) return;  // on a machine so busy that nobody read it at the start

    // All of the growth is that of the time between the two readings.
    std::ostringstream from, to;
    from.precision(17);
    to.precision(17);
    from << readings.front().seconds;
    to << readings.back().seconds;
    const auto between = analyzed(archive, {"--from", from.str(), "--to", to.str()});
    ASSERT_EQ(between.callTree.size(), experiment.callTree.size());
    algebra::MetricValues timeValues(between, {});
    const algebra::SeverityTable& time = timeValues.everywhere(*between.findMetric("time"));
    const algebra::SeverityTable& energy = experiment.severities.table(*experiment.findMetric(kMetric));
    double allTime = 0;
    for (const auto path : between.callTree.ids())
        for (std::size_t at = 0; at < time.locations(); ++at)
            if (between.system.locations[at].type == algebra::Location::Type::Thread)
                allTime += time.at(path, algebra::LocationId(at));
    for (const auto path : experiment.callTree.ids())
        for (std::size_t at = 0; at < energy.locations(); ++at) {
            const algebra::LocationId location(at);
            const bool isThread = experiment.system[location].type == algebra::Location::Type::Thread;
            const double part = isThread ? time.at(path, location) / allTime : 0;
            EXPECT_NEAR(energy.at(path, location), part * growth, 1e-6 * growth)
                << experiment.regionOf(path).name << " in " << experiment.system[location].name;
        }
}

INSTANTIATE_TEST_SUITE_P(Libraries, RecordedNodeCounters, ::testing::Values(HOLOS_MPI_FAMILIES),
                         [](const auto& family) { return family.param; });

}  // namespace
}  // namespace holos::testing

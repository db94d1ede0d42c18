// SPDX-License-Identifier: BSD-3-Clause
// Threads that run on several stacks in turn: wherever the calls that led to their events are lost, no time
// is.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <regex>
#include <sstream>

#include "algebra/files/cubex.h"
#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"
#include "tests/tracing/python.h"
#include "tests/tracing/recorded_events.h"

namespace holos::testing {
namespace {

/// Nanoseconds of each region without the regions that were entered in it, in all threads; of the first
/// thread outside of regions by the name "".
using Times = std::map<std::string, std::int64_t>;

/// By the time stamps, which are nanoseconds.
Times timesOfEvents(const std::filesystem::path& archive) {
    const std::regex event(
        R"re((PROGRAM_BEGIN|PROGRAM_END|ENTER|LEAVE) +([0-9]+) +([0-9]+) *(?:Region: "([^"]*)")?.*)re");
    struct Thread {
        std::vector<std::string> open{""};
        std::int64_t last = -1;
    };
    std::map<std::string, Thread> threads;
    Times times;
    std::istringstream lines(runCommand({"otf2-print", archive / "traces.otf2"}).output);
    for (std::string line; std::getline(lines, line);) {
        std::smatch parts;
        if (!std::regex_match(line, parts, event)) continue;
        Thread& thread = threads[parts[2]];
        const std::int64_t now = std::stoll(parts[3]);
        if (thread.last >= 0 && (thread.open.size() > 1 || parts[2] == "0"))
            times[thread.open.back()] += now - thread.last;
        thread.last = now;
        if (parts[1] == "ENTER") thread.open.push_back(parts[4]);
        if (parts[1] == "LEAVE") thread.open.pop_back();
    }
    return times;
}

/// Of each call path the time is that of the region that it stands in; of functions outside of regions that
/// of "".
Times timesOfCallPaths(const algebra::Experiment& experiment, const Times& regions) {
    const auto& table = experiment.severities.table(*experiment.findMetric("time"));
    std::map<std::string, double> seconds;
    for (const auto path : experiment.callTree.ids()) {
        std::string region;
        for (std::optional<algebra::CallPathId> at = path; at && region.empty();
             at = experiment.callTree.parent(*at))
            if (regions.contains(experiment.regionOf(*at).name)) region = experiment.regionOf(*at).name;
        const auto values = table.row(path);
        for (std::size_t location = 0; location < values.size(); ++location) {
            EXPECT_GE(values[location], 0) << experiment.regionOf(path).name;
            if (!region.empty() || location == 0) seconds[region] += values[location];
        }
    }
    Times times;
    for (const auto& [region, time] : seconds) times[region] = std::llround(time * 1e9);
    return times;
}

void expectTimesOfEvents(const std::filesystem::path& archive) {
    ASSERT_EQ(runCommand({HOLOS_PROGRAM, "analyze", archive}).exitCode, 0);
    const Times expected = timesOfEvents(archive);
    ASSERT_GT(expected.size(), 1);
    EXPECT_EQ(timesOfCallPaths(algebra::readCubex(archive / "analysis.cubex"), expected), expected);
}

class TimeOnSwitchedStacks : public ::testing::TestWithParam<const char*> {};

TEST_P(TimeOnSwitchedStacks, isThatOfTheEvents) {
    if (!std::filesystem::exists(std::string(HOLOS_PROGRAMS "/") + GetParam()))
        GTEST_SKIP() << "no Boost.Fiber here";
    const TemporaryDirectory directory;
    expectTimesOfEvents(record(directory.path(), std::string(HOLOS_PROGRAMS "/") + GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Programs, TimeOnSwitchedStacks,
                         ::testing::Values("strange_stacks", "switched_stacks", "switched_stacks_optimised"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(TimeOfGreenlets, isThatOfTheEvents) {
    if (!isPythonKnown(kPython)) GTEST_SKIP() << "no Python from 3.11 on here";
    if (runCommand({kPython, "-c", "import greenlet, gevent"}).exitCode != 0)
        GTEST_SKIP() << "no greenlet and gevent for Python here";
    const TemporaryDirectory directory;
    expectTimesOfEvents(record(directory.path(), kPython, {}, {},
                               {HOLOS_SOURCES "/greenlets.py", directory.path() / "told", "usleep"}));
}

}  // namespace
}  // namespace holos::testing

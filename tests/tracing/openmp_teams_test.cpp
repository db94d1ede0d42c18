// SPDX-License-Identifier: BSD-3-Clause
// What is recorded of teams, of targets on the host, and of OpenMP constructs that end elsewhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"
#include "tests/tracing/recorded_events.h"

namespace holos::testing {
namespace {

/// `Source_Compiler`: the programs' comments name the lines.
class RecordedLeagues : public ::testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        const std::string program = std::string(HOLOS_PROGRAMS "/") + GetParam();
        if (!std::filesystem::exists(program)) GTEST_SKIP() << "not built here";
        // Two teams are possible in this way on a machine with one processor, too.
        const std::vector<std::string> launched{"env", "KMP_TEAMS_THREAD_LIMIT=4", "OMP_CANCELLATION=true"};
        const auto archive = record(directory_.path(), program, launched, {"--locks", "each"}, arguments());
        for (auto& [location, events] : recordedEvents(archive)) locations_.push_back(std::move(events));
    }

    virtual std::vector<std::string> arguments() const { return {}; }
    static std::string source() {
        std::string program = GetParam();
        for (const char* compiler : {"_gcc", "_clang"}) program = program.substr(0, program.find(compiler));
        return program + ".c";
    }
    static bool isClang() { return std::string(GetParam()).find("_clang") != std::string::npos; }

    static std::string named(const char* construct, const std::string& comment) {
        std::ifstream file(HOLOS_SOURCES "/" + source());
        int number = 1;
        for (std::string line; std::getline(file, line); ++number)
            if (line.ends_with("/* " + comment + " */")) break;
        return std::string("!$omp ") + construct + " @" + source() + ":" + std::to_string(number);
    }
    std::size_t countOf(const std::string& event) const {
        std::size_t count = 0;
        for (const auto& events : locations_)
            count += static_cast<std::size_t>(std::count(events.begin(), events.end(), event));
        return count;
    }
    std::size_t countOfKind(const std::string& kind) const {
        std::size_t count = 0;
        for (const auto& events : locations_) count += with(events, {kind}).size();
        return count;
    }
    void expectTimes(std::size_t times, const std::string& region) const {
        EXPECT_EQ(countOf("ENTER " + region), times);
        EXPECT_EQ(countOf("LEAVE " + region), times) << region;
    }

    std::vector<std::vector<std::string>> locations_;

  private:
    TemporaryDirectory directory_;
};

class RecordedTeams : public RecordedLeagues {};

TEST_P(RecordedTeams, teams_areLeftByEachOfTheirThreads) {
    const std::size_t threads = isClang() ? 2 : 1;  // gcc's runtime has one thread work for all teams
    expectTimes(3 * threads, named("teams", "teams"));
    expectTimes(3 * threads, named("implicit barrier", "teams"));
    if (isClang()) expectTimes(3 * threads, named("distribute", "shared"));
}

TEST_P(RecordedTeams, rounds_doNotNestInEachOther) {
    for (const auto& events : locations_) {
        std::multiset<std::string> open;
        for (const auto& event : events) {
            const std::string region = event.substr(event.find(' ') + 1);
            if (event.starts_with("LEAVE")) open.erase(open.find(region));
            if (!event.starts_with("ENTER")) continue;
            EXPECT_EQ(open.count(region), 0) << event;
            open.insert(region);
        }
    }
}

class RecordedTargets : public RecordedLeagues {};

TEST_P(RecordedTargets, threadOfTheRuntimeThatRunsTargets_hasALocation) {
    const std::string waited = named("task", "waited");
    const std::string alone = named("task", "alone");
    const bool hasHelper = std::ranges::any_of(locations_, [&](const auto& events) {
        return !events.empty() && (events.front() == "ENTER " + alone || events.front() == "ENTER " + waited);
    });
    EXPECT_EQ(hasHelper, isClang());
}

TEST_P(RecordedTargets, targetsThatNobodyWaitsForAtOnce_areTasks) {
    for (const char* comment : {"alone", "waited"}) {
        expectTimes(1, named("create task", comment));
        expectTimes(1, named("task", comment));
    }
    EXPECT_EQ(countOfKind("THREAD_TASK_CREATE"), countOfKind("THREAD_TASK_COMPLETE"));
}

class RecordedEndings : public RecordedLeagues {};

TEST_P(RecordedEndings, taskThatFulfilsTheEventOfAnother_isRecordedToItsEnd) {
    for (const char* comment : {"waits", "fulfils", "early", "later", "behind"})
        expectTimes(1, named("task", comment));
    EXPECT_EQ(countOfKind("THREAD_TASK_CREATE"), 7);
    EXPECT_EQ(countOfKind("THREAD_TASK_COMPLETE"), 7);
    for (const auto& events : locations_) {
        const auto begin = std::ranges::find(events, "ENTER " + named("task", "fulfils"));
        const auto end = std::find(begin, events.end(), "LEAVE " + named("task", "fulfils"));
        EXPECT_TRUE(with({begin, end}, {"THREAD_TASK_SWITCH"}).empty());
    }
}

TEST_P(RecordedEndings, teamInATask_isLeftAfterItsTasksAndWithinThatTask) {
    const std::string outer = named("task", "outer");
    const std::string within = named("parallel", "within");
    for (const auto& region : {outer, within, named("task", "inner")}) expectTimes(1, region);
    for (const auto& events : locations_) {
        const auto leave = std::ranges::find(events, "LEAVE " + within);
        if (leave == events.end()) continue;
        EXPECT_EQ(std::find(events.begin(), leave, "LEAVE " + outer), leave);
        EXPECT_NE(std::find(events.begin(), leave, "LEAVE " + named("task", "inner")), leave);
    }
}

TEST_P(RecordedEndings, taskWhoseEventAThreadFulfilsThatIsInNoTeam_isCompleteThen) {
    const auto isOfThread = [](const auto& events) { return !with(events, {"ENTER fulfilLater"}).empty(); };
    const auto thread = std::ranges::find_if(locations_, isOfThread);
    ASSERT_NE(thread, locations_.end());
    EXPECT_EQ(with(*thread, {"THREAD_TASK_"}).size(), 1);
    EXPECT_EQ(with(*thread, {"THREAD_TASK_COMPLETE"}).size(), 1);
}

/// An optimiser makes one call of several that could be told apart by their lines, or a jump.
class RecordedCancelled : public RecordedLeagues {};

TEST_P(RecordedCancelled, barrierThatEndsARegion_standsAtTheRegionOrWhatCancelsIt) {
    for (const auto& events : locations_)
        for (const auto& event : with(events, {"ENTER !$omp implicit barrier"}))
            EXPECT_THAT(event, ::testing::HasSubstr(" @endings.c:"));
}

TEST_P(RecordedEndings, constructsThatMayBeCancelled_haveTheirOwnLines) {
    expectTimes(2, named("for", "loop"));
    expectTimes(2, named("implicit barrier", "one"));
    expectTimes(2, named("barrier", "all"));
    for (const auto& events : locations_)
        EXPECT_TRUE(with(events, {"__kmpc", "libomp"}).empty()) << with(events, {"__kmpc", "libomp"}).front();
}

/// gcc's and LLVM's in one process: each region has its threads, its tasks and its end.
class RecordedTwoRuntimes : public RecordedLeagues {
  protected:
    std::vector<std::string> arguments() const override { return {HOLOS_PROGRAMS "/libtwo_runtimes.so"}; }
};

TEST_P(RecordedTwoRuntimes, regionsOfEachInThoseOfTheOther_areWhole) {
    constexpr std::size_t kOther = 5 * 4 + 1;
    expectTimes(2 * kOther, named("parallel", "other"));
    expectTimes(2 * kOther, named("barrier", "all"));
    expectTimes(kOther, named("task", "other task"));
    expectTimes(2 * 5, named("parallel", "own"));
    expectTimes(5, named("task", "own task"));
    EXPECT_EQ(countOfKind("THREAD_TASK_CREATE"), kOther + 5);
    EXPECT_EQ(countOfKind("THREAD_TASK_COMPLETE"), kOther + 5);
}

INSTANTIATE_TEST_SUITE_P(Compilers, RecordedTwoRuntimes, ::testing::Values("two_runtimes"),
                         [](const auto&) { return std::string("both"); });
INSTANTIATE_TEST_SUITE_P(Compilers, RecordedTeams, ::testing::Values("teams_gcc", "teams_clang"),
                         [](const auto& instance) { return std::string(instance.param).substr(6); });
INSTANTIATE_TEST_SUITE_P(Compilers, RecordedTargets, ::testing::Values("targets_gcc", "targets_clang"),
                         [](const auto& instance) { return std::string(instance.param).substr(8); });
INSTANTIATE_TEST_SUITE_P(Compilers, RecordedEndings, ::testing::Values("endings_gcc", "endings_clang"),
                         [](const auto& instance) { return std::string(instance.param).substr(8); });
INSTANTIATE_TEST_SUITE_P(Compilers, RecordedCancelled,
                         ::testing::Values("endings_gcc", "endings_clang", "endings_clang_optimised"),
                         [](const auto& instance) { return std::string(instance.param).substr(8); });

}  // namespace
}  // namespace holos::testing

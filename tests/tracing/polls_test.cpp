// SPDX-License-Identifier: BSD-3-Clause
// Calls that find nothing: `programs/polls.c`, `programs/test_locks.c` and `lock_tests.c`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "algebra/files/cubex.h"
#include "tests/tracing/recorded_mpi.h"
#include "tests/tracing/recorded_paths.h"

namespace holos::testing {
namespace {

constexpr double kPolls = 500;
constexpr int kTests = 200;
using Visits = std::map<std::string, double>;

algebra::Experiment analyzed(const std::filesystem::path& archive) {
    const auto result = runCommand({HOLOS_PROGRAM, "analyze", archive});
    EXPECT_EQ(result.exitCode, 0) << result.output;
    return algebra::readCubex(archive / "analysis.cubex");
}

/// Of functions, which stand in no paradigm of their own, too. While MPI starts, reads of files may wait or
/// not.
Visits visitsOfAll(const algebra::Experiment& experiment) {
    Visits visits = visitsByNames(experiment, "mpi");
    for (const auto& [names, value] : visitsByNames(experiment, "sampling")) visits[names] = value;
    for (const auto& [names, value] : visitsByNames(experiment, "openmp")) visits[names] = value;
    std::erase_if(visits, [](const auto& each) { return each.first.find("MPI_Init/") != std::string::npos; });
    return visits;
}

/// Over all call paths and locations.
double sumOf(const algebra::Experiment& experiment, const std::string& metric) {
    const auto& table = experiment.severities.table(*experiment.findMetric(metric));
    double sum = 0;
    for (const auto path : experiment.callTree.ids())
        for (const double value : table.row(path)) sum += value;
    return sum;
}

std::ptrdiff_t entersOf(const std::vector<std::string>& events, const std::string& region) {
    return std::count(events.begin(), events.end(), "ENTER " + region);
}

std::ptrdiff_t callsWithoutProcessor(const std::filesystem::path& archive) {
    std::istringstream printed(runCommand({"otf2-print", archive / "traces.otf2"}).output);
    std::ptrdiff_t calls = 0;
    for (std::string line; std::getline(printed, line);)
        if (line.find("\"WithoutProcessor\" <") != std::string::npos) ++calls;
    return calls;
}

class RecordedPolls : public RecordedMpi {};

TEST_P(RecordedPolls, visits_areThoseOfEachPoll) {
    const Visits visits = visitsOfAll(analyzed(archiveOf("polls", 1)));
    EXPECT_EQ(visits.at("main/test/isHere/MPI_Test"), kPolls);
    EXPECT_EQ(visits.at("main/test/isHere"), kPolls);
    EXPECT_EQ(visits.at("main/test"), 1);
    EXPECT_EQ(visits.at("main/testAny/MPI_Testany"), kPolls);
    EXPECT_EQ(visits.at("main/testAll/MPI_Testall"), kPolls);
    EXPECT_EQ(visits.at("main/testSome/MPI_Testsome"), kPolls);
    EXPECT_EQ(visits.at("main/probe/MPI_Iprobe"), kPolls);
    EXPECT_EQ(visits.at("main/ask/MPI_Request_get_status"), kPolls);
    EXPECT_EQ(visits.at("main/look/MPI_Win_sync"), kPolls);
    EXPECT_EQ(visits.at("main/look/MPI_Win_flush"), kPolls);
    EXPECT_EQ(visits.at("main/turn/MPI_Test"), kPolls);
    EXPECT_EQ(visits.at("main/turn/MPI_Iprobe"), kPolls);
    EXPECT_EQ(visits, visitsOfAll(analyzed(archiveOf("polls", 1, {"--polls", "each", "--force"}))));
}

/// Two enters, unless a sample or a new part of the file comes between. A poll in which the thread had no
/// processor has that to tell, and is a call of its own.
TEST_P(RecordedPolls, ofOnePlace_areOneCallBehindTheFirst) {
    const auto archive = archiveOf("polls", 1);
    const auto events = recordedEvents(archive).at(0);
    const auto starved = callsWithoutProcessor(archive);
    EXPECT_LE(entersOf(events, "MPI_Testany"), 4 + starved);
    EXPECT_LE(entersOf(events, "MPI_Request_get_status"), 4 + starved);
    EXPECT_LE(entersOf(events, "MPI_Win_sync"), 4 + starved);
    EXPECT_LE(entersOf(events, "MPI_Win_flush"), 4 + starved);
    EXPECT_GE(entersOf(events, "MPI_Iprobe"), kPolls);  // in turns with MPI_Test
}

TEST_P(RecordedPolls, profile_saysHowManyFollowEachOther) {
    const auto visitsIn = [](const algebra::Experiment& experiment, const char* metric,
                             const std::string& region) {
        const auto& table = experiment.severities.table(*experiment.findMetric(metric));
        double sum = 0;
        for (const auto path : experiment.callTree.ids())
            if (experiment.regionOf(path).name == region)
                for (const double value : table.row(path)) sum += value;
        return sum;
    };
    const auto archive = archiveOf("polls", 1, {"--profile", "--force"});
    const algebra::Experiment profile = algebra::readCubex(archive / "profile.cubex");
    EXPECT_EQ(visitsIn(profile, "visits", "MPI_Testany"), kPolls);
    EXPECT_GE(visitsIn(profile, "visits_repeated", "MPI_Testany"), kPolls - 4);
    EXPECT_LE(visitsIn(profile, "visits_repeated", "MPI_Iprobe"), kPolls + 4)
        << "one of two places is in turns";
}

TEST_P(RecordedPolls, each_isACallWhereThatIsAskedFor) {
    const auto events = eventsOf("polls", 1, {"--polls", "each"}).at(0);
    EXPECT_EQ(entersOf(events, "MPI_Testany"), kPolls);
    EXPECT_EQ(entersOf(events, "MPI_Iprobe"), 2 * kPolls);
}

/// Their values belong to each call.
TEST_P(RecordedPolls, withCounters_areCallsOfTheirOwn) {
    EXPECT_EQ(entersOf(eventsOf("polls", 1, {"--counters", "ru_nvcsw"}).at(0), "MPI_Testany"), kPolls);
}

TEST_P(RecordedPolls, withoutCallPaths_areFoundByTheirRegion) {
    const auto visits = visitsOfAll(analyzed(archiveOf("polls", 1, {"--call-paths", "none"})));
    EXPECT_EQ(visits.at("MPI_Testany"), kPolls);
    EXPECT_EQ(visits.at("MPI_Test"), 2 * kPolls);
}

/// The sender waits to be told so, which comes after the first of them.
TEST_P(RecordedPolls, beforeTheMessageIsSent_areAWaitForIt) {
    for (const char* polls : {"thin", "each"}) {
        const auto experiment = analyzed(archiveOf("polls_for_message", 2, {"--polls", polls, "--force"}));
        const double waits = sumOf(experiment, "mpi_latesender_polling");
        EXPECT_GT(waits, 0) << polls;
        EXPECT_LE(waits, sumOf(experiment, "mpi_point2point")) << polls;
    }
}

TEST_P(RecordedPolls, ofAProgramThatKillsItself_areThereToTheLast) {
    std::vector<std::string> command{HOLOS_PROGRAM, "record", "-o", folder() / "killed", "--"};
    for (const auto& word : launcher(1, GetParam())) command.push_back(word);
    command.push_back(path("polls"));
    command.emplace_back("killed");
    EXPECT_NE(runCommand(command).exitCode, 0);
    EXPECT_EQ(visitsOfAll(analyzed(folder() / "killed")).at("main/untilKilled/test/isHere/MPI_Test"), kPolls);
}

/// What a filter leaves out of calls of MPI, OpenMP and threads.
class FilteredCalls : public RecordedMpi {
  protected:
    Words filter(const std::string& patterns) const {
        const auto file = folder() / "calls.filter";
        std::ofstream(file) << "SCOREP_REGION_NAMES_BEGIN\nEXCLUDE " << patterns
                            << "\nSCOREP_REGION_NAMES_END\n";
        return {"--filter", file};
    }
};

TEST_P(FilteredCalls, polls_areRecordedWhereTheyFindSomething) {
    const auto archive = archiveOf("polls", 1, filter("MPI_Test*"), {"found"});
    const auto events = recordedEvents(archive).at(0);
    EXPECT_EQ(entersOf(events, "MPI_Testany"), 3);
    EXPECT_EQ(with(events, {"MPI_IRECV from"}).size(), 3U);
    EXPECT_EQ(analysisOf(archive).find("without"), std::string::npos);
    EXPECT_EQ(visitsOfAll(analyzed(archive)).at("main/untilAllAreHere/MPI_Testany"), 3);
}

TEST_P(FilteredCalls, functionsOfMpi_stayWhereOthersMayWaitForThem) {
    const auto events = eventsOf("polls", 1, filter("MPI_*")).at(0);
    EXPECT_EQ(with(events, {"MPI_Test", "MPI_Iprobe", "MPI_Request_get_status"}), Words{});
    EXPECT_EQ(entersOf(events, "MPI_Send"), 3);
    EXPECT_EQ(entersOf(events, "MPI_Waitall"), 1);
    EXPECT_EQ(entersOf(events, "MPI_Init"), 1);
}

TEST_P(FilteredCalls, namesOfAllRegions_leaveMpi) {
    EXPECT_GE(entersOf(eventsOf("polls", 1, filter("*")).at(0), "MPI_Iprobe"), kPolls);
}

INSTANTIATE_TEST_SUITE_P(Libraries, FilteredCalls, ::testing::Values(HOLOS_MPI_FAMILIES),
                         [](const auto& test) { return test.param; });
INSTANTIATE_TEST_SUITE_P(Libraries, RecordedPolls, ::testing::Values(HOLOS_MPI_FAMILIES),
                         [](const auto& test) { return test.param; });

TEST(RecordedLockTests, visits_areThoseOfEachTest) {
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), HOLOS_PROGRAMS "/test_locks_gcc");
    const auto events = recordedEvents(archive).at(0);
    EXPECT_LE(entersOf(events, "omp_test_lock"), 5);
    EXPECT_EQ(visitsOfAll(analyzed(archive)).at("main/omp_test_lock"), kPolls + 1);
}

/// Who has the lock gives it back when told so, which comes after the first of them.
TEST(RecordedLockTests, untilTheLockIsFree_areAWaitForWhoHasIt) {
    const TemporaryDirectory directory;
    for (const char* polls : {"thin", "each"}) {
        const auto experiment = analyzed(
            record(directory.path(), HOLOS_PROGRAMS "/lock_tests_gcc", {}, {"--polls", polls, "--force"}));
        for (const auto& [metric, delay] :
             {std::pair("omp_lock_contention_polling", "delay_omp_lock_aggregate"),
              std::pair("pthread_lock_contention_polling", "delay_pthread_lock_aggregate")}) {
            EXPECT_GT(sumOf(experiment, metric), 0) << polls << metric;
            EXPECT_GT(sumOf(experiment, delay), 0) << polls << metric;
        }
        double tries = 0;
        for (const auto& [names, visits] : visitsByNames(experiment, "pthread"))
            if (names.ends_with("/pthread_mutex_trylock")) tries += visits;
        EXPECT_GE(tries, kTests) << polls;
    }
}

TEST(RecordedLockTests, ofOneKind_areOneCallBehindTheFirst) {
    const TemporaryDirectory directory;
    const auto events = recordedEvents(record(directory.path(), HOLOS_PROGRAMS "/lock_tests_gcc"));
    std::vector<std::string> all;
    for (const auto& [location, ofOne] : events) all.insert(all.end(), ofOne.begin(), ofOne.end());
    EXPECT_LE(entersOf(all, "omp_test_lock"), kTests / 2);
    EXPECT_LE(entersOf(all, "pthread_mutex_trylock"), kTests / 2);
}

class RecordedLockPairs : public ::testing::Test {
  protected:
    std::filesystem::path recordPairs(const std::vector<std::string>& options = {}) {
        return record(directory_.path(), HOLOS_PROGRAMS "/lock_pairs_gcc", {}, options);
    }
    /// By call path of the first location, in seconds.
    static std::map<std::string, double> timesOf(const algebra::Experiment& experiment) {
        std::map<std::string, double> times;
        const auto& table = experiment.severities.table(*experiment.findMetric("time"));
        for (const auto path : experiment.callTree.ids())
            times[experiment.regionOf(path).name] += table.at(path, algebra::LocationId(0));
        return times;
    }

    /// On a busy machine a sleep may be over before it is seen.
    static Visits withoutSleep(Visits visits) {
        std::erase_if(visits, [](const auto& each) { return each.first.starts_with("main/broken/holds/"); });
        return visits;
    }

    TemporaryDirectory directory_;
};

TEST_F(RecordedLockPairs, thatNobodyWaitsFor_areTwoCallsBehindTheFirst) {
    const auto archive = recordPairs();
    const auto events = recordedEvents(archive).at(0);
    // One behind the first in each of two functions; in the third one after each time that it was broken.
    EXPECT_LE(entersOf(events, "omp_set_lock"), 200);
    EXPECT_LE(entersOf(events, "omp_unset_lock"), 200);
    const Visits visits = visitsOfAll(analyzed(archive));
    EXPECT_EQ(visits.at("main/inOnePlace/omp_set_lock"), kPolls);
    EXPECT_EQ(visits.at("main/inOnePlace/omp_unset_lock"), kPolls);
    EXPECT_EQ(visits.at("main/inTwo/acquire/omp_set_lock"), kPolls);
    EXPECT_EQ(visits.at("main/inTwo/release/omp_unset_lock"), kPolls);
    EXPECT_EQ(visits.at("main/broken/omp_set_lock"), kPolls);
    EXPECT_EQ(visits.at("main/broken/omp_unset_lock"), kPolls);
    EXPECT_EQ(withoutSleep(visits),
              withoutSleep(visitsOfAll(analyzed(recordPairs({"--locks", "each", "--force"})))));
}

/// Fifty times for a millisecond.
TEST_F(RecordedLockPairs, timesInBetween_areWhereTheyWereSpent) {
    const auto times = timesOf(analyzed(recordPairs()));
    EXPECT_GE(times.at("holds") + times.at("nanosleep"), 0.05);
}

TEST_F(RecordedLockPairs, each_isACallWhereThatIsAskedFor) {
    EXPECT_EQ(entersOf(recordedEvents(recordPairs({"--locks", "each"})).at(0), "omp_set_lock"), 3 * kPolls);
}

TEST_F(RecordedLockPairs, copiedToTheirFiles_areTheSame) {
    const Visits mapped = withoutSleep(visitsOfAll(analyzed(recordPairs())));
    ::setenv("HOLOS_STORAGE", "copied", 1);
    const auto archive = recordPairs({"--force"});
    ::unsetenv("HOLOS_STORAGE");
    EXPECT_EQ(withoutSleep(visitsOfAll(analyzed(archive))), mapped);
}

class RecordedSections : public ::testing::TestWithParam<const char*> {
  protected:
    std::filesystem::path recordSections(const std::vector<std::string>& options = {}) {
        return record(directory_.path(), program(), {}, options);
    }
    static std::string program() { return HOLOS_PROGRAMS "/critical_sections_" + std::string(GetParam()); }
    void SetUp() override {
        if (!std::filesystem::exists(program())) GTEST_SKIP() << "no " << GetParam() << " here";
    }
    static Visits visitsWithoutSleep(const std::filesystem::path& archive) {
        Visits visits = visitsOfAll(analyzed(archive));
        std::erase_if(visits, [](const auto& each) {
            return std::ranges::any_of(std::array{"sleep", "yield", "awaitWaitOf"}, [&](const char* waits) {
                return each.first.find(waits) != std::string::npos;
            });
        });
        return visits;
    }

    TemporaryDirectory directory_;
};

TEST_P(RecordedSections, thatNobodyWaitsFor_areOneBehindTheFirst) {
    const auto archive = recordSections();
    const auto events = recordedEvents(archive).at(0);
    std::ptrdiff_t enters = 0;
    std::ptrdiff_t locks = 0;
    for (const auto& event : events) {
        enters += event.find("ENTER !$omp critical @") != std::string::npos ? 1 : 0;
        locks += event.find("LOCK") != std::string::npos ? 1 : 0;
    }
    // In turns and nested are 2000; where it is broken, 50 and 50 behind them; few in the other functions.
    EXPECT_GE(enters, 2000);
    EXPECT_LE(enters, 2500);
    EXPECT_LE(locks, 2 * enters);
    const Visits visits = visitsWithoutSleep(archive);
    double critical = 0;
    double blocks = 0;
    for (const auto& [path, number] : visits) {
        if (!path.starts_with("main/alone/")) continue;
        const bool isBlock = path.find("sblock") != std::string::npos;
        (isBlock ? blocks : critical) += number;
    }
    EXPECT_EQ(critical, kPolls);
    EXPECT_EQ(blocks, kPolls);
    EXPECT_EQ(visits, visitsWithoutSleep(recordSections({"--locks", "each", "--force"})));
}

/// The last one of the thread that has it is in a record with those before.
TEST_P(RecordedSections, thatAnotherThreadWaitsFor_areContention) {
    for (const char* locks : {"thin", "each"}) {
        const auto experiment = analyzed(recordSections({"--locks", locks, "--force"}));
        EXPECT_GT(sumOf(experiment, "omp_lock_contention_critical"), 0) << locks;
        EXPECT_GT(sumOf(experiment, "delay_omp_lock_aggregate"), 0) << locks;
    }
}

/// 500 times for a tenth of a millisecond, with or without a processor.
TEST_P(RecordedSections, timesInBlocks_areTheirs) {
    const auto experiment = analyzed(recordSections());
    const auto& table = experiment.severities.table(*experiment.findMetric("time"));
    double inside = 0;
    for (const auto block : experiment.callTree.ids()) {
        if (!experiment.regionOf(block).name.starts_with("!$omp critical sblock")) continue;
        for (const auto path : experiment.callTree.subtree(block))
            inside += table.at(path, algebra::LocationId(0));
    }
    EXPECT_GE(inside, 0.05);
}

TEST_P(RecordedSections, copiedToTheirFiles_areTheSame) {
    const Visits mapped = visitsWithoutSleep(recordSections());
    ::setenv("HOLOS_STORAGE", "copied", 1);
    const auto archive = recordSections({"--force"});
    ::unsetenv("HOLOS_STORAGE");
    EXPECT_EQ(visitsWithoutSleep(archive), mapped);
}

INSTANTIATE_TEST_SUITE_P(Compilers, RecordedSections, ::testing::Values("gcc", "clang"),
                         [](const auto& test) { return test.param; });

/// The calls that a program records with a filter, in all of its locations.
std::vector<std::string> filteredCalls(const std::string& program, const std::string& patterns,
                                       const std::vector<std::string>& words) {
    const TemporaryDirectory directory;
    const auto filter = directory.path() / "some.filter";
    std::ofstream(filter) << "SCOREP_REGION_NAMES_BEGIN\nEXCLUDE " << patterns
                          << "\nSCOREP_REGION_NAMES_END\n";
    std::vector<std::string> found;
    for (const auto& [location, events] :
         recordedEvents(record(directory.path(), HOLOS_PROGRAMS "/" + program, {}, {"--filter", filter})))
        for (const auto& event : with(events, words)) found.push_back(event);
    return found;
}

TEST(FilteredLocks, callsAndTheOrderOfAcquisitions_areNotRecorded) {
    EXPECT_TRUE(filteredCalls("test_locks_gcc", "omp_*", {"omp_", "LOCK"}).empty());
    EXPECT_TRUE(filteredCalls("mutexes", "pthread_*", {"pthread_mutex", "pthread_cond", "LOCK"}).empty());
    EXPECT_FALSE(filteredCalls("mutexes", "pthread_*", {"pthread_create"}).empty());
    EXPECT_TRUE(filteredCalls("c11_threads", "mtx_* cnd_*", {"mtx_", "cnd_", "LOCK"}).empty());
}

TEST(FilteredConstructs, criticalSections_areNotRecorded) {
    EXPECT_FALSE(filteredCalls("constructs_gcc", "nothing", {"critical"}).empty());
    EXPECT_TRUE(filteredCalls("constructs_gcc", "!$omp\\ critical", {"critical"}).empty());
    EXPECT_FALSE(filteredCalls("constructs_gcc", "!$omp*", {"barrier"}).empty());
}

}  // namespace
}  // namespace holos::testing

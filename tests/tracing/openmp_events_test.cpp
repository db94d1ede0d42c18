// SPDX-License-Identifier: BSD-3-Clause
// What is recorded of OpenMP constructs, with gcc's runtime and with clang's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"
#include "tests/tracing/recorded_events.h"

namespace holos::testing {
namespace {

using ::testing::ElementsAreArray;
using Events = std::vector<std::string>;

class RecordedOpenMp : public ::testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        if (!std::filesystem::exists(program())) GTEST_SKIP() << "not built here";
        // Each lock and section for itself, not those that nobody waits for as one record.
        archive_ = record(directory_.path(), program(), {}, {"--locks", "each"});
        for (auto& [location, events] : recordedEvents(archive_)) locations_.push_back(std::move(events));
    }
    static std::string program() { return std::string(HOLOS_PROGRAMS "/") + GetParam(); }

    std::filesystem::path archive_;
    std::vector<Events> locations_;  ///< the master first

  private:
    TemporaryDirectory directory_;
};

/// `constructs.c` has the lines of its pragmas in the region names.
std::string region(const char* construct, int line) {
    return std::string("!$omp ") + construct + " @constructs.c:" + std::to_string(line);
}

Events inRegion(const std::string& name, const Events& inside = {}) {
    Events events{"ENTER " + name};
    events.insert(events.end(), inside.begin(), inside.end());
    events.push_back("LEAVE " + name);
    return events;
}

Events operator+(Events first, const Events& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

/// Without the numbers of locks and acquisitions, and without loops, whose parts go to whom they will.
Events fixedPart(const Events& events) {
    Events result;
    for (const auto& event : events)
        if (!event.starts_with("THREAD_ACQUIRE") && !event.starts_with("THREAD_RELEASE") &&
            event.find(":31") == std::string::npos)
            result.push_back(event);
    return result;
}

TEST_P(RecordedOpenMp, constructs_exactSequenceOnMaster) {
    const Events critical = inRegion(region("critical", 26), inRegion(region("critical sblock", 26)));
    const Events locks = inRegion("omp_set_lock") + inRegion("omp_unset_lock") +
                         inRegion("omp_set_nest_lock") + inRegion("omp_set_nest_lock") +
                         inRegion("omp_unset_nest_lock") + inRegion("omp_unset_nest_lock");
    const Events loop = inRegion(region("for", 29)) + inRegion(region("implicit barrier", 29));
    const Events first =
        critical + inRegion(region("barrier", 28)) + loop + locks + inRegion(region("implicit barrier", 24));
    const Events inner = inRegion(region("critical", 39), inRegion(region("critical sblock", 39))) +
                         inRegion(region("implicit barrier", 38));
    const auto inTeam = [](int line, const Events& inside) {
        return Events{"THREAD_FORK", "THREAD_TEAM_BEGIN"} + inRegion(region("parallel", line), inside) +
               Events{"THREAD_TEAM_END", "THREAD_JOIN"};
    };
    const Events expected = inRegion("omp_init_lock") + inRegion("omp_init_nest_lock") + inTeam(24, first) +
                            inTeam(36, inTeam(38, inner) + inRegion(region("implicit barrier", 36))) +
                            inTeam(42, inRegion(region("implicit barrier", 42))) +
                            inRegion("omp_destroy_lock") + inRegion("omp_destroy_nest_lock");
    EXPECT_THAT(fixedPart(locations_.at(0)), ElementsAreArray(expected));
}

TEST_P(RecordedOpenMp, nestedAndChangingTeams_oneLocationPerPlace) {
    // Two workers of the outer level, and one worker of each of the two masters of the inner level.
    EXPECT_EQ(locations_.size(), 5);
    std::size_t shares = 0;
    for (const auto& events : locations_) {
        EXPECT_EQ(with(events, {"ENTER"}).size(), with(events, {"LEAVE"}).size());
        EXPECT_EQ(with(events, {"TEAM_BEGIN"}).size(), with(events, {"TEAM_END"}).size());
        shares += with(events, {"TEAM_BEGIN"}).size();
    }
    EXPECT_EQ(shares, 3 + 2 + 2 * 2 + 1);
}

TEST_P(RecordedOpenMp, locks_everyAcquisitionOnceInOrder) {
    std::map<std::string, std::vector<std::string>> acquired;
    std::map<std::string, std::vector<std::string>> released;
    for (const auto& events : locations_)
        for (const auto& event : with(events, {"_LOCK "})) {
            const auto lock = event.find(' ') + 1;
            const auto order = event.find(" order ");
            auto& list = event.starts_with("THREAD_ACQUIRE") ? acquired : released;
            list[event.substr(lock, order - lock)].push_back(event.substr(order + 7));
        }
    ASSERT_EQ(acquired.size(), 4);  // two critical sections, a lock, a nestable lock
    std::vector<std::size_t> times;
    for (auto& [lock, orders] : acquired) {
        std::sort(orders.begin(), orders.end());
        std::sort(released[lock].begin(), released[lock].end());
        EXPECT_EQ(orders, released[lock]) << "lock " << lock;
        times.push_back(orders.size());
    }
    // critical: 3 + 4, critical(name): 6, lock: 3, nestable lock: 3 times twice, with the same order
    EXPECT_THAT(times, ::testing::UnorderedElementsAre(7, 6, 3, 6));
}

/// `synchronization.c`; the parameter is the program. Its comments name the lines.
class RecordedSynchronization : public RecordedOpenMp {
  protected:
    static std::string named(const char* construct, const std::string& comment) {
        std::ifstream source(HOLOS_SOURCES "/synchronization.c");
        int number = 1;
        for (std::string line; std::getline(source, line); ++number)
            if (line.ends_with("/* " + comment + " */")) break;
        return std::string("!$omp ") + construct + " @synchronization.c:" + std::to_string(number);
    }
    static Events once(const char* construct, const std::string& comment, const Events& inside = {}) {
        return inRegion(named(construct, comment), inside);
    }
    std::size_t countOf(const std::string& event) const {
        std::size_t count = 0;
        for (const auto& events : locations_)
            count += static_cast<std::size_t>(std::count(events.begin(), events.end(), event));
        return count;
    }
};

TEST_P(RecordedSynchronization, barriers_thoseOfTheirConstructs) {
    const Events expected = once("for", "loop") + once("implicit barrier", "loop") +
                            once("taskwait", "wait") + once("sections", "parts") +
                            once("implicit barrier", "parts") + once("single", "one") +
                            once("implicit barrier", "one") + once("single", "anyone") +
                            once("barrier", "all") + once("implicit barrier", "team");
    const std::string team = named("parallel", "team");
    const auto& master = locations_.at(0);
    const auto begin = std::find(master.begin(), master.end(), "ENTER " + team);
    const auto end = std::find(begin, master.end(), "LEAVE " + team);
    ASSERT_NE(end, master.end());
    Events found;  // without what the compilers do not both make known, or goes to whom it will
    std::copy_if(begin + 1, end, std::back_inserter(found), [](const std::string& event) {
        return event.find("ordered") == std::string::npos && event.find("master") == std::string::npos;
    });
    EXPECT_THAT(found, ElementsAreArray(expected));
}

TEST_P(RecordedSynchronization, orderedAndAtomic_onceForEachExecution) {
    EXPECT_EQ(countOf("ENTER " + named("ordered", "turn")), 4);
    EXPECT_EQ(countOf("LEAVE " + named("ordered", "turn")), 4);
    EXPECT_EQ(countOf("ENTER " + named("ordered sblock", "turn")), 4);
    EXPECT_EQ(countOf("LEAVE " + named("ordered sblock", "turn")), 4);
    const bool isGcc = std::string(GetParam()).ends_with("gcc");  // clang's come from another library
    EXPECT_EQ(countOf("ENTER " + named("atomic", "add")), isGcc ? 2 : 0);
    EXPECT_EQ(countOf("LEAVE " + named("atomic", "add")), isGcc ? 2 : 0);
}

/// Of the first iteration a compiler knows that it waits for nobody.
TEST_P(RecordedSynchronization, dependencesBetweenIterations_areWaitsThatOthersEnd) {
    static const std::regex kWait("THREAD_ACQUIRE_LOCK ([0-9]+) order ([0-9]+)");
    std::set<std::string> ends, endsOfWaits;
    std::size_t waits = 0;
    for (const auto& [location, events] : recordedEvents(archive_, true))
        for (std::size_t i = 0; i < events.size(); ++i) {
            if (events[i].starts_with("THREAD_RELEASE")) ends.insert(events[i]);
            if (events[i] != "LEAVE " + named("ordered", "before")) continue;
            ++waits;
            std::smatch parts;
            ASSERT_TRUE(std::regex_match(events[i - 1], parts, kWait)) << events[i - 1];
            endsOfWaits.insert("THREAD_RELEASE_LOCK " + parts.str(1) + " order " +
                               std::to_string(std::stoul(parts.str(2)) - 1));
        }
    EXPECT_GE(waits, 3);
    EXPECT_LE(waits, 4);
    EXPECT_THAT(ends, ::testing::IsSupersetOf(endsOfWaits));
}

/// gcc makes two barriers of its end: the second one is where all have what was copied.
TEST_P(RecordedSynchronization, singleThatCopies_isABarrierForAll) {
    EXPECT_EQ(countOf("ENTER " + named("single", "copies")), 2);
    const bool isGcc = std::string(GetParam()).ends_with("gcc");
    if (isGcc) {
        EXPECT_EQ(countOf("ENTER " + named("implicit barrier", "copies")), 2 * 2);
    }
}

/// `tasks.c`; the parameter is the program.
class RecordedTasks : public RecordedOpenMp {
  protected:
    /// How often each event of all locations was recorded, without the places of constructs and numbers of
    /// tasks.
    std::map<std::string, std::size_t> counts() const {
        std::map<std::string, std::size_t> result;
        for (const auto& events : locations_)
            for (const auto& event : events) ++result[event.substr(0, event.find_first_of("@#") - 1)];
        return result;
    }
    /// The tasks that events of a kind are about.
    std::vector<std::string> tasksOf(const std::string& kind) const {
        std::vector<std::string> tasks;
        for (const auto& events : locations_)
            for (const auto& event : with(events, {kind})) tasks.push_back(event.substr(event.find('#')));
        std::sort(tasks.begin(), tasks.end());
        return tasks;
    }
};

TEST_P(RecordedTasks, everyTask_createdAndCompletedOnce) {
    auto counted = counts();
    EXPECT_EQ(counted["THREAD_TASK_CREATE"], 9);
    EXPECT_EQ(counted["ENTER !$omp task"], 9);
    EXPECT_EQ(counted["LEAVE !$omp task"], 9);
    EXPECT_EQ(counted["ENTER !$omp taskwait"], 2);
    EXPECT_EQ(counted["ENTER !$omp taskgroup"], 2);  // of which one belongs to the loop
    EXPECT_EQ(counted["ENTER !$omp create task"], counted["LEAVE !$omp create task"]);
    const auto created = tasksOf("THREAD_TASK_CREATE");
    EXPECT_EQ(std::set<std::string>(created.begin(), created.end()).size(), 9);
    EXPECT_EQ(tasksOf("THREAD_TASK_COMPLETE"), created);
}

TEST_P(RecordedTasks, regions_nestWithinTheirTask) {
    for (const auto& events : locations_) {
        std::map<std::string, std::vector<std::string>> open;
        std::string task;
        for (const auto& event : events) {
            const auto at = event.find('#');
            if (event.starts_with("THREAD_TASK_SWITCH")) task = event.substr(at);
            if (task.ends_with(".0")) task.clear();  // the thread's own share
            auto& regions = open[task];
            if (event.starts_with("ENTER")) regions.push_back(event.substr(6));
            if (!event.starts_with("LEAVE")) continue;
            ASSERT_FALSE(regions.empty()) << event;
            EXPECT_EQ(regions.back(), event.substr(6));
            regions.pop_back();
            if (!task.empty() && regions.empty()) {
                EXPECT_THAT(event, ::testing::HasSubstr("$omp task @"));
            }
        }
        for (const auto& [name, regions] : open) EXPECT_TRUE(regions.empty()) << name;
    }
}

struct TimedEvent {
    std::string kind;
    std::string time;
    std::string rest;
};

/// All events of an archive, as `otf2-print` shows them, by location.
std::map<std::string, std::vector<TimedEvent>> timedEvents(const std::filesystem::path& archive) {
    static const std::regex kEvent(R"(([A-Z_]+) +([0-9]+) +([0-9]+) +(.*))");
    std::map<std::string, std::vector<TimedEvent>> events;
    std::istringstream lines(runCommand({"otf2-print", archive / "traces.otf2"}).output);
    std::smatch parts;
    for (std::string line; std::getline(lines, line);)
        if (std::regex_match(line, parts, kEvent))
            events[parts.str(2)].push_back({parts.str(1), parts.str(3), parts.str(4)});
    return events;
}

/// No time is the task's but not its region's.
TEST(RecordedTaskTimes, switchAndRegion_haveOneTime) {
    for (const std::string compiler : {"gcc", "clang"}) {
        const std::string program = HOLOS_PROGRAMS "/tasks_" + compiler;
        if (!std::filesystem::exists(program)) continue;
        const TemporaryDirectory directory;
        std::size_t begun = 0;
        std::size_t completed = 0;
        for (const auto& [location, events] : timedEvents(record(directory.path(), program)))
            for (std::size_t i = 1; i + 1 < events.size(); ++i) {
                const TimedEvent& before = events[i - 1];
                const TimedEvent& behind = events[i + 1];
                if (events[i].kind == "ENTER" && events[i].rest.find("$omp task @") != std::string::npos) {
                    EXPECT_EQ(before.kind, "THREAD_TASK_SWITCH") << compiler;
                    EXPECT_EQ(before.time, events[i].time) << compiler;
                    ++begun;
                }
                if (events[i].kind != "THREAD_TASK_COMPLETE") continue;
                EXPECT_EQ(before.kind, "LEAVE") << compiler;
                EXPECT_EQ(before.time, events[i].time) << compiler;
                EXPECT_EQ(behind.kind, "THREAD_TASK_SWITCH") << compiler;
                EXPECT_EQ(behind.time, events[i].time) << compiler;
                ++completed;
            }
        EXPECT_EQ(begun, 9) << compiler;
        EXPECT_EQ(completed, 9) << compiler;
    }
}

TEST(RecordedTasksOfBothCompilers, regions_sameNames) {
    std::map<std::string, std::set<std::string>> names;
    for (const std::string compiler : {"gcc", "clang"}) {
        const std::string program = HOLOS_PROGRAMS "/tasks_" + compiler;
        if (!std::filesystem::exists(program)) GTEST_SKIP() << "no " << compiler << " here";
        const TemporaryDirectory directory;
        for (const auto& [location, events] : recordedEvents(record(directory.path(), program)))
            for (const auto& event : with(events, {"ENTER"})) names[compiler].insert(event);
    }
    EXPECT_EQ(names["gcc"], names["clang"]);
}

/// A program of gcc with LLVM's runtime in place of its own.
class SubstitutedOpenMp : public ::testing::Test {
  protected:
    static constexpr const char* kProgram = HOLOS_PROGRAMS "/constructs_gcc";
    TemporaryDirectory directory_;
};

TEST_F(SubstitutedOpenMp, programOfGcc_isRecordedWithTheRuntimeOfLlvm) {
    if (!std::filesystem::exists(HOLOS_PROGRAMS "/constructs_clang"))
        GTEST_SKIP() << "no runtime of LLVM here";
    const auto archive =
        record(directory_.path(), kProgram, {}, {"--openmp-runtime", "llvm", "--locks", "each"});
    std::size_t shares = 0;
    std::size_t critical = 0;
    const auto locations = recordedEvents(archive);
    EXPECT_EQ(locations.size(), 5);  // as with its own runtime
    for (const auto& [location, events] : locations) {
        EXPECT_EQ(with(events, {"ENTER"}).size(), with(events, {"LEAVE"}).size());
        shares += with(events, {"TEAM_BEGIN"}).size();
        critical += with(events, {"ENTER !$omp critical sblock"}).size();
    }
    EXPECT_EQ(shares, 3 + 2 + 2 * 2 + 1);
    EXPECT_EQ(critical, 7 + 6);
    std::ifstream measurement(archive / "measurement.json");
    const std::string text{std::istreambuf_iterator<char>(measurement), {}};
    EXPECT_THAT(text, ::testing::ContainsRegex("\"openmpRuntime\": \"/.*omp.*so"));
}

TEST_F(SubstitutedOpenMp, machineWithoutIt_isToldWhatIsMissing) {
    for (const char* name : {"libomp.so.5", "libomp.so"}) std::ofstream(directory_.path() / name) << "none";
    const auto result = runCommand({"env", "LD_LIBRARY_PATH=" + directory_.path().string(), HOLOS_PROGRAM,
                                    "record", "--openmp-runtime", "llvm", "--", kProgram});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, ::testing::HasSubstr("libomp.so.5"));
}

/// `programs/openmp_5_1.c`: gcc's runtime has what it needs since 5.1 of the standard.
TEST_F(SubstitutedOpenMp, programThatNeedsMoreThanItHas_isRefusedWithTheReason) {
    const auto folder = directory_.path() / "run";
    const auto result = runCommand({HOLOS_PROGRAM, "record", "-o", folder.string(), "--openmp-runtime",
                                    "llvm", "--", HOLOS_PROGRAMS "/openmp_5_1"});
    if (result.output.find("libomp.so.5, with") != std::string::npos)
        GTEST_SKIP() << "no runtime of LLVM here";
    if (result.exitCode == 0) GTEST_SKIP() << "LLVM's runtime has it by now";
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, ::testing::HasSubstr("needs GOMP_5.1 of gcc's OpenMP runtime"));
    EXPECT_FALSE(std::filesystem::exists(folder)) << "nothing ran";
}

/// `programs/openmp_mutexes.c`; the parameter is the program.
class MutexesOfOpenMp : public RecordedOpenMp {};

TEST_P(MutexesOfOpenMp, inParallelRegions_areRecordedAsInOtherThreads) {
    ASSERT_EQ(locations_.size(), 2);
    EXPECT_THAT(with(locations_.front(), {"pthread_mutex", "LOCK"}),
                ::testing::ElementsAre("THREAD_ACQUIRE_LOCK 0 order 1", "ENTER pthread_mutex_unlock",
                                       "THREAD_RELEASE_LOCK 0 order 1", "LEAVE pthread_mutex_unlock"));
    EXPECT_THAT(with(locations_.back(), {"pthread_mutex", "LOCK"}),
                ::testing::ElementsAre("ENTER pthread_mutex_lock", "THREAD_ACQUIRE_LOCK 0 order 2",
                                       "LEAVE pthread_mutex_lock", "ENTER pthread_mutex_unlock",
                                       "THREAD_RELEASE_LOCK 0 order 2", "LEAVE pthread_mutex_unlock"));
}

INSTANTIATE_TEST_SUITE_P(Compilers, MutexesOfOpenMp,
                         ::testing::Values("openmp_mutexes_gcc", "openmp_mutexes_clang"),
                         [](const auto& param) { return std::string(param.param).substr(15); });

/// The runtime systems and the recorder use mutexes themselves.
TEST_P(RecordedSynchronization, withoutMutexesOfItsOwn_hasNoneInTheTrace) {
    const CommandResult definitions = runCommand({"otf2-print", "-G", (archive_ / "traces.otf2").string()});
    EXPECT_THAT(definitions.output, ::testing::Not(::testing::HasSubstr("pthread_mutex")));
}

INSTANTIATE_TEST_SUITE_P(Compilers, RecordedSynchronization,
                         ::testing::Values("synchronization_gcc", "synchronization_clang"),
                         [](const auto& instance) { return std::string(instance.param).substr(16); });
INSTANTIATE_TEST_SUITE_P(Compilers, RecordedTasks, ::testing::Values("tasks_gcc", "tasks_clang"),
                         [](const auto& instance) { return std::string(instance.param).substr(6); });
INSTANTIATE_TEST_SUITE_P(Compilers, RecordedOpenMp, ::testing::Values("constructs_gcc", "constructs_clang"),
                         [](const auto& instance) { return std::string(instance.param).substr(11); });

}  // namespace
}  // namespace holos::testing

// SPDX-License-Identifier: BSD-3-Clause
// A profile has no wait states: what it says of communication has to include them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "algebra/insight/summary/summary.h"
#include "algebra/model/experiment.h"
#include "algebra/operators/history/provenance.h"
#include "tests/support/small_experiment.h"

namespace holos::algebra {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Two processes that spend 4 of their 10 s in one group of MPI's or OpenMP's calls, by its metric.
testing::SmallExperiment spending(const std::string& metric) {
    testing::SmallExperiment build(2, 1);
    build.metric(testing::seconds("time"), "", {{"main", {6, 6}}, {"main/call", {4, 4}}});
    build.metric(testing::seconds(metric), "time", {{"main/call", {4, 4}}});
    return build;
}

/// An analysis knows who waits for whom; here nobody does.
Experiment asTrace(testing::SmallExperiment build) {
    build.metric(testing::seconds("mpi_latesender"), "", {{"main/call", {0, 0}}});
    return build.take();
}

Experiment asProfile(Experiment experiment) {
    experiment.attributes.emplace_back(kProfileAttribute, "1");
    setProvenance(experiment, {"record", "", {}, {}, "a1b2"});
    return experiment;
}

Problem onlyProblemOf(const Experiment& experiment) {
    const auto summary = summarize(experiment);
    EXPECT_EQ(summary->problems.size(), 1U);
    return summary->problems.empty() ? Problem() : summary->problems.front();
}

void expectWaitingIncluded(const Problem& problem) {
    EXPECT_THAT(problem.what, HasSubstr("waiting"));
    EXPECT_THAT(problem.what, Not(HasSubstr("themselves")));
    EXPECT_THAT(problem.why, HasSubstr("a profile does not know how much"));
    EXPECT_THAT(problem.remedy, HasSubstr("find out with a trace how much is waiting: `holos record`"));
    EXPECT_THAT(problem.remedy, HasSubstr("--trace-phase"));
}

TEST(SummaryOfProfiles, collectiveOperations_includeWaiting) {
    const auto build = [] {
        testing::SmallExperiment made = spending("mpi_collective");
        made.counter("comms_coll", {{"main/call", {50, 50}}});
        return made;
    };
    const Experiment experiment = asTrace(build());
    EXPECT_EQ(onlyProblemOf(experiment).what, "Collective operations themselves take long");
    EXPECT_EQ(onlyProblemOf(experiment).who,
              "100 calls of all processes together, 80.0 ms each beside waiting");
    const Problem problem = onlyProblemOf(asProfile(build().take()));
    EXPECT_EQ(problem.kind, "collectives");
    EXPECT_EQ(problem.who, "100 calls of all processes together, 80.0 ms each with waiting");
    expectWaitingIncluded(problem);
}

TEST(SummaryOfProfiles, messages_includeWaitingAndAreNotBlamedForTheirSize) {
    const auto build = [](double messages) {
        testing::SmallExperiment made = spending("mpi_point2point");
        made.counter("comms_send", {{"main/call", {messages, messages}}});
        made.counter("bytes_sent", {{"main/call", {8 * messages, 8 * messages}}});
        return made;
    };
    EXPECT_EQ(onlyProblemOf(asTrace(build(200'000))).kind, "small-messages");  // 20 µs each
    EXPECT_EQ(onlyProblemOf(asTrace(build(50))).kind, "communication");        // 80 ms each
    const Problem problem = onlyProblemOf(asProfile(build(200'000).take()));
    EXPECT_EQ(problem.kind, "communication");
    expectWaitingIncluded(problem);
}

TEST(SummaryOfProfiles, barriersOfThreads_includeWaiting) {
    EXPECT_THAT(onlyProblemOf(asTrace(spending("omp_barrier"))).what, HasSubstr("so short"));
    expectWaitingIncluded(onlyProblemOf(asProfile(spending("omp_barrier").take())));
}

TEST(SummaryOfProfiles, lostTime_isNotCalledCommunicationItself) {
    EXPECT_THAT(summarize(asTrace(spending("mpi_communication")))->run,
                HasSubstr("40 % communication itself"));
    EXPECT_THAT(summarize(asProfile(spending("mpi_communication").take()))->run,
                HasSubstr("40 % communication and waiting in it"));
}

TEST(SummaryOfProfiles, makingCommunicators_isLostWithItsWaiting) {
    EXPECT_THAT(summarize(asTrace(spending("mpi_mgmt_comm")))->run,
                HasSubstr("40 % making communicators and starting processes"));
    EXPECT_THAT(summarize(asProfile(spending("mpi_mgmt_comm").take()))->run,
                HasSubstr("40 % making communicators and waiting for that"));
}

/// As in a campaign, whose first run is a trace.
TEST(SummaryOfProfiles, mergedWithATrace_knowsItsWaits) {
    testing::SmallExperiment build = spending("mpi_collective");
    build.metric(testing::seconds("mpi_wait_nxn"), "mpi_collective", {{"main/call", {1, 1}}});
    const auto summary = summarize(asProfile(build.take()));
    const auto found = std::ranges::find(summary->problems, "collectives", &Problem::kind);
    ASSERT_NE(found, summary->problems.end());
    EXPECT_EQ(found->what, "Collective operations themselves take long");
    EXPECT_DOUBLE_EQ(found->cost, 6);
    for (const Doubt& doubt : summary->doubts) EXPECT_THAT(doubt.text, Not(HasSubstr("A profile")));
}

std::vector<std::string> doubtsAbout(const std::string& notes, bool isProfile) {
    testing::SmallExperiment build = spending("mpi");
    build.file("holos.diagnoses", notes);
    const Experiment made = isProfile ? asProfile(build.take()) : asTrace(std::move(build));
    std::vector<std::string> texts;
    const auto summary = summarize(made);
    for (const Doubt& doubt : summary->doubts) texts.push_back(doubt.text);
    return texts;
}

TEST(SummaryOfProfiles, notesOfTheRecording_areRepeatedAndLostEventsComeFirst) {
    const std::string notes = "disk full\nthe second\nprocess 0 lost 7 events\nthe third\nthe fourth\n";
    const auto texts = doubtsAbout(notes, true);
    ASSERT_GE(texts.size(), 4U);
    const std::vector<std::string> last(texts.end() - 4, texts.end());
    EXPECT_THAT(last[0], HasSubstr("process 0 lost 7 events: "));
    EXPECT_THAT(last[0], HasSubstr("counts as computation"));
    EXPECT_EQ(last[1], "disk full");
    EXPECT_EQ(last[2], "the second");
    EXPECT_THAT(last[3], HasSubstr("2 more notes"));
}

TEST(SummaryOfProfiles, notesOfATrace_areCountedOnly) {
    EXPECT_THAT(doubtsAbout("process 0 lost 7 events\n", false),
                ::testing::Contains("The trace has gaps or damage: 1 kind of it"));
}

/// As Score-P writes it: times and calls, and regions that say what they are. Of 10 s, 4 are in `call`.
Experiment rawProfile(const std::string& call, const std::string& paradigm, const std::string& role) {
    testing::SmallExperiment build(2, 1);
    build.metric(testing::seconds("time"), "", {{"main", {6, 6}}, {"main/" + call, {4, 4}}});
    Experiment experiment = build.take();
    for (Region& region : experiment.regions)
        if (region.name == call) {
            region.paradigm = paradigm;
            region.role = role;
        }
    return experiment;
}

TEST(SummaryOfRawProfiles, timeInCallsOfMpi_isLostWithItsWaiting) {
    for (const char* paradigm : {"mpi", ""}) {  // old files have no paradigms
        Experiment experiment = rawProfile("MPI_Allreduce", paradigm, "");
        setProvenance(experiment, {"record", "", {}, {}, "a1b2"});
        const auto summary = summarize(experiment);
        EXPECT_FALSE(summary->isHealthy);
        EXPECT_NEAR(summary->percentLost, 40, 1e-9);
        EXPECT_THAT(summary->run, HasSubstr("40 % communication and waiting in it"));
        const Problem problem = onlyProblemOf(experiment);
        EXPECT_EQ(problem.kind, "collectives");
        expectWaitingIncluded(problem);
        for (const Evidence& evidence : problem.evidence)
            EXPECT_LT(evidence.metric.index(), experiment.metrics.size());
    }
}

TEST(SummaryOfRawProfiles, kindsOfTime_areThoseOfTheirRegions) {
    const std::tuple<const char*, const char*, const char*, const char*> cases[] = {
        {"MPI_Recv", "mpi", "point2point", "communication"},
        {"mpi_waitall_", "", "", "communication"},
        {"MPI_File_read_all", "mpi", "file_io", "files"},
        {"read", "io", "file_io", "files"},
        {"MPI_Init", "mpi", "function", "startup"},
        {"!$omp implicit barrier @a.c:3", "openmp", "implicit barrier", "small-regions"},
        {"!$omp ibarrier @a.c:3", "", "", "small-regions"},
        {"!$omp ordered @a.c:3", "openmp", "ordered", "ordered"}};
    for (const auto& [name, paradigm, role, kind] : cases) {
        const auto summary = summarize(rawProfile(name, paradigm, role));
        ASSERT_EQ(summary->problems.empty(), kind == std::string_view("startup")) << name;
        if (!summary->problems.empty()) {
            EXPECT_EQ(summary->problems.front().kind, kind) << name;
        }
        EXPECT_NEAR(summary->percentLost, 40, 1e-9) << name;
    }
}

TEST(SummaryOfRawProfiles, timeInNoSuchCall_isNotKnownToBeHealthy) {
    const auto summary = summarize(rawProfile("solve", "user", "function"));
    EXPECT_FALSE(summary->isHealthy);
    EXPECT_THAT(summary->run, Not(HasSubstr("The run is healthy")));
    EXPECT_THAT(summary->run, HasSubstr("nor whether the run is healthy: imbalance"));
}

/// The losses of a profile of another tool that spends half of its time in a function.
std::vector<std::string> lossesIn(const std::string& function) {
    testing::SmallExperiment build(1, 2);
    build.metric(testing::seconds("time"), "", {{"main", {5, 5}}, {"main/" + function, {5, 5}}});
    const Experiment foreign = build.take();
    std::vector<std::string> names;
    const auto summary = summarize(foreign);
    for (const Loss& loss : summary->losses) names.push_back(loss.name);
    return names;
}

TEST(SummaryOfProfiles, functionsOfThreads_countAsWhatTheyDo) {
    using ::testing::ElementsAre;
    constexpr auto* kLocks = "locks of threads and waiting for them";
    constexpr auto* kThreads = "starting threads and waiting for their end";
    for (const char* spins :
         {"pthread_spin_lock", "pthread_mutex_lock", "pthread_rwlock_rdlock", "mtx_lock",
          "__pthread_mutex_lock", "std::mutex::lock()", "_ZNSt5mutex4lockEv", "__lll_lock_wait"})
        EXPECT_THAT(lossesIn(spins), ElementsAre(kLocks)) << spins;
    for (const char* manages : {"pthread_create", "pthread_join", "thrd_join", "std::thread::join()"})
        EXPECT_THAT(lossesIn(manages), ElementsAre(kThreads)) << manages;
    for (const char* sleeps :
         {"pthread_cond_wait", "pthread_barrier_wait", "sem_wait", "__new_sem_wait", "futex_wait_cancelable",
          "usleep", "std::condition_variable::wait(std::unique_lock<std::mutex>&)",
          "void std::this_thread::sleep_for<long, std::ratio<1l, 1000l> >(std::chrono::duration<long> "
          "const&)"})
        EXPECT_THAT(lossesIn(sleeps), ElementsAre("sleeping")) << sleeps;
    for (const char* works : {"mtx_multiply", "usleeper", "thrd_pool_work", "solve"})
        EXPECT_THAT(lossesIn(works), ::testing::IsEmpty()) << works;
}

}  // namespace
}  // namespace holos::algebra

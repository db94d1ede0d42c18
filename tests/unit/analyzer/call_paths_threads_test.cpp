// SPDX-License-Identifier: BSD-3-Clause
// The calls that led to events of threads: teams, tasks, and threads that a program creates.
#include <gtest/gtest.h>

#include "tests/support/findings.h"
#include "tests/support/ranks_in_threads.h"
#include "tests/support/stack_trace.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

/// In each process `main` calls `solve`, which makes two parallel regions at lines 20 and 24. In each of them
/// all threads call `work` at line 30, which waits at a critical section.
class CallPathsOfThreads : public ::testing::Test {
  protected:
    static constexpr unsigned kThreads = 3;

    void tellProcess(unsigned rank) {
        auto& master = trace.on(rank);
        const auto main10 = stack(trace, "main", 10);
        master.callFrom(0, 1, "MPI_Init", main10);
        tellRegion(rank, 10, stack(trace, "solve", 20, stack(trace, "main", 11)));
        tellRegion(rank, 30, stack(trace, "solve", 24, stack(trace, "main", 11)));
        master.callFrom(50, 51 + rank, "MPI_Finalize", stack(trace, "main", 12));
    }

    void tellRegion(unsigned rank, Tick begin, OTF2_CallingContextRef from) {
        trace.region("solve._omp_fn.0", {OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_FUNCTION, "code.c"});
        trace.on(rank).fork(begin, kThreads);
        for (unsigned thread = 0; thread < kThreads; ++thread) {
            auto& on = trace.on(rank, thread).teamBegin(begin);
            const auto body = trace.callingContext("solve._omp_fn.0", 30,
                                                   thread == 0 ? from : OTF2_UNDEFINED_CALLING_CONTEXT);
            const auto work = stack(trace, "work", 40, body);
            if (thread == 0)
                on.enterFrom(begin, kParallel, from);
            else
                on.enter(begin + 1, kParallel);
            on.callFrom(begin + 3, begin + 4 + thread, "!$omp critical @code.c:40", work);
            on.leave(begin + 8).teamEnd(begin + 8);
        }
        trace.on(rank).join(begin + 9);
    }

    TraceBuilder trace{2, kThreads};
};

TEST_F(CallPathsOfThreads, workers_standBelowTheFunctionThatForked) {
    tellProcess(0);
    const Findings found(trace);
    for (const std::string site : {"20", "24"})
        for (unsigned thread = 0; thread < kThreads; ++thread) {
            const std::string region = "main/solve @code.c:11/" + std::string(kParallel) + " @code.c:" + site;
            EXPECT_EQ(found.at("visits", region, 0, thread), 1);
            EXPECT_NEAR(found.at("time", region + "/work @code.c:30/!$omp critical @code.c:40", 0, thread),
                        0.001 * (thread + 1), kExact);
        }
    EXPECT_TRUE(found.result().diagnoses.empty());
}

TEST_F(CallPathsOfThreads, forkAndJoin_belongToTheParallelRegionNotToItsFunction) {
    tellProcess(0);
    const Findings found(trace);
    // Nine ticks from fork to join, without those in the critical section.
    const std::string region = "main/solve/" + std::string(kParallel) + " @code.c:20";
    EXPECT_NEAR(found.at("time", region, 0, 0), 0.008, kExact);
    // Between the regions from 19 to 30; before it only `main` is certain.
    EXPECT_NEAR(found.at("time", "main/solve", 0, 0), 0.011, kExact);
    EXPECT_NEAR(found.at("time", "main", 0, 0), 0.009 + 0.011, kExact);
    EXPECT_NEAR(found.total("time"), kThreads * 0.051, kExact);  // idle threads included
}

TEST_F(CallPathsOfThreads, anyNumberOfWorkersAndRanks_sameResult) {
    tellProcess(0);
    tellProcess(1);
    const TemporaryDirectory directory;
    expectSameByAnyWorkersAndRanks(trace.write(directory.path()));
}

/// In two rounds of a parallel region; between them the master computes elsewhere. Samples of the second
/// round meet `deep`, after other call paths have been met.
void tellRounds(TraceBuilder& trace, bool isSampled) {
    const auto samples = trace.counters(
        {{.name = "sampled_time", .unit = "sec", .mode = OTF2_METRIC_ACCUMULATED_LAST, .exponent = -3}});
    const auto from = stack(trace, "solve", 20, stack(trace, "main", 11));
    for (const Tick begin : {Tick{0}, Tick{100}}) {
        trace.on(0).fork(begin, 2);
        for (unsigned thread = 0; thread < 2; ++thread) {
            auto& on = trace.on(0, thread).teamBegin(begin).enterFrom(begin, kParallel, from);
            const auto deep = stack(trace, "deep", 40, thread == 0 ? from : OTF2_UNDEFINED_CALLING_CONTEXT);
            for (Tick tick = begin; isSampled && begin != 0 && tick < begin + 40; tick += 5)
                on.sampleAt(tick, samples, deep, 5);
            on.leave(begin + (thread == 0 ? 50 : 40)).teamEnd(begin + 50);
        }
        trace.on(0).join(begin + 50).callFrom(begin + 60, begin + 61, "MPI_Send", stack(trace, "main", 30));
    }
}

/// Below a function that was met before the region, and deeper in the call tree than the region is.
TEST(IdleThreads, callPathThatComesBehindARegion_isOutsideOfIt) {
    TraceBuilder trace(1, 2);
    const auto inner = stack(trace, "inner", 15, stack(trace, "main", 11));
    trace.on(0).callFrom(0, 10, "MPI_Comm_rank", inner).fork(20, 2);
    for (unsigned thread = 0; thread < 2; ++thread) {
        auto& on = trace.on(0, thread).teamBegin(20);
        if (thread == 0)
            on.enterFrom(20, kParallel, stack(trace, "main", 12));
        else
            on.enter(20, kParallel);
        on.leave(40).teamEnd(40);
    }
    trace.on(0).join(40).callFrom(50, 60, "MPI_Comm_size", stack(trace, "deep", 18, inner));
    const Findings found(trace);
    EXPECT_NEAR(found.at("omp_idle_threads", "main/inner/MPI_Comm_rank", 0, 1), 0.010, kExact);
    EXPECT_NEAR(found.at("omp_idle_threads", "main/inner/deep/MPI_Comm_size", 0, 1), 0.010, kExact);
    EXPECT_NEAR(found.total("omp_idle_threads"), 0.040, kExact);  // 60 - 20
}

TEST(SampledThreads, withAndWithoutSamples_haveTheSameSums) {
    TraceBuilder sampled(1, 2), plain(1, 2);
    tellRounds(sampled, true);
    tellRounds(plain, false);
    const Findings with(sampled), without(plain);
    EXPECT_GT(with.at("time", "main/solve/" + std::string(kParallel) + "/deep @code.c:20", 0), 0.030);
    for (const char* metric :
         {"time", "comp", "omp_management", "omp_idle_threads", "omp_limited_parallelism"})
        EXPECT_NEAR(with.total(metric), without.total(metric), kExact) << metric;
}

TEST_F(CallPathsOfThreads, tasks_standBelowTasksWithWhatTheyCallThemselves) {
    const auto barrier = stack(trace, "solve", 20, stack(trace, "main", 11));
    trace.region("solve._omp_fn.1", {OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_FUNCTION, "code.c"});
    const auto body = trace.callingContext("solve._omp_fn.1", 60, barrier);
    const auto work = stack(trace, "work", 40, body);
    auto& master = trace.on(0);
    master.fork(0, kThreads).teamBegin(0).enterFrom(0, kParallel, barrier);
    master.enterFrom(2, "!$omp barrier @code.c:33", barrier);
    master.switchTask(4, 1).enterFrom(4, "!$omp task @code.c:59", barrier);
    master.callFrom(5, 7, "!$omp critical @code.c:40", work).leave(9).completeTask(9, 1);
    master.leave(10).leave(11).teamEnd(11).join(11);
    const Findings found(trace);
    const std::string task = "TASKS/!$omp task @code.c:59";
    EXPECT_NEAR(found.at("time", task, 0), 0.003, kExact);
    EXPECT_NEAR(found.at("time", task + "/work @code.c:60/!$omp critical @code.c:40", 0), 0.002, kExact);
}

TEST_F(CallPathsOfThreads, createdThreads_beginWithTheirFunction) {
    const auto start = stack(trace, "serve", 70);
    trace.on(0, 1).record([time = trace.timestamp(2)](auto* out) {
        return OTF2_EvtWriter_ThreadBegin(out, nullptr, time, OTF2_UNDEFINED_COMM, 0);
    });
    trace.on(0, 1).callFrom(3, 5, "MPI_Send", start).callFrom(8, 9, "MPI_Send", stack(trace, "serve", 72));
    const Findings found(trace);
    EXPECT_NEAR(found.at("time", "THREADS/serve/MPI_Send @code.c:70", 0, 1), 0.002, kExact);
    EXPECT_NEAR(found.at("time", "THREADS/serve", 0, 1), 0.003, kExact);
}

TEST_F(CallPathsOfThreads, masterThatWasKilledAtItsFork_leavesWhatIsKnown) {
    tellProcess(0);
    trace.on(0).cut(4);  // MPI_Init, the fork, and the start of its team
    const Findings found(trace);
    EXPECT_NEAR(found.at("time", "main/MPI_Init @code.c:10", 0), 0.001, kExact);
    // Which function forked was lost with the master's regions.
    EXPECT_EQ(found.at("visits", kParallel, 0, 1), 2);
    EXPECT_TRUE(found.reported(analyzer::Trouble::UnmatchedThreads));
}

TEST_F(CallPathsOfThreads, forkWithoutARegionBehindIt_isWhereItsThreadWas) {
    trace.on(0).enterFrom(0, "phase", stack(trace, "main", 10)).fork(2, kThreads).teamBegin(3);
    trace.on(0).teamEnd(5).join(6).leave(7);
    trace.on(0, 1).teamBegin(3).call(3, 4, "work").teamEnd(5);
    const Findings found(trace);
    EXPECT_NEAR(found.at("time", "main/phase/work", 0, 1), 0.001, kExact);
    EXPECT_NEAR(found.at("time", "main/phase", 0, 0), 0.007, kExact);
}

}  // namespace
}  // namespace holos::testing

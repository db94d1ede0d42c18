// SPDX-License-Identifier: BSD-3-Clause
#include "algebra/insight/findings/efficiencies.h"

#include <gtest/gtest.h>

#include <cmath>

#include "algebra/model/experiment.h"
#include "algebra/model/metric_guide.h"
#include "algebra/model/queries.h"
#include "analyzer/ideal_network.h"
#include "analyzer/metric_guide.h"
#include "base/error.h"
#include "tests/support/joining_trace.h"
#include "tests/support/small_experiment.h"
#include "tests/support/temporary_directory.h"
#include "tests/unit/analyzer/window_trace.h"

namespace holos::testing {
namespace {

using algebra::Efficiencies;

Efficiencies efficienciesOf(const algebra::Experiment& experiment,
                            const std::vector<algebra::CallPathChoice>& callPaths = {}) {
    return algebra::efficiencies(experiment, analyzer::metricGuide(), callPaths);
}

algebra::CallPathId pathOf(const algebra::Experiment& experiment, const std::string& region) {
    for (const auto path : experiment.callTree.ids())
        if (experiment.regionOf(path).name == region) return path;
    throw std::out_of_range(region);
}

// Rank 0 computes 8 ms and rank 1 computes 16 of 20; the barrier takes 4 ms after the last one has come.
TEST(Efficiencies, unequalLoad_isLoadBalance) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").barrier(8, 20).leave(20);
    trace.on(1).enter(0, "main").barrier(16, 20).leave(20);
    const Findings found(trace);
    const Efficiencies values = efficienciesOf(found.result().experiment);
    EXPECT_NEAR(values.runtime, 0.020, kExact);
    EXPECT_NEAR(values.parallel, 0.6, kExact);  // (8 + 16) / 2 / 20
    ASSERT_TRUE(values.mpi);
    EXPECT_NEAR(values.mpi->parallel, 0.6, kExact);
    EXPECT_NEAR(values.mpi->loadBalance, 0.75, kExact);   // 12 / 16
    EXPECT_NEAR(values.mpi->communication, 0.8, kExact);  // 16 / 20
    EXPECT_NEAR(values.mpi->serialisation, 1.0, kExact);  // 16 / (20 - 4)
    EXPECT_NEAR(values.mpi->transfer, 0.8, kExact);       // 16 / 20
    EXPECT_FALSE(values.openMp);
}

/// Rank 1 lacks a processor for 8 of its 16 ms.
TEST(Efficiencies, waitingForProcessors_isAFactorOfItsOwn) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").barrier(8, 20).leave(20);
    trace.on(1).enter(0, "main").enter(0, "work").leaveStarved(16, 8).barrier(16, 20).leave(20);
    const Efficiencies values = efficienciesOf(Findings(trace).result().experiment);
    ASSERT_TRUE(values.mpi && values.processors);
    EXPECT_NEAR(values.parallel, 0.4, kExact);           // (8 + 8) / 2 / 20
    EXPECT_NEAR(values.mpi->loadBalance, 0.75, kExact);  // what it lacks makes it late, too: 12 / 16
    EXPECT_NEAR(*values.processors, 16.0 / 24, kExact);  // 8 + 8 of 8 + 16
    EXPECT_NEAR(values.parallel, values.mpi->parallel * *values.processors, kExact);
}

/// Thread 1 lacks a processor for 1 of the 2 ms that it takes in the region.
TEST(Efficiencies, waitingForProcessorsInATeam_isNoLossOfOpenMp) {
    TraceBuilder trace(1, 2);
    trace.on(0).enter(0, "main").fork(4, 2).teamBegin(4).enter(4, "!$omp parallel @x.c:1");
    trace.on(0).call(7, 8, "!$omp implicit barrier @x.c:1").leave(8).teamEnd(8).join(8).leave(10);
    trace.on(0, 1).teamBegin(4).enter(4, "!$omp parallel @x.c:1").enter(4, "work").leaveStarved(6, 1);
    trace.on(0, 1).call(6, 8, "!$omp implicit barrier @x.c:1").leave(8).teamEnd(8);
    const Efficiencies values = efficienciesOf(Findings(trace).result().experiment);
    ASSERT_TRUE(values.openMp && values.processors);
    EXPECT_NEAR(values.parallel, 0.5, kExact);  // (9 + 1) / 2 / 10
    EXPECT_NEAR(values.openMp->parallel, 0.55, kExact);
    EXPECT_NEAR(values.openMp->parallel, values.openMp->serialRegions * values.openMp->parallelRegions,
                kExact);
    EXPECT_NEAR(*values.processors, 10.0 / 11, kExact);
    EXPECT_NEAR(values.parallel, values.openMp->parallel * *values.processors, kExact);
}

/// What waits looks like transfer, where no wait states are known.
TEST(Efficiencies, profile_doesNotKnowSerialisationAndTransfer) {
    const auto withMpi = [] {
        SmallExperiment build(2, 1);
        build.metric(seconds("time"), "", {{"main", {8, 6}}, {"main/wait", {2, 4}}})
            .metric(seconds("execution"), "time", {{"main", {8, 6}}, {"main/wait", {2, 4}}})
            .metric(seconds("comp"), "execution", {{"main", {8, 6}}})
            .metric(seconds("mpi"), "execution", {{"main/wait", {2, 4}}});
        return build;
    };
    algebra::Experiment profile = withMpi().take();
    EXPECT_NEAR(efficienciesOf(profile).mpi->transfer, 0.8, kExact);
    profile.attributes.emplace_back(algebra::kProfileAttribute, "1");
    const Efficiencies values = efficienciesOf(profile);
    EXPECT_TRUE(values.mpi->isWithoutWaits);
    EXPECT_NEAR(values.mpi->communication, 0.8, kExact);
    EXPECT_TRUE(std::isnan(values.mpi->serialisation));
    EXPECT_TRUE(std::isnan(values.mpi->transfer));

    // As in a campaign, whose first run is a trace.
    algebra::Experiment merged =
        withMpi().metric(seconds("mpi_latesender"), "mpi", {{"main/wait", {0, 2}}}).take();
    merged.attributes.emplace_back(algebra::kProfileAttribute, "1");
    EXPECT_FALSE(efficienciesOf(merged).mpi->isWithoutWaits);
    EXPECT_NEAR(efficienciesOf(merged).mpi->transfer, 0.8, kExact);
}

/// Who has no processor within MPI has not communicated.
TEST(Efficiencies, waitingForProcessorsWithinMpi_isToldApart) {
    SmallExperiment build(2, 1);
    build.metric(seconds("time"), "", {{"main", {8, 6}}, {"main/wait", {2, 4}}})
        .metric(seconds("execution"), "time", {{"main", {8, 6}}, {"main/wait", {2, 4}}})
        .metric(seconds("comp"), "execution", {{"main", {8, 6}}})
        .metric(seconds("mpi"), "execution", {{"main/wait", {2, 4}}})
        .metric(seconds("mpi_collective_processor_waiting"), "mpi", {{"main/wait", {0.5, 3}}});
    const Efficiencies values = efficienciesOf(build.take());
    EXPECT_NEAR(values.mpi->communication, 0.8, kExact);
    EXPECT_NEAR(values.mpi->withoutProcessor, 3.5, kExact);
    EXPECT_FALSE(values.processors);
}

// Each rank computes while the other one waits for its message.
TEST(Efficiencies, oneAfterTheOther_isSerialisation) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(10, 11, {.peer = 1}).recv(11, 20, {.peer = 1}).leave(20);
    trace.on(1).enter(0, "main").recv(0, 12, {.peer = 0}).send(19, 20, {.peer = 0}).leave(20);
    const Findings found(trace);
    const Efficiencies values = efficienciesOf(found.result().experiment);
    ASSERT_TRUE(values.mpi);
    EXPECT_NEAR(values.mpi->loadBalance, 0.85, kExact);         // (10 + 7) / 2 / 10
    EXPECT_NEAR(values.mpi->communication, 0.5, kExact);        // 10 / 20
    EXPECT_NEAR(values.mpi->serialisation, 10.0 / 18, kExact);  // 18 = 20 - (1 + 9 - 8)
    EXPECT_NEAR(values.mpi->transfer, 0.9, kExact);             // 18 / 20
}

// By replay: rank 1 has the message at 10, sends its own at 17, and rank 0 has that at once and goes on
// to 17.
TEST(Efficiencies, onAnIdealNetwork_areExact) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(10, 11, {.peer = 1}).recv(11, 20, {.peer = 1}).leave(20);
    trace.on(1).enter(0, "main").recv(0, 12, {.peer = 0}).send(19, 20, {.peer = 0}).leave(20);
    const TemporaryDirectory folder;
    const auto anchor = trace.write(folder.path());
    algebra::Experiment experiment = analyzer::analyze(anchor).experiment;
    EXPECT_FALSE(efficienciesOf(experiment).mpi->isByReplay);
    analyzer::addIdealNetwork(experiment, anchor);
    const Efficiencies values = efficienciesOf(experiment);
    ASSERT_TRUE(values.mpi);
    EXPECT_TRUE(values.mpi->isByReplay);
    EXPECT_NEAR(values.mpi->serialisation, 10.0 / 17, kExact);
    EXPECT_NEAR(values.mpi->transfer, 17.0 / 20, kExact);
    EXPECT_NEAR(values.mpi->communication, 0.5, kExact);
}

// Rank 1 may lack a processor for three of the five ticks of its work: a replay can have such a part of a
// call path where the run has none, and the other way round.
TEST(Efficiencies, onAnIdealNetworkWithOtherWaitingForProcessors_areThoseOfItsCallPaths) {
    const auto written = [](bool isStarved, const TemporaryDirectory& folder) {
        TraceBuilder trace(2);
        trace.on(0).enter(0, "main").send(10, 11, {.peer = 1}).call(11, 20, "work").leave(60);
        trace.on(1).enter(0, "main").recv(2, 40, {.peer = 0}).enter(40, "work");
        (isStarved ? trace.on(1).leaveStarved(45, 3) : trace.on(1).leave(45)).leave(60);
        return trace.write(folder.path());
    };
    for (const bool isStarved : {false, true}) {
        const TemporaryDirectory one, other;
        algebra::Experiment experiment = analyzer::analyze(written(isStarved, one)).experiment;
        ASSERT_NO_THROW(analyzer::addIdealNetwork(experiment, written(!isStarved, other)));
        const auto ideal = experiment.findMetric(algebra::kIdealNetworkTime);
        ASSERT_TRUE(ideal);
        const std::vector<double> works = algebra::perLocation(
            experiment, {*ideal}, {{pathOf(experiment, "work"), algebra::Extent::Inclusive}});
        EXPECT_NEAR(works.at(0), 0.009, kExact);
        EXPECT_NEAR(works.at(1), 0.005, kExact);
    }
}

// Rank 0 waits 4 of 7 ms in a fence for rank 1; both compute the rest of 30.
TEST(Efficiencies, waitsOfOneSidedCommunication_areNoTransfer) {
    WindowTrace run(2);
    run.fence(0, 1, 8);
    run.fence(1, 5, 8);
    const Findings found = run.findings();
    const Efficiencies values = efficienciesOf(found.result().experiment);
    ASSERT_TRUE(values.mpi);
    EXPECT_NEAR(values.mpi->loadBalance, 25.0 / 27, kExact);  // (23 + 27) / 2 / 27
    EXPECT_NEAR(values.mpi->communication, 27.0 / 30, kExact);
    EXPECT_NEAR(values.mpi->serialisation, 1.0, kExact);  // 27 / (30 - 3)
    EXPECT_NEAR(values.mpi->transfer, 0.9, kExact);
}

// Rank 1 waits for a lock while rank 0 works, and rank 0 in a barrier while rank 1 works with the lock.
TEST(Efficiencies, locksInTurn_areSerialisation) {
    WindowTrace run(2);
    run.lock(0, 0, 0, 0);
    run.unlock(0, 10, 10, 0);
    run.lock(1, 0, 10, 0);
    run.unlock(1, 20, 20, 0);
    run.trace.on(0).barrier(10, 20);
    run.trace.on(1).barrier(20, 20);
    const Findings found = run.findings();
    const Efficiencies values = efficienciesOf(found.result().experiment);
    ASSERT_TRUE(values.mpi);
    EXPECT_NEAR(values.mpi->loadBalance, 1.0, kExact);  // both 20 of 30
    EXPECT_NEAR(values.mpi->communication, 20.0 / 30, kExact);
    EXPECT_NEAR(values.mpi->serialisation, 20.0 / 30, kExact);  // waits all the rest
    EXPECT_NEAR(values.mpi->transfer, 1.0, kExact);
}

TEST(Efficiencies, ofOneCallPath_areThoseWithinIt) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").enter(4, "solve").barrier(8, 10).leave(10).leave(20);
    trace.on(1).enter(0, "main").enter(4, "solve").barrier(10, 10).leave(10).leave(20);
    const Findings found(trace);
    const auto& experiment = found.result().experiment;
    const Efficiencies values =
        efficienciesOf(experiment, {algebra::CallPathChoice{pathOf(experiment, "solve")}});
    EXPECT_NEAR(values.runtime, 0.006, kExact);
    ASSERT_TRUE(values.mpi);
    EXPECT_NEAR(values.mpi->loadBalance, 5.0 / 6, kExact);  // (4 + 6) / 2 / 6
    EXPECT_NEAR(values.mpi->communication, 1.0, kExact);
}

// Of 10 ms, the master is 4 in a parallel region, with 1 ms of barrier; its worker is 2 ms in the barrier.
TEST(Efficiencies, threads_loseInSerialAndInParallelRegions) {
    TraceBuilder trace(1, 2);
    trace.on(0).enter(0, "main").fork(4, 2).teamBegin(4).enter(4, "!$omp parallel @x.c:1");
    trace.on(0).call(7, 8, "!$omp implicit barrier @x.c:1").leave(8).teamEnd(8).join(8).leave(10);
    trace.on(0, 1).teamBegin(4).enter(4, "!$omp parallel @x.c:1");
    trace.on(0, 1).call(6, 8, "!$omp implicit barrier @x.c:1").leave(8).teamEnd(8);
    const Findings found(trace);
    const Efficiencies values = efficienciesOf(found.result().experiment);
    EXPECT_NEAR(values.parallel, 0.55, kExact);  // (9 + 2) / 2 / 10
    EXPECT_FALSE(values.mpi);
    ASSERT_TRUE(values.openMp);
    EXPECT_NEAR(values.openMp->parallel, 0.55, kExact);
    EXPECT_NEAR(values.openMp->serialRegions, 0.7, kExact);          // (2 * 4 + 6) / 20
    EXPECT_NEAR(values.openMp->parallelRegions, 11.0 / 14, kExact);  // (9 + 2) / 14
}

/// A process that computes for 10 ms, with a thread that it started itself.
class TwoThreads {
  public:
    TwoThreads() {
        trace.region("read", {OTF2_PARADIGM_NONE, OTF2_REGION_ROLE_WRAPPER, "system"});
        trace.on(0).enter(0, "main").leave(10);
    }
    LocationScript& helper() { return trace.on(0, 1); }
    Efficiencies values() { return efficienciesOf(Findings(trace).result().experiment); }

    TraceBuilder trace{1, 2};
};

TEST(Efficiencies, threadThatOnlySleeps_isNoProcessorThatShouldHaveComputed) {
    TwoThreads run;
    run.helper().enter(0, "listen").call(0, 10, "read").leave(10);
    const Efficiencies values = run.values();
    EXPECT_NEAR(values.runtime, 0.010, kExact);
    EXPECT_NEAR(values.parallel, 1.0, kExact);
    EXPECT_FALSE(values.openMp);
}

TEST(Efficiencies, threadThatSleepsNowAndThen_counts) {
    TwoThreads run;
    run.helper().enter(0, "listen").call(2, 10, "read").leave(10);
    const Efficiencies values = run.values();
    EXPECT_NEAR(values.parallel, 0.6, kExact);  // (10 + 2) / 2 / 10
}

// Both compute all the time, and no parallel region says so.
TEST(Efficiencies, threadsOfTheProgramItself_regionsCannotBeTold) {
    TwoThreads run;
    run.helper().enter(0, "work").leave(10);
    const Efficiencies values = run.values();
    EXPECT_NEAR(values.parallel, 1.0, kExact);
    ASSERT_TRUE(values.openMp);
    EXPECT_NEAR(values.openMp->parallel, 1.0, kExact);
    EXPECT_TRUE(std::isnan(values.openMp->serialRegions));
    EXPECT_TRUE(std::isnan(values.openMp->parallelRegions));
}

/// Fifty threads of 20 ms, each of which works and is joined before the next one is started.
TEST(Efficiencies, threadsThatAreThereOneAfterTheOther_countAsLongAsTheyLive) {
    constexpr unsigned kThreads = 50;
    constexpr Tick kLife = 20;
    JoiningTrace run(1 + kThreads);
    for (unsigned thread = 1; thread <= kThreads; ++thread) {
        const Tick begin = (thread - 1) * kLife;
        run.make(0, thread, begin);
        run.end(thread, begin + kLife);
        run.join(0, thread, begin, begin + kLife);
    }
    run.on(0).leave(kThreads * kLife);
    const Findings found(run.trace);
    const Efficiencies values = efficienciesOf(found.result().experiment);
    EXPECT_NEAR(values.runtime, 1.0, kExact);
    EXPECT_NEAR(values.parallel, 0.5, kExact);  // one works, and the first one waits
    ASSERT_TRUE(values.openMp);
    EXPECT_NEAR(values.openMp->parallel, values.parallel, kExact);
    // Of the threads' function, each takes as long as the others.
    const Efficiencies ofWork = efficienciesOf(
        found.result().experiment, {algebra::CallPathChoice{pathOf(found.result().experiment, "body")}});
    EXPECT_NEAR(ofWork.parallel, 50.0 / (50 + 1), kExact);
}

// The first thread is never there.
TEST(Efficiencies, callPathOfAnotherThread_hasItsTime) {
    TwoThreads run;
    run.helper().enter(0, "work").call(6, 8, "read").leave(8);
    const Findings found(run.trace);
    const auto& experiment = found.result().experiment;
    const Efficiencies values =
        efficienciesOf(experiment, {algebra::CallPathChoice{pathOf(experiment, "work")}});
    EXPECT_NEAR(values.runtime, 0.008, kExact);
    EXPECT_NEAR(values.parallel, 0.375, kExact);  // 6 / 2 / 8
    ASSERT_TRUE(values.openMp);
    EXPECT_NEAR(values.openMp->parallel, 0.375, kExact);
}

// The first thread is in MPI while the other one computes: more than the first has outside of MPI.
TEST(Efficiencies, threadsComputeWhileTheFirstIsInMpi_isNotMoreThanOne) {
    TraceBuilder trace(2, 2);
    for (const unsigned rank : {0U, 1U}) {
        trace.on(rank).enter(0, "main").barrier(1, 10).leave(10);
        trace.on(rank, 1).enter(0, "work").leave(10);
    }
    const Efficiencies values = efficienciesOf(Findings(trace).result().experiment);
    EXPECT_NEAR(values.parallel, 0.55, kExact);
    ASSERT_TRUE(values.openMp);
    EXPECT_TRUE(std::isnan(values.openMp->parallel));
}

TEST(Efficiencies, experimentWithoutTheMetrics_failsWithItsName) {
    try {
        efficienciesOf(algebra::Experiment());
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("\"time\""), std::string::npos);
    }
}

}  // namespace
}  // namespace holos::testing

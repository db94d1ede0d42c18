// SPDX-License-Identifier: BSD-3-Clause
// The size of traces, against archives that were written.
#include "report/score/score.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "analyzer/analyze.h"
#include "base/error.h"
#include "tests/support/known_trace.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"

namespace holos::score {
namespace {

using testing::TraceBuilder;

constexpr double kStatedError = 0.10;

/// Two ranks that call a small function very often, and send messages from another one.
void writeCalls(const std::filesystem::path& folder, unsigned rounds = 200) {
    TraceBuilder trace(2);
    trace.clock(1'000'000, 5000);
    for (unsigned rank = 0; rank < 2; ++rank) {
        auto& location = trace.on(rank);
        for (unsigned round = 0; round < rounds; ++round) {
            const testing::Tick at = 1000 * round;
            for (unsigned call = 0; call < 10; ++call)
                location.enter(at + 10 * call, "small").leave(at + 10 * call + 3);
            location.enter(at + 200, "exchange");
            if (rank == 0)
                location.send(at + 210, at + 230, {.peer = 1, .bytes = 4000});
            else
                location.recv(at + 205, at + 240, {.peer = 0, .bytes = 4000});
            location.leave(at + 300);
        }
    }
    trace.write(folder);
}

class ScoredTrace : public ::testing::Test {
  protected:
    void analyze() {
        analyzer::AnalysisOptions options;
        options.causes = false;
        experiment_ = analyzer::analyze(folder_.path(), options).experiment;
        files_ = bytesOfEventFiles(folder_.path());
    }
    double bytesOfFiles() const { return std::accumulate(files_.begin(), files_.end(), 0.0); }
    const RegionScore& region(const Score& score, const std::string& name) const {
        for (const RegionScore& region : score.regions)
            if (region.name == name) return region;
        throw Error("no region " + name);
    }

    testing::TemporaryDirectory folder_;
    algebra::Experiment experiment_;
    std::vector<std::uint64_t> files_;
};

TEST_F(ScoredTrace, ofCallsAndMessages_estimateIsWithinTheStatedErrorOfItsFiles) {
    writeCalls(folder_.path());
    analyze();
    const Score score = scoreOf(experiment_, {});
    EXPECT_FALSE(score.isMeasured);
    EXPECT_NEAR(score.all.bytes.trace, bytesOfFiles(), kStatedError * bytesOfFiles());
}

TEST_F(ScoredTrace, ofRegionsThatTouch_estimateIsTooLargeByTheTimesThatTheyShare) {
    // Every second enter of this trace has the time of the event before, so that OTF2 does not write it.
    testing::writeKnownTrace(folder_.path(), {.processes = 2, .threads = 2, .rounds = 20});
    analyze();
    const double estimate = scoreOf(experiment_, {}).all.bytes.trace;
    EXPECT_GT(estimate, bytesOfFiles());
    EXPECT_LT(estimate, 1.2 * bytesOfFiles());
}

TEST_F(ScoredTrace, timeWithoutAProcessor_isNotTheRecorders) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").enter(0, "work").leaveStarved(16, 8).leave(20);
    trace.write(folder_.path());
    analyze();
    const Score score = scoreOf(experiment_, {});
    EXPECT_EQ(score.kinds[static_cast<std::size_t>(RegionKind::Measurement)].time, 0);
    EXPECT_NEAR(score.kinds[static_cast<std::size_t>(RegionKind::Starvation)].time, 0.008, 1e-9);
}

TEST_F(ScoredTrace, whoseFilesAreThere_hasTheirBytesByProcess) {
    writeCalls(folder_.path());
    analyze();
    const Score score = scoreOf(experiment_, {.counters = 0, .measured = files_});
    EXPECT_TRUE(score.isMeasured);
    EXPECT_NEAR(score.all.bytes.trace, bytesOfFiles(), 1e-3);
    ASSERT_EQ(score.processes.size(), 2u);
    EXPECT_NEAR(score.processes[0].bytes.trace, static_cast<double>(files_[0]), 1e-3);
    EXPECT_NEAR(score.processes[1].bytes.trace, static_cast<double>(files_[1]), 1e-3);
}

TEST_F(ScoredTrace, regions_haveTheirKindsVisitsAndSumUp) {
    writeCalls(folder_.path());
    analyze();
    const Score score = scoreOf(experiment_, {});
    EXPECT_EQ(region(score, "small").kind, RegionKind::User);
    EXPECT_EQ(region(score, "small").totals.visits, 4000);
    EXPECT_EQ(region(score, "exchange").kind, RegionKind::Common);
    EXPECT_EQ(region(score, "MPI_Send").kind, RegionKind::Mpi);
    EXPECT_EQ(score.regions.front().name, "small");
    Totals sum;
    for (const Totals& kind : score.kinds) sum += kind;
    EXPECT_NEAR(sum.bytes.trace, score.all.bytes.trace, 1e-6);
    EXPECT_NEAR(sum.time, score.all.time, 1e-9);
}

TEST_F(ScoredTrace, recording_hasTheRecordersRecords) {
    writeCalls(folder_.path(), 1);
    analyze();
    const Score score = scoreOf(experiment_, {});
    // An enter and a leave have two words each, a message four.
    EXPECT_EQ(region(score, "small").totals.bytes.recording, 20 * 32);
    EXPECT_EQ(region(score, "MPI_Send").totals.bytes.recording, 32 + 32);
    EXPECT_EQ(score.processes[0].largestThread, 11 * 32 + 32 + 32);
}

TEST_F(ScoredTrace, pollsInARow_areOneRecordUnlessCountersAreRead) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main");
    for (unsigned i = 1; i <= 1000; ++i) trace.on(0).call(10 * i, 10 * i + 1, "MPI_Iprobe");
    trace.on(0).leave(20'000);
    trace.write(folder_.path());
    analyze();
    const double ofVisit = region(scoreOf(experiment_, {}), "main").totals.bytes.trace;
    const RegionScore thinned = region(scoreOf(experiment_, {}), "MPI_Iprobe");
    EXPECT_EQ(thinned.totals.visits, 1000);
    EXPECT_LT(thinned.totals.bytes.trace, 10 * ofVisit);
    const RegionScore each = region(scoreOf(experiment_, {.counters = 1}), "MPI_Iprobe");
    EXPECT_GT(each.totals.bytes.trace, 900 * ofVisit);
}

TEST_F(ScoredTrace, pollsBetweenFunctions_areInARowWithoutThese) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main");
    for (unsigned i = 1; i <= 1000; ++i)
        trace.on(0).call(10 * i, 10 * i + 1, "MPI_Iprobe").enter(10 * i + 2, "work").leave(10 * i + 5);
    trace.on(0).leave(20'000);
    trace.write(folder_.path());
    analyze();
    const Score score = scoreOf(experiment_, {});
    EXPECT_GT(region(score, "MPI_Iprobe").totals.bytes.trace, 10'000);
    const auto without = [&](const std::vector<RegionScore>& excluded) {
        ScoreOptions options;
        for (const RegionScore& each : excluded) options.excluded.insert(each.name);
        return scoreOf(experiment_, options).all.bytes.trace;
    };
    const FilterChoice choice = chooseFilter(score, 1000, without);
    EXPECT_TRUE(choice.isEnough);
    EXPECT_LT(choice.bytesLeft, 1000);
    ASSERT_EQ(choice.excluded.size(), 1u);
    EXPECT_EQ(choice.excluded.front().name, "work");
    EXPECT_FALSE(chooseFilter(score, 1000).isEnough) << "by the sums alone";
}

TEST_F(ScoredTrace, overhead_includesStartAndEnd) {
    writeCalls(folder_.path(), 1);
    analyze();
    const Score score = scoreOf(experiment_, {});
    EXPECT_GT(score.startAndEnd, 0.02 * 2) << "of two processes";
    EXPECT_GT(score.startAndEnd, score.overhead);
}

TEST_F(ScoredTrace, functionsOfCallStacks_haveNoEvents) {
    TraceBuilder trace(1);
    const auto main = trace.callingContext("main", 5);
    trace.on(0).callFrom(10, 20, "MPI_Comm_rank", trace.callingContext("solve", 7, main));
    trace.write(folder_.path());
    analyze();
    const Score score = scoreOf(experiment_, {});
    EXPECT_GT(region(score, "MPI_Comm_rank").totals.bytes.trace, 0);
    for (const RegionScore& one : score.regions) EXPECT_NE(one.kind, RegionKind::NotRecorded) << one.name;
}

/// Ten functions more, which call each other.
TEST_F(ScoredTrace, overhead_includesNamingFunctions) {
    std::vector<double> seconds;
    for (const int functions : {1, 11}) {
        const testing::TemporaryDirectory folder;
        TraceBuilder trace(1);
        auto caller = trace.callingContext("main", 5);
        for (int i = 1; i < functions; ++i) {
            const std::string name = "f" + std::to_string(i);
            trace.region(name, {OTF2_PARADIGM_SAMPLING, OTF2_REGION_ROLE_FUNCTION, "code"});
            caller = trace.callingContext(name, 7, caller);
        }
        trace.on(0).callFrom(10, 20, "MPI_Comm_rank", caller);
        trace.write(folder.path());
        seconds.push_back(scoreOf(analyzer::analyze(folder.path(), {}).experiment, {}).startAndEnd);
    }
    EXPECT_NEAR(seconds[1] - seconds[0], 10 * 300e-6, 1e-5);
}

TEST_F(ScoredTrace, withCounters_eachVisitHasTheirValuesTwice) {
    writeCalls(folder_.path());
    analyze();
    const Score without = scoreOf(experiment_, {.counters = 0, .measured = files_});
    const Score with = scoreOf(experiment_, {.counters = 4, .measured = files_});
    EXPECT_NEAR(with.all.bytes.trace - without.all.bytes.trace, with.ofCounters.trace * with.all.visits,
                1e-3);
    EXPECT_EQ(with.ofCounters.recording, 2 * 8 * (1 + 4));
}

TEST(ScoredExperiment, withoutVisits_isRefused) {
    EXPECT_THROW(scoreOf(algebra::Experiment(), {}), Error);
}

}  // namespace
}  // namespace holos::score

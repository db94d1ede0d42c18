// SPDX-License-Identifier: BSD-3-Clause
// Time between events, shared out by samples of the call stack.
#include <gmock/gmock.h>

#include <random>

#include "algebra/model/queries.h"
#include "tests/support/findings.h"
#include "tests/support/ranks_in_threads.h"
#include "tests/support/severity_lookup.h"
#include "tests/support/stack_trace.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::StartsWith;

/// `main` calls `solve` at line 10, which calls MPI at its lines 20 and 22, and `smooth` and `norm` between.
struct Program {
    explicit Program(unsigned ranks) : trace(ranks) {
        main10 = stack(trace, "main", 10);
        main12 = stack(trace, "main", 12);
        solve20 = stack(trace, "solve", 20, main10);
        solve22 = stack(trace, "solve", 22, main10);
        smooth = stack(trace, "smooth", 30, solve22);
        norm = stack(trace, "norm", 40, solve22);
        other = stack(trace, "other", 50, main12);
        samples = trace.counters(
            {{.name = "sampled_time", .unit = "sec", .mode = OTF2_METRIC_ACCUMULATED_LAST, .exponent = -3}});
    }

    TraceBuilder trace;
    OTF2_CallingContextRef main10, main12, solve20, solve22, smooth, norm, other;
    OTF2_MetricRef samples;
};

class SampledTime : public ::testing::Test, protected Program {
  protected:
    SampledTime() : Program(1) {}
};

double timeOf(const Findings& found, std::string_view path) {
    return found.at("time", path, 0) * 1000;
}

double inclusive(const Findings& found, std::string_view metric, std::string_view path) {
    const algebra::Experiment& experiment = found.result().experiment;
    double sum = 0;
    for (const double value :
         algebra::perLocation(experiment, {*experiment.findMetric(std::string(metric))},
                              {{*callPath(experiment, path), algebra::Extent::Inclusive}}))
        sum += value;
    return sum;
}

TEST_F(SampledTime, intervalWithSamples_isSharedByThem) {
    trace.on(0).callFrom(0, 1, "MPI_Barrier", solve20);
    for (const Tick tick : {3, 5, 7}) trace.on(0).sampleAt(tick, samples, smooth, 2);
    trace.on(0).sampleAt(9, samples, solve22, 2).callFrom(9, 10, "MPI_Barrier", solve22);
    const Findings found(trace);
    EXPECT_NEAR(timeOf(found, "main/solve/smooth"), 6, kExact);
    EXPECT_NEAR(timeOf(found, "main/solve"), 2, kExact);
    EXPECT_NEAR(found.at("comp", "main/solve/smooth", 0), 0.006, kExact);
    EXPECT_NEAR(found.total("time"), 0.010, kExact);
}

TEST_F(SampledTime, estimates_areMarked) {
    trace.on(0).callFrom(0, 1, "MPI_Barrier", solve20).sampleAt(3, samples, smooth, 2);
    trace.on(0).callFrom(5, 6, "MPI_Barrier", solve22);
    const Findings found(trace);
    const algebra::Experiment& experiment = found.result().experiment;
    EXPECT_THAT(experiment.attributes,
                Contains(Pair("holos::sampled time", StartsWith("0.004 s of the time"))));
    EXPECT_THAT(experiment.metrics[*experiment.findMetric("time")].description, HasSubstr("estimates"));
}

TEST_F(SampledTime, visitsOfSampledFunctions_countHowOftenTheyWereNewlySeen) {
    trace.on(0).callFrom(0, 1, "MPI_Barrier", solve20);
    trace.on(0).sampleAt(3, samples, smooth, 2).sampleAt(5, samples, smooth, 2);
    trace.on(0).sampleAt(7, samples, norm, 2).sampleAt(9, samples, smooth, 2);
    trace.on(0).callFrom(10, 11, "MPI_Barrier", smooth).callFrom(12, 13, "MPI_Barrier", main12);
    const Findings found(trace);
    EXPECT_EQ(found.at("visits", "main/solve/smooth", 0), 2);  // the last one goes on at the barrier
    EXPECT_EQ(found.at("visits", "main/solve/norm", 0), 1);
    EXPECT_EQ(found.at("visits", "main/solve", 0), 1);
}

TEST_F(SampledTime, intervalsWithoutSamples_areSharedAsThoseBetweenTheSamePlaces) {
    for (Tick tick = 0; tick < 100; tick += 10) {
        trace.on(0).callFrom(tick, tick + 1, "MPI_Barrier", solve20);
        if (tick % 20 == 0) trace.on(0).sampleAt(tick + 3, samples, tick < 50 ? smooth : norm, 10);
        trace.on(0).callFrom(tick + 8, tick + 9, "MPI_Barrier", solve22);
    }
    const Findings found(trace);
    EXPECT_NEAR(timeOf(found, "main/solve/smooth"), 42, kExact);  // three fifths of 10 x 7
    EXPECT_NEAR(timeOf(found, "main/solve/norm"), 28, kExact);
    EXPECT_NEAR(timeOf(found, "main/solve"), 9, kExact);  // from each second barrier to the next first
}

TEST_F(SampledTime, functionCalledAnewFromTheSamePlace_doesNotKeepTheTimeBetween) {
    trace.on(0).callFrom(0, 1, "MPI_Sendrecv", solve20).sampleAt(3, samples, other, 2);
    trace.on(0).sampleAt(5, samples, other, 2).callFrom(6, 7, "MPI_Sendrecv", solve20);
    const Findings found(trace);
    EXPECT_NEAR(timeOf(found, "main/other @code.c:12"), 5, kExact);
    EXPECT_NEAR(timeOf(found, "main/solve"), 0, kExact);
}

TEST_F(SampledTime, whatHappensOnce_doesNotTakePartInWhatHappensOften) {
    trace.on(0).callFrom(0, 1, "MPI_Init", main10);
    for (Tick tick = 11; tick < 1000; tick += 10) trace.on(0).sampleAt(tick, samples, other, 10);
    for (Tick tick = 1000; tick < 2000; tick += 4) {
        trace.on(0).callFrom(tick, tick + 1, "MPI_Barrier", main12);
        if (tick % 80 == 0) trace.on(0).sampleAt(tick + 2, samples, smooth, 10);
    }
    const Findings found(trace);
    EXPECT_NEAR(timeOf(found, "main/other @code.c:12"), 999, kExact);
    EXPECT_GT(timeOf(found, "main/solve/smooth"), 740);
}

TEST_F(SampledTime, placesThatNoSampleMet_areSharedAsThoseThatOneMetByChance) {
    for (unsigned i = 0; i < 50; ++i) {  // each between places of its own, and shorter than a period
        const auto place = trace.callingContext("main", 100 + i);
        trace.on(0).callFrom(4 * i, 4 * i + 1, "MPI_Barrier", place);
        if (i % 5 == 0) trace.on(0).sampleAt(4 * i + 2, samples, i % 10 == 0 ? norm : smooth, 15);
    }
    const Findings found(trace);
    EXPECT_NEAR(timeOf(found, "main/solve/norm"), 73, 1.5);  // half of 49 x 3
    EXPECT_NEAR(timeOf(found, "main/solve/smooth"), 73, 1.5);
}

TEST_F(SampledTime, timeInWhichNoSampleCame_staysWhereItIsBooked) {
    trace.on(0).callFrom(0, 1, "MPI_Barrier", solve20);
    for (Tick tick = 2; tick <= 100; ++tick) trace.on(0).sampleAt(tick, samples, smooth, 1);
    trace.on(0).sampleAt(1000, samples, norm, 1).callFrom(1001, 1002, "MPI_Barrier", solve22);
    const Findings found(trace);
    EXPECT_NEAR(timeOf(found, "main/solve"), 900 - 4, kExact);  // it slept, or was not sampled
    EXPECT_LT(timeOf(found, "main/solve/norm"), 3);
}

TEST_F(SampledTime, samplesInMpi_leaveItsTimeAlone) {
    trace.on(0).callFrom(0, 1, "MPI_Barrier", solve20).enterFrom(2, "MPI_Reduce", solve22);
    trace.on(0).sampleAt(4, samples, norm, 2).leave(8);
    const Findings found(trace);
    EXPECT_NEAR(found.total("mpi"), 0.007, kExact);
    EXPECT_NEAR(timeOf(found, "main/solve/MPI_Reduce @code.c:22"), 6, kExact);
}

TEST_F(SampledTime, withoutCallPathsOfEvents_regionsAreShared) {
    trace.on(0).enter(0, "phase").sampleAt(2, samples, smooth, 2).sampleAt(4, samples, norm, 2);
    trace.on(0).call(6, 8, "MPI_Barrier").leave(10);
    const Findings found(trace);
    EXPECT_NEAR(timeOf(found, "phase/main/solve/smooth"), 3, kExact);
    EXPECT_NEAR(timeOf(found, "phase/main/solve/norm"), 3, kExact);
    EXPECT_NEAR(inclusive(found, "time", "phase"), 0.010, kExact);
}

TEST_F(SampledTime, samplesByOtherEvents_shareNothing) {
    const auto misses = trace.counters({{.name = "sampled_misses", .mode = OTF2_METRIC_ACCUMULATED_LAST}});
    trace.on(0).callFrom(0, 1, "MPI_Barrier", solve20).sampleAt(3, misses, smooth, 2);
    trace.on(0).callFrom(6, 7, "MPI_Barrier", solve22);
    EXPECT_NEAR(timeOf(Findings(trace), "main/solve"), 5, kExact);
}

TEST_F(SampledTime, counters_followTheTime) {
    const auto flops = trace.counters({{.name = "FLOPS"}});
    trace.on(0).counters(0, flops, {0}).callFrom(0, 1, "MPI_Barrier", solve20).counters(1, flops, {10});
    trace.on(0).sampleAt(3, samples, smooth, 2).sampleAt(5, samples, norm, 2);
    trace.on(0).counters(9, flops, {1010}).callFrom(9, 10, "MPI_Barrier", solve22);
    const Findings found(trace);
    EXPECT_EQ(found.at("FLOPS", "main/solve/smooth", 0), 505);
    EXPECT_EQ(found.at("FLOPS", "main/solve/norm", 0), 505);
    EXPECT_EQ(found.total("FLOPS"), 1010);
}

TEST_F(SampledTime, damagedSamples_changeNoSum) {
    trace.on(0).callFrom(10, 11, "MPI_Barrier", solve20);
    trace.on(0).sampleAt(12, samples, smooth, 1'000'000'000'000).sampleAt(13, samples, norm, 0);
    trace.on(0).sampleAt(15, samples, norm, ~std::uint64_t{0}).sampleAt(16, samples, 4711, 3);
    trace.on(0).callFrom(30, 31, "MPI_Barrier", solve22);
    const Findings found(trace);
    EXPECT_NEAR(inclusive(found, "time", "main/solve"), 0.021, kExact);
    for (const char* path : {"main/solve", "main/solve/smooth", "main/solve/norm"})
        EXPECT_GE(timeOf(found, path), 0);
}

/// Both ranks smooth for 20 ms in each round; the first one needs 4 ms more for the norm, and is waited for.
void recordRounds(Program& program, bool isSampled) {
    std::mt19937 random(1);
    constexpr Tick kRounds = 100, kLength = 40, kSmooth = 20;
    for (unsigned rank = 0; rank < 2; ++rank) {
        LocationScript& events = program.trace.on(rank).callFrom(0, 1, "MPI_Init", program.main10);
        for (Tick round = 0; round < kRounds; ++round) {
            const Tick begin = 1 + kLength * round;
            const Tick enter = begin + kSmooth + (rank == 0 ? 5 : 1);
            const Tick leave = begin + kLength - 1;
            for (Tick tick = begin; isSampled && tick < enter; ++tick)
                if (random() % 5 == 0)
                    events.sampleAt(tick, program.samples,
                                    tick < begin + kSmooth ? program.smooth : program.norm, 5);
            events.enterFrom(enter, "MPI_Barrier", program.solve20).collectiveBegin(enter);
            events.collectiveEnd(leave, OTF2_COLLECTIVE_OP_BARRIER, {}).leave(leave);
        }
        events.callFrom(kRounds * kLength + 10, kRounds * kLength + 11, "MPI_Finalize", program.main10);
    }
}

TEST(SampledRanks, causes_nameTheFunctionThatTookLonger) {
    Program program(2);
    recordRounds(program, true);
    const Findings found(program.trace);
    EXPECT_NEAR(found.total("delay_barrier"), 0.400, 1e-6);
    EXPECT_GT(found.at("delay_barrier", "main/solve/norm", 0), 0.300);
    EXPECT_GT(found.at("imbalance_above", "main/solve/norm", 0), 0.130);
    EXPECT_GT(found.at("critical_path", "main/solve/norm", 0), 0.300);
    EXPECT_GT(found.at("critical_path", "main/solve/smooth", 0), 1.700);
}

TEST(SampledRanks, withAndWithoutSamples_haveTheSameSums) {
    Program sampled(2), plain(2);
    recordRounds(sampled, true);
    recordRounds(plain, false);
    const Findings with(sampled.trace), without(plain.trace);
    for (const char* metric : {"time", "comp", "mpi", "mpi_barrier_wait", "delay", "critical_path"}) {
        EXPECT_NEAR(with.total(metric), without.total(metric), 1e-9) << metric;
        EXPECT_NEAR(inclusive(with, metric, "main"), inclusive(without, metric, "main"), 1e-9) << metric;
    }
    EXPECT_GT(with.total("visits"), without.total("visits") + 200);  // of smooth, at least
}

TEST(SampledRanks, anyNumberOfWorkersAndRanks_sameResult) {
    Program program(2);
    recordRounds(program, true);
    const TemporaryDirectory directory;
    expectSameByAnyWorkersAndRanks(program.trace.write(directory.path()));
}

/// Of estimates.
struct Errors {
    double sum = 0;
    double squares = 0;
    void add(double error) {
        sum += error;
        squares += error * error;
    }
};

TEST(SampledEstimate, ofRandomRuns_isUnbiasedAndBetterThanSharesOfAllSamples) {
    constexpr unsigned kRuns = 60, kChance = 20;
    Errors ours, simple;
    for (unsigned run = 0; run < kRuns; ++run) {
        Program program(1);
        std::mt19937 random(run);
        Tick now = 0, smoothed = 0;
        std::uint64_t samples = 0, inSmooth = 0;
        LocationScript& events = program.trace.on(0).callFrom(0, 0, "MPI_Init", program.solve22);
        for (unsigned i = 0; i < 200; ++i) {
            const bool isFirst = i % 2 == 0;
            const Tick length = 1 + random() % (isFirst ? 10 : 40);
            // Between the first places it smooths; between the others it does so in the first third.
            for (Tick tick = 0; tick < length; ++tick) {
                const bool smooths = isFirst || 3 * tick < length;
                smoothed += smooths ? 1 : 0;
                if (random() % kChance != 0) continue;
                events.sampleAt(now + tick, program.samples, smooths ? program.smooth : program.norm,
                                kChance);
                ++samples;
                inSmooth += smooths ? 1 : 0;
            }
            now += length;
            events.callFrom(now, now, "MPI_Barrier", isFirst ? program.solve20 : program.solve22);
        }
        const Findings found(program.trace);
        EXPECT_NEAR(found.total("time") * 1000, static_cast<double>(now), 1e-6);
        const auto truth = static_cast<double>(smoothed), length = static_cast<double>(now);
        ours.add(timeOf(found, "main/solve/smooth") / truth - 1);
        simple.add(length * static_cast<double>(inSmooth) / static_cast<double>(samples) / truth - 1);
    }

    EXPECT_NEAR(ours.sum / kRuns, 0, 0.02);
    EXPECT_LT(ours.squares, 0.8 * simple.squares);
}

}  // namespace
}  // namespace holos::testing

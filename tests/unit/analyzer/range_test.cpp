// SPDX-License-Identifier: BSD-3-Clause
// The analysis of a part of a run: parts that follow each other make the whole.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>

#include "algebra/model/communication.h"
#include "algebra/operators/history/recorded_run.h"
#include "analyzer/analyze.h"
#include "analyzer/timeline/build_levels.h"
#include "analyzer/timeline/levels.h"
#include "analyzer/trace/definitions_reader.h"
#include "base/error.h"
#include "base/input_file.h"
#include "tests/support/equal_experiments.h"
#include "tests/support/known_trace.h"
#include "tests/support/large_trace.h"
#include "tests/support/severity_lookup.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

using algebra::Experiment;

Experiment analyzeRange(const std::filesystem::path& trace, std::optional<analyzer::RunRange> range,
                        unsigned threads = 1) {
    analyzer::AnalysisOptions options;
    options.threads = threads;
    options.range = range;
    return analyzer::analyze(trace, options).experiment;
}

/// Ticks of 1 ms: rank 1 waits for rank 0 from 2 to 6 s, and has MPI until 7 s; a second message at 8 s.
class Range : public ::testing::Test {
  protected:
    Range() {
        TraceBuilder trace(2);
        trace.on(0).enter(0, "main").send(6000, 7000, {.peer = 1, .bytes = 16});
        trace.on(0).send(8000, 8500, {.peer = 1, .bytes = 8}).leave(10000);
        trace.on(1).enter(0, "main").recv(2000, 7000, {.peer = 0});
        trace.on(1).recv(8000, 8500, {.peer = 0}).leave(10000);
        anchor_ = trace.write(directory_.path());
    }
    Experiment of(double from, double to) const {
        return analyzeRange(anchor_, analyzer::RunRange{from, to});
    }

    TemporaryDirectory directory_;
    std::filesystem::path anchor_;
};

TEST_F(Range, time_isThatOfTheRange) {
    const Experiment part = of(1, 4);
    EXPECT_NEAR(total(part, "time"), 6.0, 1e-9);
    EXPECT_NEAR(total(part, "mpi_latesender"), 2.0, 1e-9) << "from 2 to 4";
    EXPECT_NEAR(severity(part, "time", "main", algebra::LocationId(1)), 1.0, 1e-9);
}

TEST_F(Range, messages_countWhereTheirEventsAre) {
    const Experiment first = of(0, 7.5);
    EXPECT_EQ(total(first, "bytes_sent"), 16.0);
    EXPECT_EQ(total(first, "comms_recv"), 1.0);
    EXPECT_EQ(total(of(7.5, 10), "bytes_sent"), 8.0);
    EXPECT_EQ(total(of(1, 2), "bytes_sent"), 0.0);
}

/// MPI_Probe returns at 7 s, whatever part is looked at.
TEST_F(Range, callsThatGoOnAtItsEnd_didReturn) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").call(2000, 7000, "MPI_Probe").leave(10000);
    trace.on(0).record([time = trace.timestamp(10000)](OTF2_EvtWriter* out) {
        return OTF2_EvtWriter_ProgramEnd(out, nullptr, time, 3);
    });
    const TemporaryDirectory directory;
    const Experiment part = analyzeRange(trace.write(directory.path()), analyzer::RunRange{0, 5});
    EXPECT_FALSE(part.findMetric("unfinished_calls"));
}

/// As the metrics have them: the matrix of a range had the messages of the whole run.
TEST_F(Range, communicationMatrix_hasTheMessagesOfTheRange) {
    const auto traffic = algebra::communicationOf(of(7.5, 10));
    ASSERT_EQ(traffic.size(), 1U);
    EXPECT_EQ(traffic[0].messages, 1);
    EXPECT_EQ(traffic[0].bytes, 8);
    EXPECT_EQ(algebra::communicationOf(of(0, 10))[0].bytes, 24);
    const auto waiting = algebra::communicationOf(of(3, 5));
    ASSERT_EQ(waiting.size(), 1U);
    EXPECT_EQ(waiting[0].messages, 0);
    EXPECT_NEAR(waiting[0].lateSender, 2.0, 1e-9);
    EXPECT_TRUE(algebra::communicationOf(of(1, 1.5)).empty());
}

TEST_F(Range, communicationMatrix_hasTheOneSidedBytesOfTheRange) {
    TemporaryDirectory directory;
    TraceBuilder trace(2);
    const auto window = trace.window();
    trace.region("MPI_Put", {OTF2_PARADIGM_MPI, OTF2_REGION_ROLE_RMA, "MPI"});
    for (unsigned rank = 0; rank < 2; ++rank) trace.on(rank).enter(0, "main");
    for (const Tick begin : {1000, 6000}) {
        const auto time = trace.timestamp(begin);
        trace.on(0)
            .enter(begin, "MPI_Put")
            .record([=](auto* out) {
                return OTF2_EvtWriter_RmaPut(out, nullptr, time, window, 1, 10 + begin, 1);
            })
            .leave(begin + 10);
    }
    for (unsigned rank = 0; rank < 2; ++rank) trace.on(rank).leave(9000);
    const Experiment part = analyzeRange(trace.write(directory.path()), analyzer::RunRange{5, 9});
    EXPECT_EQ(total(part, "bytes_put"), 6010);
    ASSERT_EQ(algebra::communicationOf(part).size(), 1U);
    EXPECT_EQ(algebra::communicationOf(part)[0].put, 6010);
}

TEST_F(Range, visits_areThoseThatBeganThere_andWhatWasOpen) {
    EXPECT_EQ(severity(of(0, 5), "visits", "main", algebra::LocationId(0)), 1.0);
    EXPECT_EQ(severity(of(3, 5), "visits", "main", algebra::LocationId(0)), 1.0)
        << "no event is in the range";
    EXPECT_EQ(severity(of(3, 5), "visits", "main/MPI_Recv", algebra::LocationId(1)), 1.0);
    EXPECT_EQ(severity(of(7.5, 10), "visits", "main/MPI_Recv", algebra::LocationId(1)), 1.0);
    EXPECT_EQ(severity(of(0, 10), "visits", "main/MPI_Recv", algebra::LocationId(1)), 2.0);
}

TEST_F(Range, rangeOutsideOfTheRun_isRefused) {
    EXPECT_THROW(of(11, 12), Error);
    EXPECT_THROW(of(3, 3), Error);
    EXPECT_THROW(of(-2, -1), Error);
    EXPECT_NO_THROW(of(-1, 100));
}

TEST_F(Range, experiment_saysWhichRangeItIs) {
    const Experiment part = of(1, 4);
    const auto& attributes = part.attributes;
    const auto said = std::find_if(attributes.begin(), attributes.end(), [](const auto& attribute) {
        return attribute.first == analyzer::kRangeName;
    });
    ASSERT_NE(said, attributes.end());
    EXPECT_EQ(said->second, "1 4");
    EXPECT_EQ(algebra::partOfRun(part), "1 s to 4 s");
    EXPECT_EQ(algebra::firstToKnow(part).at(0), "Only a part of the run, 1 s to 4 s");
}

/// Not: visits that go on from part to part, what is compared with a mean, the usual or the longest, and the
/// critical path: that of a part is the one that the part has alone.
bool isSum(const Experiment& experiment, algebra::MetricId id) {
    static const std::set<std::string> kOthers{"visits", "critical_path_activities",
                                               "non_critical_path_activities",
                                               "performance_impact_criticalpath"};
    const algebra::Metric& metric = experiment.metrics[id];
    const bool counts = metric.unit == "occ" || metric.unit == "bytes" || metric.unit == "sec";
    return counts && !kOthers.contains(metric.uniqueName) &&
           metric.uniqueName.find("unexplained") == std::string::npos &&
           metric.uniqueName.find("imbalance") == std::string::npos;
}

TEST(RangeLaw, parts_makeTheWhole) {
    const TemporaryDirectory directory;
    const KnownTrace known = writeKnownTrace(directory.path(), {.processes = 4, .threads = 2, .rounds = 3});
    const Experiment whole = analyzeRange(known.anchor, std::nullopt);
    const double length = total(whole, "time") / 8.0;
    const double all = 10.0 * length + 1.0;
    std::vector<Experiment> parts;
    const std::vector<double> ends{0.0, 0.17 * length, 0.5 * length, 0.81 * length, all};
    for (std::size_t i = 0; i + 1 < ends.size(); ++i)
        parts.push_back(analyzeRange(known.anchor, analyzer::RunRange{ends[i], ends[i + 1]}, 3));
    for (const algebra::MetricId id : whole.metrics.ids()) {
        if (!isSum(whole, id)) continue;
        const std::string& name = whole.metrics[id].uniqueName;
        double sum = 0;
        for (const Experiment& part : parts) sum += total(part, name);
        EXPECT_NEAR(sum, total(whole, name), 1e-9 * std::abs(sum) + 1e-9) << name;
    }
}

TEST(RangeLaw, theWholeRunAsARange_isTheWhole) {
    const TemporaryDirectory directory;
    const KnownTrace known = writeKnownTrace(directory.path(), {.processes = 2, .threads = 2, .rounds = 2});
    const Experiment whole = analyzeRange(known.anchor, std::nullopt);
    const Experiment range = analyzeRange(known.anchor, analyzer::RunRange{0, 1e9});
    for (const algebra::MetricId id : whole.metrics.ids())
        EXPECT_EQ(total(range, whole.metrics[id].uniqueName), total(whole, whole.metrics[id].uniqueName))
            << whole.metrics[id].uniqueName;
}

void makeLevels(const std::filesystem::path& anchor) {
    analyzer::timeline::buildLevels(anchor, analyzer::trace::readDefinitions(anchor),
                                    analyzer::timeline::levelsFile(anchor),
                                    {.threads = 2, .progress = {}, .stopped = nullptr});
}

/// Ranges at the start, in the middle, at the end, short and long, with and without the levels of detail.
void expectSameWithLevels(const std::filesystem::path& anchor, double length) {
    const std::vector<analyzer::RunRange> ranges{{0, 0.1 * length},
                                                 {0.4 * length, 0.41 * length},
                                                 {0.3 * length, 0.8 * length},
                                                 {0.9 * length, 2 * length}};
    std::vector<Experiment> whole;
    for (const analyzer::RunRange& range : ranges) whole.push_back(analyzeRange(anchor, range));
    makeLevels(anchor);
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        SCOPED_TRACE(i);
        expectEqual(whole[i], analyzeRange(anchor, ranges[i], 2));
    }
}

TEST(RangeLaw, whatIsPassedOver_changesNoNumber) {
    const TemporaryDirectory directory;
    const auto anchor = writeLargeTrace(
        directory.path(),
        {.processes = 3, .rounds = 6, .callsPerRound = 2500, .threads = 2, .parallelsPerRound = 2});
    const double length = total(analyzeRange(anchor, std::nullopt), "time") / 6.0;
    expectSameWithLevels(anchor, length);
}

TEST(RangeLaw, levelsWithoutAnythingToPassOver_changeNoNumber) {
    const TemporaryDirectory directory;
    const KnownTrace known = writeKnownTrace(directory.path(), {.processes = 3, .threads = 2, .rounds = 2});
    const double length = total(analyzeRange(known.anchor, std::nullopt), "time") / 6.0;
    expectSameWithLevels(known.anchor, length);
}

/// Calls in an explicit task are quiet, but cannot be passed over: what had been left out is read then.
TEST(RangeLaw, callsInTasks_changeNoNumber) {
    const TemporaryDirectory directory;
    TraceBuilder trace(1, 2);
    Tick now = 1;
    const auto calls = [&] {
        for (unsigned i = 0; i < 500; ++i, now += 2) trace.on(0).call(now, now + 1, i % 7 == 0 ? "f" : "g");
    };
    trace.on(0).enter(0, "main");
    calls();
    for (std::uint32_t task = 1; task <= 3; ++task) {
        trace.on(0).switchTask(now, task);
        calls();
        trace.on(0).completeTask(now, task);
        calls();
    }
    trace.on(0).leave(now);
    const auto anchor = trace.write(directory.path());
    expectSameWithLevels(anchor, static_cast<double>(now) / 1000);
}

/// A message in the middle of 1,000 calls.
TEST(RangeLaw, quietCalls_areThoseBetweenOtherEvents) {
    const TemporaryDirectory directory;
    TraceBuilder builder(2);
    builder.on(0).enter(0, "main");
    Tick now = 1;
    const auto work = [&](unsigned calls) {
        for (unsigned i = 0; i < calls; ++i, now += 2)
            builder.on(0).enter(now, i % 7 == 0 ? "solve" : "work").leave(now + 1);
    };
    work(500);
    builder.on(0).enter(now, "step");
    builder.on(0).send(now + 1, now + 2, {.peer = 1});
    now += 3;
    work(500);
    builder.on(0).send(now, now + 1, {.peer = 1}).leave(now + 1).leave(now + 1);
    builder.on(1).enter(0, "main").recv(1, now, {.peer = 0}).recv(now, now + 1, {.peer = 0}).leave(now + 1);
    const auto anchor = builder.write(directory.path());
    makeLevels(anchor);
    const auto definitions = analyzer::trace::readDefinitions(anchor);
    const analyzer::timeline::Levels levels(analyzer::timeline::levelsFile(anchor), anchor, definitions);
    const auto quiet = levels.quiet(0);
    ASSERT_EQ(quiet.size(), 2U);
    EXPECT_LT(quiet[0].end, quiet[1].first);
    EXPECT_GE(quiet[0].end - quiet[0].first, 1000U);
    EXPECT_GE(quiet[1].before, quiet[0].latest);
    ASSERT_TRUE(quiet[0].place && quiet[1].place);
    EXPECT_LT(quiet[0].place->begin, quiet[0].place->end);
    EXPECT_LT(quiet[0].place->end, quiet[1].place->begin);
    EXPECT_TRUE(levels.quiet(1).empty());
}

/// All that the levels tell of a location, or nothing where they are damaged.
std::optional<std::vector<std::uint64_t>> quietIn(const std::filesystem::path& anchor,
                                                  const analyzer::trace::Definitions& definitions) try {
    std::vector<std::uint64_t> told;
    const auto tell = [&told](const std::vector<analyzer::trace::RegionId>& regions) {
        for (const auto region : regions) told.push_back(region.index());
    };
    const analyzer::timeline::Levels levels(analyzer::timeline::levelsFile(anchor), anchor, definitions);
    for (const analyzer::trace::QuietCalls& calls : levels.quiet(0)) {
        told.insert(told.end(), {calls.first, calls.end, static_cast<std::uint64_t>(calls.before),
                                 static_cast<std::uint64_t>(calls.latest), calls.met.size()});
        tell(calls.left);
        tell(calls.entered);
        for (const auto& path : calls.met) tell(path.regions);
        if (calls.place) told.insert(told.end(), {calls.place->begin, calls.place->end, calls.place->time});
    }
    return told;
} catch (const Error&) {
    return std::nullopt;
}

TEST(RangeLaw, damagedLevels_tellNothingWrong) {
    const TemporaryDirectory directory;
    const auto anchor = writeLargeTrace(directory.path(),
                                        {.processes = 2, .rounds = 2, .callsPerRound = 400, .callPaths = 40});
    const double length = total(analyzeRange(anchor, std::nullopt), "time") / 2.0;
    const analyzer::RunRange range{0.8 * length, 0.9 * length};
    const Experiment expected = analyzeRange(anchor, range);
    makeLevels(anchor);
    const auto definitions = analyzer::trace::readDefinitions(anchor);
    const auto levels = analyzer::timeline::levelsFile(anchor);
    const std::string bytes = readText(levels, 1U << 24U, "levels of detail");
    const auto whole = quietIn(anchor, definitions);
    ASSERT_TRUE(whole && !whole->empty());
    std::fstream file(levels, std::ios::binary | std::ios::in | std::ios::out);
    const auto put = [&file](std::size_t at, char byte) {
        file.seekp(static_cast<std::streamoff>(at)).put(byte).flush();
    };
    std::size_t noticed = 0;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        put(at, static_cast<char>(bytes[at] ^ 0x11));
        const auto told = quietIn(anchor, definitions);
        ASSERT_EQ(told.value_or(*whole), *whole) << at;
        if (!told && ++noticed % 100 == 0) expectEqual(expected, analyzeRange(anchor, range));
        put(at, bytes[at]);
    }
    EXPECT_GE(noticed, 100U) << "and then the trace is read in whole";
}

}  // namespace
}  // namespace holos::testing

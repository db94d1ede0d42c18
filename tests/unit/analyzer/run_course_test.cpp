// SPDX-License-Identifier: BSD-3-Clause
// The course of a run beside its trace: waits, collective operations and the critical path, where they are.
#include <gtest/gtest.h>

#include <fstream>
#include <numeric>
#include <random>

#include "algebra/model/queries.h"
#include "analyzer/analyze.h"
#include "analyzer/timeline/course.h"
#include "analyzer/trace/anchor.h"
#include "analyzer/trace/definitions_reader.h"
#include "base/error.h"
#include "tests/support/barrier_trace.h"
#include "tests/support/large_trace.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

namespace trace = analyzer::trace;
namespace timeline = analyzer::timeline;
using timeline::CourseMark;
using timeline::kNobody;
using timeline::MarkKind;
using trace::Ticks;

constexpr std::size_t kAll = 1U << 20U;

class RunCourse : public ::testing::Test {
  protected:
    void analyze(const TraceBuilder& builder) {
        anchor_ = builder.write(directory_.path());
        definitions_ = trace::readDefinitions(anchor_);
        analyzer::AnalysisOptions options;
        options.course = file();
        analyzer::analyze(directory_.path(), options);
    }
    std::filesystem::path file() const { return timeline::courseFile(anchor_); }
    timeline::Course open() const { return {file(), anchor_, definitions_}; }
    std::vector<CourseMark> marks(MarkKind kind) const {
        return open().marks(kind, 0, static_cast<Ticks>(definitions_.clock.length) + 1, 0, kAll).marks;
    }
    Ticks sumOf(const char* name, std::size_t location) const {
        const timeline::Course course = open();
        const auto known = course.nameOf(name);
        if (!known) return 0;
        const auto sums = course.sums(*known, {0, location}, 0);
        return std::accumulate(sums.begin(), sums.end(), Ticks{0});
    }

    TemporaryDirectory directory_;
    std::filesystem::path anchor_;
    trace::Definitions definitions_;
};

/// Rank 1 waits for rank 0's message and then works on; it is the last to finalize.
void lateMessage(TraceBuilder& trace) {
    trace.on(0).enter(0, "main").call(1, 8, "work").send(8, 9, {.peer = 1});
    trace.on(0).call(10, 12, "MPI_Finalize").leave(12);
    trace.on(1).enter(0, "main").call(1, 2, "work").recv(2, 9, {.peer = 0}).call(9, 11, "rest");
    trace.on(1).call(11, 12, "MPI_Finalize").leave(12);
}

TEST_F(RunCourse, criticalPath_isWhereItIsInTime) {
    TraceBuilder trace(2);
    lateMessage(trace);
    analyze(trace);
    const auto path = marks(MarkKind::Path);
    ASSERT_EQ(path.size(), 2U);
    EXPECT_EQ(path[0], (CourseMark{MarkKind::Path, path[0].name, 0, 1, 0, 0, 8}));
    EXPECT_EQ(path[1], (CourseMark{MarkKind::Path, path[0].name, 1, kNobody, 0, 8, 11}));
    EXPECT_EQ(sumOf("critical_path", 0), 8);
    EXPECT_EQ(sumOf("critical_path", 1), 3);
}

TEST_F(RunCourse, wait_hasItsCauserAndEndsWhenItComes) {
    TraceBuilder trace(2);
    lateMessage(trace);
    analyze(trace);
    const auto waits = marks(MarkKind::Wait);
    const timeline::Course course = open();
    const auto late = std::find_if(waits.begin(), waits.end(), [&](const CourseMark& mark) {
        return course.names()[mark.name] == "mpi_latesender";
    });
    ASSERT_NE(late, waits.end());
    EXPECT_EQ(*late, (CourseMark{MarkKind::Wait, late->name, 1, 0, 0, 2, 8}));
    EXPECT_EQ(sumOf("mpi_latesender", 1), 6);
    EXPECT_EQ(sumOf("mpi_latesender", 0), 0);
}

TEST_F(RunCourse, delay_costsWhileItArises) {
    TraceBuilder trace(2);
    lateMessage(trace);
    analyze(trace);
    EXPECT_EQ(sumOf("delay_latesender_aggregate", 0), 6) << "rank 0 worked until 8, rank 1 until 2";
    EXPECT_EQ(sumOf("delay_latesender_aggregate", 1), 0);
    EXPECT_EQ(sumOf("delay", 0), 6);
    const timeline::Course course = open();
    const auto sums = course.sums(course.nameOf("delay").value(), {0, 0}, 0);
    for (std::size_t bin = course.grid().binAt(0, 8); bin < sums.size(); ++bin)
        EXPECT_EQ(sums[bin], 0) << "after the message";
}

TEST_F(RunCourse, delays_areThoseOfTheExperiment) {
    LargeTraceShape shape;
    shape.processes = 6;
    shape.threads = 2;
    shape.rounds = 5;
    shape.callsPerRound = 40;
    shape.parallelsPerRound = 2;
    writeLargeTrace(directory_.path(), shape);
    anchor_ = trace::findAnchor(directory_.path());
    definitions_ = trace::readDefinitions(anchor_);
    analyzer::AnalysisOptions options;
    options.course = file();
    const algebra::Experiment experiment = analyzer::analyze(anchor_, options).experiment;
    const auto metric = experiment.findMetric("delay");
    ASSERT_TRUE(metric);
    const std::vector<double> seconds = algebra::perLocation(experiment, {*metric}, holos::kAll);
    ASSERT_GT(*std::max_element(seconds.begin(), seconds.end()), 0.0);
    for (std::size_t at = 0; at < seconds.size(); ++at) {
        const auto ticks = static_cast<double>(sumOf("delay", at));
        const double expected = seconds[at] * static_cast<double>(definitions_.clock.ticksPerSecond);
        EXPECT_NEAR(ticks, expected, 1e-3 * expected + 1000.0) << "each cost is rounded to a tick";
    }
}

TEST_F(RunCourse, operation_spansItsMembersAndKnowsWhoCameLast) {
    TraceBuilder trace(3);
    for (unsigned rank = 0; rank < 3; ++rank)
        trace.on(rank).enter(0, "main").barrier(2 + 3 * ((rank + 1) % 3), 10).leave(12);
    analyze(trace);
    const auto operations = marks(MarkKind::Operation);
    ASSERT_EQ(operations.size(), 1U);
    EXPECT_EQ(open().names()[operations[0].name], "MPI_Barrier");
    EXPECT_EQ(operations[0], (CourseMark{MarkKind::Operation, operations[0].name, 0, 2, 3, 2, 10}));
    const auto parts = marks(MarkKind::Part);
    ASSERT_EQ(parts.size(), 3U);
    EXPECT_EQ(parts[0], (CourseMark{MarkKind::Part, operations[0].name, 2, 1, parts[1].group, 2, 10}));
    EXPECT_EQ(parts[2].location, 1U);
    EXPECT_EQ(parts[2].begin, 8);
}

TEST_F(RunCourse, criticalPathOfThreads_goesThroughTheLastOne) {
    TraceBuilder trace(1, 2);
    tellSlowThread(trace);
    analyze(trace);
    EXPECT_EQ(sumOf("critical_path", 1), 7);
    EXPECT_EQ(sumOf("critical_path", 0), 6);
    bool isOnWorker = false;
    for (const CourseMark& part : marks(MarkKind::Path))
        isOnWorker |= part.location == 1 && part.begin == 1 && part.end == 8 && part.other == 0;
    EXPECT_TRUE(isOnWorker);
}

TEST_F(RunCourse, nobodyWaits_onlyThePathIsThere) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").leave(9);
    analyze(trace);
    EXPECT_TRUE(marks(MarkKind::Wait).empty());
    EXPECT_TRUE(marks(MarkKind::Operation).empty());
    EXPECT_EQ(sumOf("critical_path", 0), 9);
}

/// Random marks, and what a picture of any part of the run asks for.
class CourseFile : public RunCourse {
  protected:
    static constexpr Ticks kLength = 100000;
    static constexpr std::size_t kLocations = 5;

    CourseFile() {
        TraceBuilder builder(kLocations);
        for (unsigned rank = 0; rank < kLocations; ++rank) builder.on(rank).enter(0, "main").leave(kLength);
        anchor_ = builder.write(directory_.path());
        definitions_ = trace::readDefinitions(anchor_);
        timeline::CourseWriter writer(definitions_);
        std::minstd_rand random(7);
        name_ = writer.nameOf("some_wait");
        for (int i = 0; i < 5000; ++i) {
            const Ticks begin = random() % (kLength - 9000);
            const Ticks end = begin + 1 + (Ticks{1} << random() % 14U);
            const auto location = static_cast<std::uint32_t>(random() % kLocations);
            all_.push_back({MarkKind::Wait, name_, location, kNobody, 0, begin, end});
            writer.add(all_.back());
            writer.book(name_, location, all_.back().begin, all_.back().end);
        }
        writer.write(file());
    }

    std::uint32_t name_ = 0;
    std::vector<CourseMark> all_;
};

TEST_F(CourseFile, marksInAWindow_areAllThatReachIntoIt) {
    const timeline::Course course = open();
    for (const auto& [from, to] : {std::pair<Ticks, Ticks>{0, kLength}, {500, 501}, {90000, kLength}}) {
        const auto told = course.marks(MarkKind::Wait, from, to, 0, kAll);
        EXPECT_FALSE(told.isCut);
        const auto expected =
            std::count_if(all_.begin(), all_.end(), [begin = from, end = to](const CourseMark& mark) {
                return mark.begin < end && mark.end > begin;
            });
        EXPECT_EQ(static_cast<std::ptrdiff_t>(told.marks.size()), expected);
    }
}

TEST_F(CourseFile, tooManyMarks_theLongestAreTold) {
    const timeline::Course course = open();
    const auto told = course.marks(MarkKind::Wait, 0, kLength, 0, 1000);
    EXPECT_TRUE(told.isCut);
    ASSERT_FALSE(told.marks.empty());
    EXPECT_LE(told.marks.size(), 2100U);
    const auto shortest = std::min_element(
        told.marks.begin(), told.marks.end(),
        [](const CourseMark& a, const CourseMark& b) { return a.end - a.begin < b.end - b.begin; });
    EXPECT_GT(shortest->end - shortest->begin, 512);
    const auto longOnes = course.marks(MarkKind::Wait, 0, kLength, 4096, kAll).marks;
    const auto expected = std::count_if(all_.begin(), all_.end(),
                                        [](const CourseMark& mark) { return mark.end - mark.begin >= 4096; });
    EXPECT_GE(static_cast<std::ptrdiff_t>(longOnes.size()), expected);
}

TEST_F(CourseFile, sums_areThoseOfTheMarksAtEveryLevelAndRow) {
    const timeline::Course course = open();
    for (unsigned rowLevel = 0; rowLevel <= 3; ++rowLevel)
        for (std::size_t row = 0; row < timeline::rowsOf(kLocations, rowLevel); ++row) {
            Ticks expected = 0;
            for (const CourseMark& mark : all_)
                if (mark.location >> rowLevel == row) expected += mark.end - mark.begin;
            for (unsigned level = 0; level < course.grid().levels(); level += 3) {
                const auto sums = course.sums(name_, {rowLevel, row}, level);
                EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), Ticks{0}), expected);
            }
        }
}

TEST_F(CourseFile, anyByteChanged_isToldOrChangesNothing) {
    std::string bytes;
    {
        std::ifstream stream(file(), std::ios::binary);
        bytes.assign(std::istreambuf_iterator<char>(stream), {});
    }
    const auto read = [&] {
        const timeline::Course course = open();
        auto told = course.marks(MarkKind::Wait, 0, kLength, 0, kAll).marks;
        const auto sums = course.sums(name_, {0, 1}, 2);
        return std::pair(told, sums);
    };
    const auto before = read();
    for (std::size_t at = 0; at < bytes.size(); at += 397) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(changed[at] ^ 0x5A);
        std::ofstream(file(), std::ios::binary) << changed;
        try {
            EXPECT_EQ(read(), before) << at;
        } catch (const Error& error) {
            EXPECT_FALSE(error.place().file.empty());
        }
    }
    for (std::size_t size = 0; size < bytes.size(); size += 16411) {
        std::ofstream(file(), std::ios::binary) << bytes.substr(0, size);
        EXPECT_THROW(read(), Error) << size;
    }
}

TEST_F(CourseFile, ofAnotherTrace_isRefused) {
    trace::Definitions other = definitions_;
    other.clock.length += 1;
    EXPECT_THROW(timeline::Course(file(), anchor_, other), Error);
}

}  // namespace
}  // namespace holos::testing

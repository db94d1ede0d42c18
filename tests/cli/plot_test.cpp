// SPDX-License-Identifier: BSD-3-Clause
// holos plot: metrics of a trace over time, as text, table and picture.
#include <gmock/gmock.h>

#include <fstream>

#include "tests/cli/command_test.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Words = std::vector<std::string>;

/// Two ranks for a second: both send 100 bytes in the first half, only rank 0 another 300 in the second; rank
/// 0 becomes warmer. A tick is a thousandth of a second.
class Plot : public CommandTest {
  protected:
    Plot() {
        TraceBuilder builder(2);
        const auto bytes = builder.counters({{"sent", "bytes"}});
        const auto heat = builder.counters({{"heat", "degC", OTF2_METRIC_ABSOLUTE_POINT}});
        builder.on(0).enter(0, "main").counters(0, bytes, {0}).counters(0, heat, {40}).enter(1, "<work>");
        builder.on(0).counters(500, bytes, {100}).counters(500, heat, {60}).leave(750);
        builder.on(0).counters(1000, bytes, {400}).leave(1000);
        builder.on(1).enter(0, "main").counters(0, bytes, {0}).counters(500, bytes, {100});
        builder.on(1).counters(1000, bytes, {100}).leave(1000);
        builder.write(folder_.path());
    }

    CommandResult plot(const Words& options) const {
        return holos(Words{"plot", folder_.path().string()} + options);
    }
    std::string fileFrom(const std::string& name, const Words& options) const {
        const auto result = plot(options + Words{"-o", file(name)});
        EXPECT_EQ(result.exitCode, 0) << result.output;
        return contentOf(file(name));
    }
};

TEST_F(Plot, text_hasALineForEachLocationAndWhatItDid) {
    const auto result = plot({"--parts", "4"});
    EXPECT_EQ(result.exitCode, 0) << result.output;
    EXPECT_THAT(result.output,
                AllOf(HasSubstr("0.000 s to 1.000 s, 4 parts of 0.25 s\n"), HasSubstr("  bbba\n"),
                      HasSubstr("  aaaa\n"), HasSubstr("  a main (100 %), b <work> (100 %)\n"),
                      HasSubstr("sent [bytes/s]\n"), HasSubstr("  ▃▃██  200 to 600, mean 400\n"),
                      HasSubstr("  ▃▃▁▁  0 to 200, mean 100\n"), HasSubstr("  ▁▁██  40 to 60, mean 50\n")));
}

TEST_F(Plot, constantValue_isAFlatLineWhateverItsMeansRoundTo) {
    const TemporaryDirectory directory;
    TraceBuilder builder(1);
    const auto level = builder.counters({{"level", "kB", OTF2_METRIC_ABSOLUTE_POINT, -1}});
    builder.on(0).enter(0, "main");
    for (const Tick tick : {0U, 111U, 345U, 678U, 901U}) builder.on(0).counters(tick, level, {2581361});
    builder.on(0).leave(1000);
    builder.write(directory.path());
    const auto result =
        runCommand({HOLOS_PROGRAM, "plot", directory.path().string(), "--parts", "7", "--metric", "level"});
    EXPECT_THAT(result.output, HasSubstr("  ▄▄▄▄▄▄▄  258k to 258k"));
}

TEST_F(Plot, csv_hasARowForEachPart) {
    const std::string text = fileFrom("plot.csv", {"--parts", "2", "--metric", "heat"});
    EXPECT_THAT(text, AllOf(HasSubstr("metric,unit,location,time,value\nheat,degC,"), HasSubstr(",0,40\n"),
                            HasSubstr(",0.5,60\n"), Not(HasSubstr("sent"))));
}

TEST_F(Plot, sum_addsUpWhatGrows) {
    const std::string text = fileFrom("plot.csv", {"--parts", "2", "--sum"});
    EXPECT_THAT(text,
                AllOf(HasSubstr("sent,bytes/s,all locations,0,400\nsent,bytes/s,all locations,0.5,600\n"),
                      HasSubstr(",0.5,60\n")));
}

TEST_F(Plot, partOfTheTime_isAsLongAsAsked) {
    EXPECT_THAT(fileFrom("plot.csv", {"--from", "0.5", "--to", "0.75", "--parts", "1", "--metric", "sent"}),
                AllOf(HasSubstr(",0.5,600\n"), HasSubstr(",0.5,0\n")));
    const auto outside = plot({"--from", "2"});
    EXPECT_EQ(outside.exitCode, 2);
    EXPECT_THAT(outside.output, HasSubstr("from 2 s on is no part of the run, which takes 1 s"));
    EXPECT_EQ(plot({"--from", "1e300"}).exitCode, 2);
    EXPECT_EQ(fileFrom("long.csv", {"--to", "1e300"}), fileFrom("whole.csv", {}));
}

TEST_F(Plot, picture_needsNothingElseAndEscapesNames) {
    const std::string picture = fileFrom("plot.svg", {});
    EXPECT_THAT(picture,
                AllOf(HasSubstr("<svg xmlns=\"http://www.w3.org/2000/svg\""), HasSubstr("&lt;work&gt;"),
                      Not(HasSubstr("<work>")), HasSubstr(">sent</tspan> bytes/s"), HasSubstr(">600<"),
                      Not(HasSubstr("nan"))));
}

TEST_F(Plot, whatIsWrong_isSaid) {
    const auto unknown = plot({"--metric", "heet"});
    EXPECT_EQ(unknown.exitCode, 2);
    EXPECT_THAT(unknown.output, HasSubstr("did you mean 'heat'?"));
    EXPECT_EQ(plot({"-o", "plot.png"}).exitCode, 2);
    EXPECT_EQ(plot({"--parts", "0"}).exitCode, 2);
    EXPECT_EQ(runCommand({HOLOS_PROGRAM, "plot", "/nowhere"}).exitCode, 1);
}

/// A call of 5 ms in each tenth of a second; no function encloses them.
TEST(PlotOfATrace, shortCallsAmongComputation_areNotWhatTheProgramDoes) {
    const TemporaryDirectory directory;
    TraceBuilder builder(2);
    const auto level = builder.counters({{"level", "kB", OTF2_METRIC_ABSOLUTE_POINT}});
    builder.on(0).counters(0, level, {1}).barrier(0, 5);
    builder.on(1).barrier(0, 5);
    for (Tick begin = 100; begin <= 1000; begin += 100)
        for (const unsigned rank : {0U, 1U}) builder.on(rank).barrier(begin, begin + 5);
    builder.write(directory.path());
    const auto result = runCommand({HOLOS_PROGRAM, "plot", directory.path().string(), "--parts", "4"});
    EXPECT_THAT(result.output,
                AllOf(HasSubstr("  aaaa\n"), HasSubstr("  a computation (9"), Not(HasSubstr("MPI_Barrier"))));
}

/// The level of each of 20 ranks is its number.
class PlotOfManyRanks : public CommandTest {
  protected:
    PlotOfManyRanks() {
        TraceBuilder builder(20);
        const auto level = builder.counters({{"level", "kB", OTF2_METRIC_ABSOLUTE_POINT}});
        for (unsigned rank = 0; rank < 20; ++rank)
            builder.on(rank).enter(0, "main").counters(0, level, {rank}).leave(10);
        builder.write(folder_.path());
    }
    CommandResult plot(const Words& options) const {
        return holos(Words{"plot", folder_.path().string(), "--parts", "1"} + options);
    }
};

TEST_F(PlotOfManyRanks, text_hasTheirSpreadAndWhoIsAtItsEnds) {
    const auto result = plot({});
    EXPECT_THAT(
        result.output,
        AllOf(HasSubstr("maximum"), HasSubstr("upper quartile"), HasSubstr("14.25 to 14.25, mean 14.25"),
              HasSubstr("over 20 locations in each part; highest mean: MPI Rank 19 / Master thread (19), "
                        "lowest: MPI Rank 0 / Master thread (0)\n"),
              HasSubstr("  (the first 16 of 20 processes)\n  a main (100 %)\n"),
              Not(HasSubstr("MPI Rank 7 / "))));
}

TEST_F(PlotOfManyRanks, csv_hasTheirSpread) {
    const std::string name = file("plot.csv");
    ASSERT_EQ(plot({"-o", name}).exitCode, 0);
    EXPECT_EQ(contentOf(name),
              "metric,unit,location,time,value\n"
              "level,kB,maximum of 20 locations,0,19\n"
              "level,kB,upper quartile of 20 locations,0,14.25\n"
              "level,kB,median of 20 locations,0,9.5\n"
              "level,kB,lower quartile of 20 locations,0,4.75\n"
              "level,kB,minimum of 20 locations,0,0\n"
              "level,kB,mean of 20 locations,0,9.5\n");
}

TEST_F(PlotOfManyRanks, picture_hasBandsInsteadOfLines) {
    const std::string name = file("plot.svg");
    ASSERT_EQ(plot({"-o", name}).exitCode, 0);
    const std::string folded = contentOf(name);
    EXPECT_THAT(folded, AllOf(HasSubstr("minimum to maximum of 20 locations"), HasSubstr("fill-opacity")));
    ASSERT_EQ(plot({"-o", name, "--each-location"}).exitCode, 0);
    EXPECT_THAT(contentOf(name), AllOf(HasSubstr("20 locations"), Not(HasSubstr("fill-opacity"))));
}

TEST_F(PlotOfManyRanks, eachLocation_hasItsLineOnRequest) {
    const auto result = plot({"--each-location"});
    EXPECT_THAT(result.output, AllOf(HasSubstr("MPI Rank 7 / "), Not(HasSubstr("quartile"))));
}

TEST(PlotOfATrace, longNamesOfFunctions_areFolded) {
    const std::string full =
        "void std::vector<std::pair<int, double>, std::allocator<std::pair<int, double> > "
        ">::_M_realloc_insert<int>(int const&)";
    const TemporaryDirectory directory;
    TraceBuilder builder(1);
    const auto level = builder.counters({{"level", "kB", OTF2_METRIC_ABSOLUTE_POINT}});
    builder.on(0).enter(0, full).counters(0, level, {1}).counters(10, level, {1}).leave(10);
    builder.write(directory.path());
    const Words plot{HOLOS_PROGRAM, "plot", directory.path().string()};
    EXPECT_THAT(runCommand(plot).output, HasSubstr("  a std::vector<…>::_M_realloc_insert<…> (100 %)"));
    EXPECT_THAT(runCommand(plot + Words{"--full-names"}).output, HasSubstr("  a " + full + " (100 %)"));
}

TEST(PlotOfATrace, withoutMetrics_saysWhatRecordsThem) {
    const TemporaryDirectory directory;
    TraceBuilder builder(1);
    builder.on(0).enter(0, "main").leave(10);
    builder.write(directory.path());
    const auto result = runCommand({HOLOS_PROGRAM, "plot", directory.path().string()});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, HasSubstr("has no metrics; holos record --counters"));
}

}  // namespace
}  // namespace holos::testing

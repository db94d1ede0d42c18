// SPDX-License-Identifier: BSD-3-Clause
// holos show: the summary of a run in plain words
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/cli/command_test.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Four processes work and meet, eight times; rank 2 takes three times as long as the others.
class ShowSummary : public CommandTest {
  protected:
    ShowSummary() {
        TraceBuilder trace(4);
        for (unsigned rank = 0; rank < 4; ++rank) {
            auto& events = trace.on(rank).enter(0, "main");
            for (Tick begin = 0; begin < 800; begin += 100)
                events.call(begin, begin + (rank == 2 ? 90 : 30), "solve")
                    .barrier(begin + (rank == 2 ? 90 : 30), begin + 100);
            events.leave(800);
        }
        trace.write(folder_.path());
        EXPECT_EQ(holos({"analyze", folder_.path().string()}).exitCode, 0);
        file_ = file("analysis.cubex");
    }

    std::string file_;
};

TEST_F(ShowSummary, text_saysWhatCostsMostBeforeTheMetrics) {
    const std::string output = holos({"show", file_}).output;
    EXPECT_THAT(output, HasSubstr("Summary\n4 processes ran for 800 ms."));
    EXPECT_THAT(output, HasSubstr("1. One process works longer than the others, and they wait (45.0 % "));
    EXPECT_THAT(output, HasSubstr("   where  main › solve\n"));
    EXPECT_THAT(output, HasSubstr("   who    MPI Rank 2 takes 720 ms, the others 240 ms on average\n"));
    EXPECT_LT(output.find("Summary"), output.find("100.0 %  Time"));
    EXPECT_THAT(holos({"show", file_, "--no-summary"}).output, Not(HasSubstr("Summary")));
    EXPECT_THAT(holos({"show", file_, "--metric", "time"}).output, Not(HasSubstr("Summary")));
}

/// However long the names before them are.
TEST_F(ShowSummary, unit_staysWithItsNumber) {
    const std::regex unitFirst("\n +(%|ms|s)[ .,:;]");
    for (std::size_t length = 1; length < 40; ++length) {
        const std::string longer = file(std::string(length, 'x') + ".cubex");
        std::filesystem::copy_file(file_, longer);
        const auto result = holos({"diff", file_, longer, "-o", file("d" + std::to_string(length))});
        ASSERT_EQ(result.exitCode, 0) << result.output;
        const std::string& output = result.output;
        ASSERT_THAT(output, HasSubstr("800 ms"));
        EXPECT_FALSE(std::regex_search(output, unitFirst)) << output;
    }
}

TEST_F(ShowSummary, json_hasKindPlaceThreadsAndEvidence) {
    const auto whole = nlohmann::json::parse(holos({"show", file_, "--format", "json"}).output);
    const auto& problem = whole.at("summary").at("problems").at(0);
    EXPECT_EQ(problem.at("kind"), "imbalance");
    EXPECT_EQ(problem.at("pattern"), "one");
    EXPECT_EQ(problem.at("callPath"), "main/solve");
    EXPECT_EQ(problem.at("threads"), nlohmann::json({"MPI Rank 2 / Master thread"}));
    EXPECT_NEAR(problem.at("seconds"), 8 * 3 * 0.060, 1e-9);
    EXPECT_EQ(problem.at("evidence").at(0).at("metric"), "delay_barrier_aggregate");
    const auto without =
        nlohmann::json::parse(holos({"show", file_, "--format", "json", "--no-summary"}).output);
    EXPECT_FALSE(without.contains("summary"));
}

TEST_F(ShowSummary, why_printsTheValuesAndHowToSeeThem) {
    const auto result = holos({"show", file_, "--why", "1"});
    EXPECT_EQ(result.exitCode, 0);
    EXPECT_THAT(result.output, HasSubstr("1.440000 sec    waiting of others that this causes\n"));
    EXPECT_THAT(result.output, HasSubstr("holos show " + file_ + " --metric delay_barrier_aggregate\n"));
    EXPECT_EQ(
        nlohmann::json::parse(holos({"show", file_, "--why", "1", "--format", "json"}).output).at("kind"),
        "imbalance");
}

TEST_F(ShowSummary, whyOfNoProblem_saysHowManyThereAre) {
    for (const char* number : {"0", "3"}) {
        const auto result = holos({"show", file_, "--why", number});
        EXPECT_EQ(result.exitCode, 2);
        EXPECT_THAT(result.output, HasSubstr("the summary has 2 problems"));
    }
    EXPECT_EQ(holos({"show", file_, "--why", "1", "--format", "csv"}).exitCode, 2);
    EXPECT_EQ(holos({"show", file_, "--why", "1", "--findings"}).exitCode, 2);
}

TEST_F(ShowSummary, gain_isAnEstimateUntilTheRunIsReplayed) {
    EXPECT_THAT(holos({"show", file_}).output,
                HasSubstr("   gain   perhaps 360 ms of 800 ms (45 %) if that work is shared out, an "));
    const auto problemNow = [this] {
        return nlohmann::json::parse(holos({"show", file_, "--format", "json"}).output)
            .at("summary")
            .at("problems")
            .at(0);
    };
    EXPECT_TRUE(problemNow().at("replayedWith").is_null());
    ASSERT_EQ(holos({"analyze", folder_.path().string(), "--replay"}).exitCode, 0);
    // Each of the eight steps of 90 ms takes the mean of 45 ms then.
    EXPECT_THAT(
        holos({"show", file_}).output,
        HasSubstr("   gain   at most 360 ms of 800 ms (45 %), by a replay with `balance main/solve`\n"));
    EXPECT_EQ(problemNow().at("replayedWith"), "balance main/solve");
    EXPECT_NEAR(problemNow().at("gainAtMost").get<double>(), 0.36, 1e-9);
}

TEST_F(ShowSummary, severalRuns_showWhatRecurs) {
    const std::string output = holos({"show", file_, file_, file_}).output;
    EXPECT_THAT(output, HasSubstr("What recurs\n3 runs of 4 processes with 4 threads in all took 800 ms"));
    EXPECT_THAT(output,
                HasSubstr("1. One process works longer than the others, and they wait: in 3 of 3 runs, "
                          "1.44 s of all threads"));
    EXPECT_THAT(output, HasSubstr("   where  main › solve\n"));
    const auto json = nlohmann::json::parse(holos({"show", file_, file_, "--format", "json"}).output);
    EXPECT_TRUE(json.at("repeats"));
    EXPECT_EQ(json.at("findings").at(0).at("kind"), "imbalance");
    EXPECT_EQ(json.at("findings").at(0).at("in").size(), 2U);
    EXPECT_FALSE(json.at("findings").at(0).at("mayBeChance"));
    EXPECT_EQ(holos({"show", file_, file_, "--metric", "time"}).exitCode, 2);
    EXPECT_EQ(holos({"show", file_, file_, "--format", "csv"}).exitCode, 2);
}

TEST_F(ShowSummary, report_beginsWithIt) {
    const std::string page = file("report.md");
    ASSERT_EQ(holos({"report", file_, "-o", page}).exitCode, 0);
    EXPECT_THAT(contentOf(page), HasSubstr("1. **One process works longer than the others, and they wait**"));
    const std::string html = file("report.html");
    ASSERT_EQ(holos({"report", file_, "-o", html}).exitCode, 0);
    EXPECT_THAT(contentOf(html),
                HasSubstr("<h3>One process works longer than the others, and they wait</h3>"));
}

}  // namespace
}  // namespace holos::testing

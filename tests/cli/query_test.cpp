// SPDX-License-Identifier: BSD-3-Clause
// `holos query`: what it prints, and its exit codes. What the tables hold is tested in tests/unit/query.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/cli/command_test.h"
#include "tests/cli/parquet_rows.h"
#include "tests/support/damage.h"
#include "tests/support/hollow_trace.h"
#include "tests/support/large_trace.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class QueryCommand : public CommandTest {
  protected:
    QueryCommand() {
        TraceBuilder trace(1);
        trace.on(0).enter(0, "main").call(10, 30, "a").call(40, 45, "a").leave(100);
        trace.write(file("run"));
    }
};

TEST_F(QueryCommand, runAlone_listsTablesAndColumns) {
    const auto result = holos({"query", file("run")});
    EXPECT_EQ(result.exitCode, 0);
    EXPECT_THAT(result.output, AllOf(HasSubstr("calls: "), HasSubstr("  duration "), HasSubstr("messages: "),
                                     HasSubstr("severities: ")));
    EXPECT_THAT(holos({"query", file("run"), "--format", "csv"}).output, HasSubstr("calls,region,text,"));
}

TEST_F(QueryCommand, answer_comesAsTextCsvOrJson) {
    const std::string question = "SELECT region, duration, iteration FROM calls WHERE region = 'a'";
    EXPECT_EQ(holos({"query", file("run"), question}).output,
              "region  duration  iteration\na           0.02           \na          0.005           \n");
    EXPECT_EQ(holos({"query", file("run"), question, "--format", "csv"}).output,
              "region,duration,iteration\na,0.02,\na,0.005,\n");
    const auto json =
        nlohmann::json::parse(holos({"query", file("run"), question, "--format", "json"}).output);
    EXPECT_EQ(json["columns"], nlohmann::json({"region", "duration", "iteration"}));
    EXPECT_EQ(json["rows"][1],
              nlohmann::json({{"region", "a"}, {"duration", 0.005}, {"iteration", nullptr}}));
    const auto none = nlohmann::json::parse(
        holos({"query", file("run"), "SELECT 1 x, 2 x LIMIT 0", "--format", "json"}).output);
    EXPECT_EQ(none["columns"], nlohmann::json({"x", "x:2"}));
    EXPECT_TRUE(none["rows"].empty());
}

TEST_F(QueryCommand, parquet_hasTheRowsOfJson) {
    const auto inParquet = [&](const std::string& question) {
        const auto result = runCommand({"sh", "-c", R"("$0" query "$1" "$2" --format parquet >"$3")",
                                        HOLOS_PROGRAM, file("run"), question, file("answer.parquet")});
        return result.exitCode == 0 ? rowsOfParquet(file("answer.parquet"))
                                    : nlohmann::ordered_json(result.output);
    };
    for (const std::string question :
         {"SELECT * FROM calls",
          "SELECT region, iteration, count(*) n, avg(duration) FROM calls GROUP BY 1, 2",
          "SELECT 1 x, NULL, 'a' x UNION ALL SELECT 0.5, NULL, NULL", "SELECT * FROM calls LIMIT 0",
          "SELECT process x FROM calls UNION ALL SELECT 0.5"})
        EXPECT_EQ(inParquet(question),
                  nlohmann::ordered_json::parse(
                      holos({"query", file("run"), question, "--format", "json"}).output)["rows"])
            << question;
    const std::string late =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100001) SELECT ";
    EXPECT_THAT(inParquet(late + "iif(i > 100000, 0.5, i) late FROM n").dump(),
                HasSubstr("CAST(late AS REAL)"));
    EXPECT_EQ(inParquet(late + "CAST(iif(i > 100000, 0.5, i) AS REAL) late FROM n").back()["late"], 0.5);
    EXPECT_EQ(inParquet("SELECT process x FROM calls UNION ALL SELECT 'a'").back()["x"], "a");
    // Of a table's column the kind is known, however late it has something.
    EXPECT_EQ(inParquet("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100001) "
                        "SELECT iteration FROM calls WHERE process < 0 UNION ALL SELECT NULL FROM n "
                        "UNION ALL SELECT 7")
                  .back()["iteration"],
              7);
}

TEST_F(QueryCommand, wrongQuestions_failAndSayWhatToDo) {
    const auto unknown = holos({"query", file("run"), "SELECT * FROM cals"});
    EXPECT_EQ(unknown.exitCode, 2);
    EXPECT_THAT(unknown.output, HasSubstr("did you mean 'calls'?"));
    EXPECT_THAT(holos({"query", file("run"), "SELECT * FROM severities"}).output, HasSubstr("holos analyze"));
    EXPECT_EQ(holos({"query", file("run"), "DROP TABLE calls"}).exitCode, 2);
    EXPECT_THAT(holos({"query", file("nothing")}).output, HasSubstr("no such file"));
}

TEST_F(QueryCommand, damagedTrace_isAnsweredAsFarAsItGoesAndSaysSo) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main");
    for (Tick call = 0; call < 10000; ++call) trace.on(0).call(10 * call + 1, 10 * call + 5, "a");
    trace.on(0).leave(100001);
    trace.write(file("damaged"));
    const std::filesystem::path events = file("damaged") + "/traces/0.evt";
    ASSERT_TRUE(std::filesystem::exists(events));
    truncate(events, std::filesystem::file_size(events) / 2);
    for (const char* question :
         {"SELECT count(*) FROM calls", "SELECT count(*) FROM calls WHERE iteration = 3"}) {
        const auto result = holos({"query", file("damaged"), question});
        EXPECT_EQ(result.exitCode, 0);
        EXPECT_THAT(result.output, HasSubstr("note: the answer is not complete: "));
    }
    EXPECT_THAT(holos({"query", file("run"), "SELECT count(*) FROM calls"}).output, Not(HasSubstr("note")));
}

// Takes minutes where work for each location grows with their number.
/// A loop of six steps, of which one takes longer.
std::string writeLoop(const std::string& folder, Tick slow) {
    TraceBuilder trace(1);
    LocationScript& thread = trace.on(0).enter(0, "main");
    Tick begin = 10;
    for (int step = 1; step <= 6; ++step) {
        const Tick work = step == 4 ? slow : 20;
        thread.enter(begin, "step").call(begin + 5, begin + 5 + work, "work").leave(begin + 10 + work);
        begin += 10 + work;
    }
    thread.leave(begin + 10);
    trace.write(folder);
    return folder;
}

TEST_F(QueryCommand, iterationsThatDiffer_areListedWithTheirReason) {
    const std::string even = writeLoop(file("even"), 20), uneven = writeLoop(file("uneven"), 60);
    const auto one = holos({"iterations", uneven});
    EXPECT_EQ(one.exitCode, 0);
    EXPECT_THAT(
        one.output,
        HasSubstr("        4        0.03        0.07       +0.04  because of main/step/work +0.04 s"));
    EXPECT_THAT(holos({"iterations", even}).output, HasSubstr("No iteration differs"));
    EXPECT_THAT(holos({"iterations", even, uneven}).output,
                AllOf(HasSubstr("6 iterations; median 0.03 s before, 0.03 s after"),
                      HasSubstr("because of main/step/work +0.04 s")));
    EXPECT_THAT(
        holos({"iterations", even, uneven, "--format", "csv"}).output,
        AllOf(HasSubstr("iteration,before,after,excess,because\n1,0.03,0.03,,\n"),
              HasSubstr("\n4,0.03,0.07,0.04"), HasSubstr(",main/step/work +0.04 s\n5,0.03,0.03,,\n")));
    const auto json = nlohmann::json::parse(holos({"iterations", even, uneven, "--format", "json"}).output);
    EXPECT_EQ(json["loop"], "main/step");
    EXPECT_EQ(json["iterations"][3]["because"][0]["part"], "main/step/work");
    EXPECT_THAT(holos({"iterations", file("run")}).output, HasSubstr("no loop is found"));
    for (const std::string& run : {even, uneven}) ASSERT_EQ(holos({"analyze", run}).exitCode, 0);
    const auto report = holos({"report", even, uneven, "--iterations", "-o", file("report.csv")});
    EXPECT_EQ(report.exitCode, 0) << report.output;
    EXPECT_THAT(contentOf(file("report.csv")),
                HasSubstr("Iterations,Iteration 4: main/step/work +0.04 s,0,sec,0.03,,0.07,"));
    const auto said = [this](std::vector<std::string> arguments) {
        std::string text = holos(std::move(arguments)).output;
        std::ranges::replace(text, '\n', ' ');
        return text;
    };
    const std::string sentence =
        " (medians). "
        "Iteration 4 took more time than the usual change explains: it took 0.07 s instead of 0.03 s, because of "
        "main/step/work +0.04 s.";
    EXPECT_THAT(said({"diff", even, uneven, "-o", file("change.cubex")}), HasSubstr(sentence));
    EXPECT_THAT(said({"show", file("change.cubex")}), HasSubstr(sentence)) << "kept with the difference";
    EXPECT_THAT(said({"diff", even, even, "-o", file("none.cubex")}), Not(HasSubstr("iterations of")));
}

TEST_F(QueryCommand, ofALargeTrace_keepsAnIndexUnlessToldNotTo) {
    const auto trace = writeLargeTrace(file("large"), {.processes = 2, .rounds = 540, .callsPerRound = 500});
    const auto index = std::filesystem::path(trace).replace_extension(".calls");
    const std::vector<std::string> question{
        "query", trace.string(), "SELECT count(*), sum(bytes_sent), count(DISTINCT call_path) FROM calls"};
    std::vector<std::string> without = question;
    without.emplace_back("--no-index");
    const auto read = holos(without);
    EXPECT_EQ(read.exitCode, 0);
    EXPECT_FALSE(std::filesystem::exists(index));
    EXPECT_EQ(holos(question).output, read.output);
    EXPECT_TRUE(std::filesystem::exists(index));
    EXPECT_EQ(holos(question).output, read.output);
}

TEST_F(QueryCommand, ofManyLocations_isAnswered) {
    writeHollowTrace(file("many"), 200'000);
    EXPECT_EQ(holos({"query", file("many"), "SELECT count(*) calls FROM calls"}).output, "calls\n    0\n");
}

}  // namespace
}  // namespace holos::testing

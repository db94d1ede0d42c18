// SPDX-License-Identifier: BSD-3-Clause
// holos scaling: how efficiencies and metrics change with the size of runs.
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/command_test.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// Runs with 2, 4, 8 … processes that share one piece of work, or one that grows as this power of them, and a
/// barrier that takes longer the more there are.
class ScalingCommand : public CommandTest {
  protected:
    std::vector<std::string> analyzedRuns(unsigned sizes, double power = 0) {
        std::vector<std::string> files;
        for (unsigned logarithm = 1; logarithm <= sizes; ++logarithm) {
            const unsigned processes = 1U << logarithm;
            const std::string name = file("p" + std::to_string(processes));
            TraceBuilder trace(processes);
            const auto work = static_cast<unsigned>(640'000 * std::pow(processes, power - 1));
            for (unsigned rank = 0; rank < processes; ++rank)
                trace.on(rank)
                    .enter(0, "main")
                    .enter(0, "work")
                    .leave(work)
                    .barrier(work, work + 1'000 * logarithm)
                    .leave(work + 1'000 * logarithm);
            std::filesystem::create_directory(name);
            trace.write(name);
            EXPECT_EQ(holos({"analyze", name}).exitCode, 0);
            files.push_back(name);
        }
        return files;
    }

    static CommandResult scaling(std::vector<std::string> words,
                                 const std::vector<std::string>& options = {}) {
        words.insert(words.begin(), "scaling");
        words.insert(words.end(), options.begin(), options.end());
        return holos(words);
    }
};

TEST_F(ScalingCommand, workBetweenOneProblemAndTheThreads_isAGuess) {
    EXPECT_THAT(
        scaling(analyzedRuns(3, 0.4)).output,
        HasSubstr(
            "Strong scaling: all runs solve one problem (a guess: the work of all threads grew by "
            "a factor of 1.74, and their number grew by a factor of 4; if it is wrong, give --problem)."));
}

TEST_F(ScalingCommand, fourSizes_haveTheTableAndTheLaws) {
    const auto result = scaling(analyzedRuns(4), {"--at", "1024"});
    EXPECT_EQ(result.exitCode, 0) << result.output;
    EXPECT_THAT(result.output,
                AllOf(HasSubstr("4 runs of 4 sizes. Strong scaling"),
                      HasSubstr("(found: the work of all threads stayed the same, and their number grew by a "
                                "factor of 8; "),
                      HasSubstr("speed-up"), HasSubstr("Predicted for 1024 processes"),
                      HasSubstr(" * log2(processes) "), HasSubstr(" * processes^-1 "),
                      HasSubstr("main/MPI_Barrier")));
}

TEST_F(ScalingCommand, listBeforeTheRuns_takesOneWordOnly) {
    const auto runs = analyzedRuns(2);
    const auto before = holos({"scaling", "--at", "64", runs[0], runs[1]});
    EXPECT_EQ(before.exitCode, 0) << before.output;
    EXPECT_EQ(before.output, scaling(runs, {"--at", "64"}).output);
}

TEST_F(ScalingCommand, workThatShrinks_isSaidToFall) {
    EXPECT_THAT(scaling(analyzedRuns(2), {"--by", "none", "--parameter", "n=2,1"}).output,
                HasSubstr("the work of all threads stayed the same, and their number fell to 50 %"));
}

TEST_F(ScalingCommand, twoParametersAfterOneOption_areBothTaken) {
    const auto runs = analyzedRuns(2);
    const std::vector<std::string> options{"--by",  "none",     "--parameter", "x=2,1",
                                           "y=8,9", "--format", "csv",         "--sizes"};
    const auto both = scaling(runs, options);
    EXPECT_EQ(both.exitCode, 0) << both.output;
    EXPECT_THAT(both.output, AllOf(StartsWith("x,y,processes,"), HasSubstr("\n2,8,"), HasSubstr("\n1,9,")));
    const auto before = holos({"scaling", "--by", "none", "--parameter", "x=2,1", "y=8,9", "--format", "csv",
                               "--sizes", runs[0], runs[1]});
    EXPECT_EQ(before.output, both.output);
}

TEST_F(ScalingCommand, curves_areDrawnWithMeasurementsAndLaws) {
    const auto runs = analyzedRuns(4);
    const auto text = scaling(runs, {"--at", "1024", "--plot"});
    EXPECT_THAT(text.output,
                AllOf(HasSubstr("up: time (s), across: processes"), HasSubstr("A main/MPI_Barrier"),
                      HasSubstr("B main/work"), HasSubstr("1024\n"), HasSubstr("bbb")));
    ASSERT_EQ(scaling(runs, {"--at", "1024", "-o", file("s.svg")}).exitCode, 0);
    EXPECT_THAT(contentOf(file("s.svg")), AllOf(StartsWith("<svg "), HasSubstr("main/MPI_Barrier"),
                                                HasSubstr("class=\"law\""), HasSubstr("<circle ")));
    ASSERT_EQ(scaling(runs, {"--at", "1024", "-o", file("s.html")}).exitCode, 0);
    EXPECT_THAT(contentOf(file("s.html")),
                AllOf(HasSubstr("<svg "), HasSubstr("<th>speed-up</th>"),
                      HasSubstr("<th>main/MPI_Barrier</th>"), HasSubstr("Predicted for 1024 processes")));
    EXPECT_EQ(scaling(runs, {"-o", file("s.png")}).exitCode, 2);
}

TEST_F(ScalingCommand, json_hasSizesAndModels) {
    const auto result = scaling(analyzedRuns(4), {"--at", "1024", "--format", "json"});
    const auto json = nlohmann::json::parse(result.output);
    EXPECT_EQ(json["scaling"], "strong");
    ASSERT_EQ(json["sizes"].size(), 4U);
    EXPECT_EQ(json["sizes"][3]["processes"], 16);
    EXPECT_NEAR(json["sizes"][3]["parallel"].get<double>(), 40.0 / 44, 1e-3);
    EXPECT_NEAR(json["sizes"][3]["computation"].get<double>(), 1, 1e-3);
    const auto first = json["models"]["call_paths"][0];
    EXPECT_THAT(first["call_path"].get<std::string>(), HasSubstr("MPI_Barrier"));
    EXPECT_NEAR(first["predicted"].get<double>() / first["measured"][3].get<double>(), 10.0 / 4, 0.01);
}

TEST_F(ScalingCommand, csv_hasModelsOrSizes) {
    const auto runs = analyzedRuns(4);
    EXPECT_THAT(scaling(runs, {"--format", "csv"}).output, StartsWith("metric,call_path,largest,predicted,"));
    EXPECT_THAT(scaling(runs, {"--format", "csv", "--sizes"}).output,
                AllOf(StartsWith("processes,threads,runs,runtime,"), HasSubstr("\n16,16,1,")));
}

TEST_F(ScalingCommand, twoSizes_haveTheTableAndSayWhyThereAreNoModels) {
    const auto runs = analyzedRuns(2);
    const auto result = scaling(runs);
    EXPECT_EQ(result.exitCode, 0);
    EXPECT_THAT(result.output, AllOf(HasSubstr("2 runs of 2 sizes"), HasSubstr("No models: a model needs"),
                                     Not(HasSubstr("Predicted"))));
    const auto csv = scaling(runs, {"--format", "csv"});
    EXPECT_EQ(csv.exitCode, 1);
    EXPECT_THAT(csv.output, HasSubstr("a model needs runs"));
}

/// CUBE 3, with nothing but the time of `main`: processes² seconds each.
std::string timesAlone(unsigned processes) {
    std::ostringstream text;
    text
        << R"(<cube version="3.0"><metrics><metric id="0"><disp_name>Time</disp_name><uniq_name>time</uniq_name>)"
           R"(<dtype>FLOAT</dtype><uom>sec</uom><val></val><url></url><descr></descr></metric></metrics>)"
           R"(<program><region id="0" mod="m" begin="0" end="0"><name>main</name><url></url><descr></descr>)"
           R"(</region><cnode id="0" calleeId="0"></cnode></program><system><machine Id="0"><name>m</name>)"
           R"(<descr></descr><node Id="0"><name>n</name><descr></descr>)";
    for (unsigned p = 0; p < processes; ++p)
        text << "<process Id=\"" << p << "\"><name>p</name><rank>" << p << "</rank><thread Id=\"" << p
             << "\"><name>t</name><rank>0</rank></thread></process>";
    text << R"(</node></machine></system><severity><matrix metricId="0"><row cnodeId="0">)";
    for (unsigned p = 0; p < processes; ++p) text << processes * processes << '\n';
    text << "</row></matrix></severity></cube>";
    return text.str();
}

TEST_F(ScalingCommand, experimentsWithTimesAlone_haveLawsAndNoEfficiencies) {
    std::vector<std::string> runs;
    for (const unsigned processes : {2, 4, 8, 16}) {
        runs.push_back(file("p" + std::to_string(processes) + ".cube"));
        std::ofstream(runs.back()) << timesAlone(processes);
    }
    const auto text = scaling(runs, {"--at", "32"});
    EXPECT_EQ(text.exitCode, 0) << text.output;
    EXPECT_THAT(text.output, AllOf(StartsWith("4 runs of 4 sizes.\n\nNo efficiencies: " + runs[0] +
                                              ": the experiment has no metric \"comp\""),
                                   HasSubstr("1024"), HasSubstr("processes^2")));
    const auto json = nlohmann::json::parse(scaling(runs, {"--format", "json"}).output);
    EXPECT_FALSE(json.contains("sizes"));
    EXPECT_EQ(json["models"]["metrics"][0]["metric"], "time");
    EXPECT_EQ(scaling(runs, {"--format", "csv", "--sizes"}).exitCode, 1);
    runs.resize(2);
    EXPECT_EQ(scaling(runs).exitCode, 1) << "nothing is left to say";
}

TEST_F(ScalingCommand, wrongUsage_saysWhatIsExpected) {
    const auto runs = analyzedRuns(2);
    const auto fails = [&](const std::vector<std::string>& options, int code, const std::string& words) {
        const auto result = scaling(runs, options);
        EXPECT_EQ(result.exitCode, code);
        EXPECT_THAT(result.output, HasSubstr(words));
    };
    fails({"--at", "none"}, 2, "--at: expected a number that is at least 1, not 'none'");
    fails({"--at", "4,5"}, 2, "--at: expected a value for processes");
    fails({"--parameter", "cells"}, 2, "expected NAME=VALUE,VALUE");
    fails({"--parameter", "cells=1,2,3"}, 2, "it has 3 values for 2 experiments");
    fails({"--sizes"}, 2, "--format csv");
    fails({"--by", "none"}, 1, "all runs have the same size");
    fails({"--metric", "time,tmie"}, 2,
          "--metric: " + runs[0] + " has no metric 'tmie'; did you mean 'time'?");
    EXPECT_EQ(scaling({runs[0], runs[0]}).exitCode, 1);
}

}  // namespace
}  // namespace holos::testing

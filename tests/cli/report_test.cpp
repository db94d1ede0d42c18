// SPDX-License-Identifier: BSD-3-Clause
// holos report: the paper's Table 1 from its three experiments, formats, and the check against a baseline.
#include <gmock/gmock.h>

#include <array>
#include <fstream>
#include <sstream>

#include "algebra/files/cubex.h"
#include "tests/cli/command_test.h"
#include "tests/support/small_experiment.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Words = std::vector<std::string>;

algebra::Metric secondsMetric(const std::string& name) {
    algebra::Metric metric;
    metric.uniqueName = name;
    metric.displayName = name;
    metric.unit = "sec";
    return metric;
}

class Report : public CommandTest {
  protected:
    CommandResult report(Words words) const {
        words.insert(words.begin(), "report");
        return holos(words);
    }

    /// The report on the paper's platforms in a format.
    std::string platforms(const std::string& ending) const {
        Words words{"-o", file("report" + ending)};
        for (const char* name : {"regatta.cube", "xd1.cube", "sf25k.cube"})
            words.push_back(std::string(HOLOS_PLATFORMS_DIRECTORY "/") + name);
        const auto result = report(words);
        EXPECT_EQ(result.exitCode, 0) << result.output;
        return contentOf(file("report" + ending));
    }

    /// `main` takes 10 s and 6 s in two threads, 4 s and 2 s of them in `step`, where 20 of 25 faults are.
    void writeWithSteps(const std::string& name) const {
        algebra::Metric faults;
        faults.uniqueName = faults.displayName = "FAULTS";
        faults.unit = "occ";
        algebra::writeCubex(SmallExperiment()
                                .metric(secondsMetric("time"), "", {{"main", {6, 4}}, {"main/step", {4, 2}}})
                                .metric(faults, "", {{"main", {5, 0}}, {"main/step", {15, 5}}})
                                .take(),
                            file(name));
    }

    void write(const std::string& name, double seconds) const {
        algebra::writeCubex(
            SmallExperiment().metric(secondsMetric("time"), "", {{"main", {seconds, 0}}}).take(), file(name));
    }
};

TEST_F(Report, callPaths_haveTheirInclusiveRows) {
    writeWithSteps("a.cubex");
    const std::string out = file("steps.md");
    ASSERT_EQ(report({file("a.cubex"), "--call-paths", "step,main", "-o", out}).exitCode, 0);
    EXPECT_THAT(contentOf(out),
                AllOf(HasSubstr("## Call path step"), HasSubstr("| Wall time [sec] | 4 (40.0%) |"),
                      HasSubstr("| time [sec] | 6 (37.5%) |"), HasSubstr("| FAULTS [occ] | 20 (80.0%) |"),
                      HasSubstr("## Call path main"), HasSubstr("| FAULTS [occ] | 25 (100.0%) |")));
    const auto unknown = report({file("a.cubex"), "--call-paths", "stop", "-o", out});
    EXPECT_EQ(unknown.exitCode, 2);
    EXPECT_THAT(unknown.output, HasSubstr("did you mean 'step'?"));
}

/// Of seven values that are not zero, processes have four together.
TEST_F(Report, ofTooManyValues_isBrowsedBySums) {
    writeWithSteps("a.cubex");
    const auto pageOf = [&](const char* most) {
        EXPECT_EQ(report({file("a.cubex"), "--browsable", most, "-o", file("a.html")}).exitCode, 0);
        return contentOf(file("a.html"));
    };
    EXPECT_THAT(pageOf("7"), AllOf(HasSubstr("[1,0,15.0,1,5.0]"), Not(HasSubstr("sums of processes"))));
    EXPECT_THAT(pageOf("4"), AllOf(HasSubstr("[1,0,20.0]"), HasSubstr("sums of processes")));
    EXPECT_THAT(pageOf("3"), Not(HasSubstr("\"places\"")));
}

TEST_F(Report, ratiosAndExtremes_areBrowsedAsSuch) {
    algebra::Metric ratio = secondsMetric("rate"), largest = secondsMetric("largest"),
                    strange = secondsMetric("strange");
    ratio.storage = strange.storage = algebra::Storage::PostDerived;
    ratio.origin = strange.origin = algebra::Origin::Ratio;
    ratio.expression = "2 * metric::largest() / metric::time()";
    strange.expression = "sqrt(metric::time())";
    largest.valueType = algebra::ValueType::MaxDouble;
    algebra::writeCubex(SmallExperiment()
                            .metric(secondsMetric("time"), "", {{"main", {6, 4}}})
                            .metric(largest, "", {{"main", {3, 5}}})
                            .metric(ratio, "", {})
                            .metric(strange, "", {})
                            .take(),
                        file("a.cubex"));
    ASSERT_EQ(report({file("a.cubex"), "-o", file("a.html")}).exitCode, 0);
    EXPECT_THAT(contentOf(file("a.html")),
                AllOf(HasSubstr("\"way\":\"maximum\""), HasSubstr("\"way\":\"none\""),
                      HasSubstr("\"formula\":[2.0,{\"metric\":1},\"*\",{\"metric\":0},\"/\"]")));
}

/// main/step: 800 operations and 1600 bytes in 4 s, below a roof of 1000 operations and 500 bytes per second.
TEST_F(Report, roofline_isDrawnWhereItsCountersAre) {
    algebra::writeCubex(SmallExperiment()
                            .metric(secondsMetric("time"), "", {{"main", {6, 4}}, {"main/step", {4, 2}}})
                            .counter("FP_OPERATIONS", {{"main/step", {700, 100}}})
                            .counter("MEMORY_BYTES", {{"main/step", {1600, 0}}})
                            .take(),
                        file("a.cubex"));
    const std::string out = file("roofline.html");
    const auto written =
        report({file("a.cubex"), "--peak-flops", "1e3", "--peak-bandwidth", "500", "-o", out});
    ASSERT_EQ(written.exitCode, 0) << written.output;
    EXPECT_THAT(contentOf(out), AllOf(HasSubstr("<h2>Roofline</h2>"), HasSubstr("class=\"roof-line\""),
                                      HasSubstr("main/step: 100.0 % of the time here, 0.5 FLOP/B, 200FLOP/s, "
                                                "80.0 % of the roof")));
    write("b.cubex", 1);
    ASSERT_EQ(report({file("b.cubex"), "-o", out}).exitCode, 0);
    EXPECT_THAT(contentOf(out), Not(HasSubstr("Roofline")));
    EXPECT_EQ(report({file("a.cubex"), "--peak-flops", "many", "-o", out}).exitCode, 2);
}

TEST_F(Report, platformsOfThePaper_giveItsTable) {
    const std::string text = platforms(".md");
    for (const char* row : {
             "| Processor | POWER4-II | Opteron-248 | UltraSPARC-IV |",
             "| Time [sec] | 16455 (100.0%) | 10856 (100.0%) | 49769 (100.0%) |",
             "| → → MPI [sec] | 364 (2.2%) | 182 (1.7%) | 3772 (7.6%) |",
             "| → → OpenMP [sec] | 142 (0.9%) | 354 (3.3%) | 588 (1.2%) |",
             "| → STALL [occ] | – | 15499000000000 (70.2%) | 24581000000000 (63.4%) |",
             "| → FLOATING\\_POINT [occ] | 7208000000000 (46.9%) | 11704000000000 (66.2%) | 8649000000000 "
             "(40.8%) |",
             "| → → BRANCH\\_MISP [occ] | 90000000000 (0.6%) | 14000000000 (0.1%) | 29000000000 (0.1%) |",
             "| → DATA\\_HIT\\_L1$ [occ] | 5092000000000 (97.3%) | 7230000000000 (97.0%) | 5594000000000 "
             "(81.2%) |",
             "| → DATA\\_HIT\\_L3$ [occ] | 7000000000 (0.1%) | – | – |",
             "| → main/runhyd/glblmax/MPI\\_Allreduce [sec] | 116.9 (92.2%) | 15 (89.3%) | 504.6 (95.7%) |",
         })
        EXPECT_THAT(text, HasSubstr(row));
}

/// A row of Table 1 with the percentages in print, or nothing where it has none.
struct Printed {
    const char* row;
    std::array<const char*, 3> percentages;  ///< p690+, XD1, SF25k
};

TEST_F(Report, platformsOfThePaper_havePercentagesAsInPrint) {
    const std::string text = platforms(".md");
    const Printed table[] = {
        {"| → → Computation [sec] |", {"92.6", "91.7", ""}},  // SF25k: 81.1 in print, of 44742 / 49769
        {"| → → MPI [sec] |", {"2.2", "1.7", "7.6"}},
        {"| → main/runhyd/glblmax/MPI\\_Allreduce [sec] |", {"92.2", "89.3", "95.7"}},
        {"| → → OpenMP [sec] |", {"0.9", "3.3", "1.2"}},
        {"| → main/runhyd/barrier [sec] |", {"82.2", "4.2", "87.1"}},
        {"| → STALL [occ] |", {"", "70.2", "63.4"}},
        {"| → FLOATING\\_POINT [occ] |", {"46.9", "66.2", "40.8"}},
        {"| → BRANCH [occ] |", {"8.4", "5.5", ""}},  // SF25k: 4.3 in print, of 923 / 21197
        {"| → → BRANCH\\_MISP [occ] |", {"0.6", "0.1", "0.1"}},
        {"| → INST\\_HIT\\_L1$ [occ] |", {"100.0", "100.0", "100.0"}},
        {"| → DATA\\_HIT\\_L1$ [occ] |", {"97.3", "97.0", "81.2"}},
        {"| → DATA\\_HIT\\_L2$ [occ] |", {"2.5", "2.6", "18.2"}},
        {"| → DATA\\_HIT\\_L3$ [occ] |", {"0.1", "", ""}},
        {"| → DATA\\_HIT\\_MEM [occ] |", {"0.1", "0.4", "0.5"}},
    };
    for (const Printed& each : table) {
        const std::size_t begin = text.find(each.row);
        ASSERT_NE(begin, std::string::npos) << each.row;
        std::istringstream cells(text.substr(begin + std::string(each.row).size()));
        for (const char* percentage : each.percentages) {
            std::string cell;
            std::getline(cells, cell, '|');
            if (*percentage != '\0') {
                EXPECT_THAT(cell, HasSubstr(std::string("(") + percentage + "%)")) << each.row;
            }
        }
    }
}

TEST_F(Report, differences_areSaidInWords) {
    // 505 s of 49769 s against 15 s of 10856 s
    EXPECT_THAT(platforms(".md"),
                HasSubstr("glblmax MPI\\_Allreduce waits 7.3 × longer on sf25k than on xd1, "
                          "relative to time (Wait at N x N: 1.01 % against 0.14 %)"));
}

TEST_F(Report, callPathsThatEndAlike_areToldApart) {
    algebra::Metric time, wait;
    time.uniqueName = time.displayName = "time";
    wait.uniqueName = "mpi_wait_nxn";
    wait.displayName = "Wait at N x N";
    time.unit = wait.unit = "sec";
    const auto write = [&](const char* name, double first, double second) {
        algebra::writeCubex(
            SmallExperiment()
                .metric(time, "", {{"main", {100, 0}}})
                .metric(wait, "time",
                        {{"main/a/f/MPI_Allreduce", {first, 0}}, {"main/b/f/MPI_Allreduce", {second, 0}}})
                .take(),
            file(name));
    };
    write("one.cubex", 2, 3);
    write("other.cubex", 20, 30);
    ASSERT_EQ(report({file("one.cubex"), file("other.cubex"), "-o", file("a.md")}).exitCode, 0);
    const std::string text = contentOf(file("a.md"));
    EXPECT_THAT(text,
                AllOf(HasSubstr("- a f MPI\\_Allreduce waits"), HasSubstr("- b f MPI\\_Allreduce waits")));
}

TEST_F(Report, whatIsNotTheSameUnderOneName_isNoted) {
    // Footnote 3 of the paper.
    EXPECT_THAT(platforms(".md"),
                HasSubstr("- BRANCH means: \"Branches completed\" on xd1, sf25k; \"Branches issued\" "
                          "on regatta\n"));
}

TEST_F(Report, metricsOfSomePlatforms_standBelowThoseOfAll) {
    const std::string text = platforms(".md");
    EXPECT_LT(text.find("DATA\\_HIT\\_MEM"), text.find("DATA\\_HIT\\_L3$"));
}

TEST_F(Report, longNamesOfFunctions_areFoldedForPeople) {
    const std::string full =
        "void std::vector<Cell, std::allocator<Cell>>::_M_realloc_insert<Cell const&>(Cell*, Cell const&)";
    algebra::writeCubex(
        SmallExperiment().metric(secondsMetric("time"), "", {{"main/" + full, {1, 0}}}).take(),
        file("long.cubex"));
    const auto textOf = [&](const std::string& ending, const Words& options) {
        Words words{file("long.cubex"), "-o", file("report" + ending)};
        words.insert(words.end(), options.begin(), options.end());
        EXPECT_EQ(report(words).exitCode, 0);
        return contentOf(file("report" + ending));
    };
    EXPECT_THAT(textOf(".html", {}), AllOf(HasSubstr("main/std::vector&lt;…&gt;::_M_realloc_insert"),
                                           Not(HasSubstr("std::allocator"))));
    EXPECT_THAT(textOf(".html", {"--full-names"}), HasSubstr("std::allocator&lt;Cell"));
    EXPECT_THAT(textOf(".csv", {}), HasSubstr(full));
}

TEST_F(Report, csv_hasValuesAndPercentages) {
    EXPECT_THAT(platforms(".csv"),
                AllOf(HasSubstr("section,name,depth,unit,regatta,regatta %,xd1,xd1 %,sf25k,sf25k %\n"),
                      HasSubstr("Counters and other measurements,DATA_HIT_L3$,1,occ,7000000000,0.133")));
}

TEST_F(Report, page_needsNothingElse) {
    const std::string page = platforms(".html");
    EXPECT_THAT(page, AllOf(HasSubstr("<!DOCTYPE html>"), HasSubstr("UltraSPARC-IV"),
                            Not(HasSubstr("<svg")),  // one location each

                            HasSubstr(">15.50 T <small>70.2 %</small>"), HasSubstr(">9956 s <small>"),
                            HasSubstr("class=\"holos-data\""), HasSubstr("<a href=\"#wait-states\">"),
                            HasSubstr("<title>regatta · xd1 · sf25k: comparison</title>")));
    EXPECT_THAT(page, Not(HasSubstr("http")));
}

TEST_F(Report, namesOfHostileExperiments_areEscaped) {
    write("a.cubex", 1);
    const auto result = report({file("a.cubex"), "--names", "<script>x</script>", "-o", file("a.html")});
    EXPECT_EQ(result.exitCode, 0) << result.output;
    const std::string page = contentOf(file("a.html"));
    EXPECT_THAT(page, AllOf(Not(HasSubstr("<script>x")), HasSubstr("&lt;script&gt;x")));
}

TEST_F(Report, severalLocations_areShownAsBars) {
    algebra::writeCubex(SmallExperiment().counter("faults", {{"main", {10, 30}}}).take(), file("a.cubex"));
    ASSERT_EQ(report({file("a.cubex"), "-o", file("a.html")}).exitCode, 0);
    const std::string page = contentOf(file("a.html"));
    EXPECT_THAT(page, AllOf(HasSubstr("<svg"), HasSubstr("largest 50 % above the mean")));  // 30 against 20
}

TEST_F(Report, slowerThanTheBaseline_failsAndSaysHowMuch) {
    write("before.cubex", 2);
    write("after.cubex", 2.25);
    const auto check = [this](const std::string& condition) {
        return report({"--baseline", file("before.cubex"), file("after.cubex"), "--fail-if", condition});
    };
    const auto fails = check("time > 1.05x");
    EXPECT_EQ(fails.exitCode, 1);
    EXPECT_THAT(fails.output,
                AllOf(HasSubstr("FAIL: "), HasSubstr("2.250000 sec, 2.000000 before (1.125x)")));
    EXPECT_EQ(check("time > 1.125x").exitCode, 0);
    EXPECT_EQ(check("time < 2.25").exitCode, 0);
    EXPECT_EQ(check("time < 2.3").exitCode, 1);
    EXPECT_EQ(check("time slower").exitCode, 2);
}

TEST_F(Report, conditionThatCannotBeJudged_isNoFailedCheck) {
    write("before.cubex", 2);
    write("after.cubex", 2.25);
    const auto check = [this](const std::string& condition) {
        return report({"--baseline", file("before.cubex"), file("after.cubex"), "--fail-if", "time > 1",
                       "--fail-if", condition, "-o", file("r.md"), "--junit", file("checks.xml")});
    };
    for (const auto& [condition, nearMetric] : {std::pair{"tim > 1x", "similar: time"},
                                                {"tmie > 1", "did you mean 'time'"},
                                                {"slowr > 5%", "did you mean 'slower'"},
                                                {"waitng > 5%", "did you mean 'waiting'"}}) {
        const auto result = check(condition);
        EXPECT_EQ(result.exitCode, 2) << condition;
        EXPECT_THAT(result.output, AllOf(HasSubstr(condition), HasSubstr("after.cubex"),
                                         HasSubstr(nearMetric), Not(HasSubstr("FAIL"))));
        EXPECT_FALSE(fs::exists(file("r.md"))) << condition;
        EXPECT_FALSE(fs::exists(file("checks.xml"))) << condition;
    }
}

TEST_F(Report, conditionsWithoutABaseline_areCheckedAndWrittenForServers) {
    write("run.cubex", 2);
    const auto result = report({file("run.cubex"), "--fail-if", "time > 1", "--fail-if", "time > 101%",
                                "--junit", file("checks.xml")});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, AllOf(HasSubstr("FAIL: "), HasSubstr("ok: ")));
    EXPECT_THAT(contentOf(file("checks.xml")), HasSubstr("failures=\"1\""));
    const auto needs = report({file("run.cubex"), "--fail-if", "slower > 5%"});
    EXPECT_EQ(needs.exitCode, 2);
    EXPECT_THAT(needs.output, HasSubstr("needs --baseline"));
}

TEST_F(Report, repeatedRunsOfTwoVersions_beginWithWhatChanged) {
    for (const auto& [name, seconds] : {std::pair{"a1", 2.0}, {"a2", 2.02}, {"b1", 1.5}, {"b2", 1.51}})
        write(std::string(name) + ".cubex", seconds);
    const auto result = report({file("b1.cubex"), file("b2.cubex"), "--baseline", file("a1.cubex"),
                                "--baseline", file("a2.cubex"), "-o", file("change.md")});
    ASSERT_EQ(result.exitCode, 0) << result.output;
    EXPECT_THAT(contentOf(file("change.md")),
                AllOf(HasSubstr("a1 and a2"), HasSubstr("b1 and b2"), HasSubstr("±")));
}

/// `main` has 1 s of 10 s, the rest is `step`, which has waits in the second version only.
TEST_F(Report, trend_hasTheTimeOfEachVersionAndTheWaitThatChanged) {
    const auto version = [&](const std::string& name, double step, double wait) {
        algebra::Metric late = secondsMetric("mpi_latesender");
        late.displayName = "Late Sender";
        algebra::writeCubex(
            SmallExperiment()
                .metric(secondsMetric("time"), "", {{"main", {1, 1}}, {"main/step", {step, step}}})
                .metric(late, "time", {{"main/step", {wait, 0}}})
                .take(),
            file(name));
        return file(name);
    };
    const std::string a = version("a.cubex", 4, 0), b = version("b.cubex", 9, 5),
                      c = version("c.cubex", 4, 0);
    const std::string out = file("trend.csv");
    ASSERT_EQ(report({"--trend", a, b, c, "-o", out}).exitCode, 0);
    EXPECT_THAT(contentOf(out), AllOf(HasSubstr("\na,1,5,,0,,,,"), HasSubstr("\nb,1,10,,25,100,"),
                                      HasSubstr("Late Sender: 25.0 % of the time instead of 0.0 %"),
                                      HasSubstr("b is 100 % slower than a"), HasSubstr("\nc,1,5,,0,-50,")));
    ASSERT_EQ(report({"--trend", a, b, c, "-o", file("trend.html")}).exitCode, 0);
    EXPECT_THAT(contentOf(file("trend.html")),
                AllOf(HasSubstr("<b>b is 100 % slower than a"), HasSubstr("<svg class=\"trend\""),
                      HasSubstr(">0</text>"), HasSubstr("id=\"v2\"")));
    // One version after the other: repeats have one name, and one version alone is no trend.
    ASSERT_EQ(report({"--trend", a, c, b, b, "--names", "v1,v1,v2,v2", "-o", out}).exitCode, 0);
    EXPECT_THAT(contentOf(out), AllOf(HasSubstr("\nv1,2,5,0,"), HasSubstr("\nv2,2,10,0,")));
    EXPECT_EQ(report({"--trend", a, "-o", out}).exitCode, 2);
    EXPECT_EQ(report({"--trend", a, b}).exitCode, 2);
    EXPECT_EQ(report({"--trend", "--baseline", a, b, "-o", out}).exitCode, 2);
}

TEST_F(Report, findingsOfTheSpecification_areSaidPerExperiment) {
    // 200 of 210 context switches happened although the thread had work.
    algebra::writeCubex(SmallExperiment()
                            .counter("ru_nvcsw", {{"main", {10, 0}}})
                            .counter("ru_nivcsw", {{"main", {200, 0}}})
                            .metric(secondsMetric("time"), "", {{"main", {3, 1}}, {"main/idle", {1, 0}}})
                            .take(),
                        file("counts.cubex"));
    const auto derived =
        holos({"derive", file("counts.cubex"), "--spec", "linux-software", "-o", file("a.cubex")});
    ASSERT_EQ(derived.exitCode, 0) << derived.output;
    ASSERT_EQ(report({file("a.cubex"), "--names", "crowded", "-o", file("a.md")}).exitCode, 0);
    const std::string text = contentOf(file("a.md"));
    EXPECT_THAT(text, AllOf(HasSubstr("## Findings"), HasSubstr("crowded"),
                            HasSubstr("Threads are taken off their processors, in call paths with 80.0 % of "
                                      "the time, most of it in main")));
}

/// MPI may give its processor to others while it waits.
TEST_F(Report, switchesInMpi_areNoFinding) {
    const SmallExperiment::Rows inMpi{{"main", {0, 0}}, {"main/MPI_Recv", {3, 1}}};
    algebra::writeCubex(SmallExperiment()
                            .counter("ru_nvcsw", {{"main/MPI_Recv", {10, 0}}})
                            .counter("ru_nivcsw", {{"main/MPI_Recv", {200, 0}}})
                            .metric(secondsMetric("time"), "", inMpi)
                            .metric(secondsMetric("mpi"), "time", inMpi)
                            .take(),
                        file("counts.cubex"));
    ASSERT_EQ(
        holos({"derive", file("counts.cubex"), "--spec", "linux-software", "-o", file("a.cubex")}).exitCode,
        0);
    const auto shown = holos({"show", file("a.cubex"), "--findings"});
    EXPECT_THAT(shown.output, ::testing::ContainsRegex("Nowhere: .*PREEMPTED"));
}

TEST_F(Report, wrongUsage_isExitCode2) {
    write("a.cubex", 1);
    EXPECT_EQ(report({file("a.cubex")}).exitCode, 2);
    EXPECT_EQ(report({file("a.cubex"), "-o", file("a.txt")}).exitCode, 2);
    EXPECT_EQ(report({file("a.cubex"), "-o", file("a.md"), "--names", "x,y"}).exitCode, 2);
    EXPECT_EQ(report({file("a.cubex"), "--baseline", file("a.cubex")}).exitCode, 2);
}

}  // namespace
}  // namespace holos::testing

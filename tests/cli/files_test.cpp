// SPDX-License-Identifier: BSD-3-Clause
// `holos convert`, `check` and `export` as users call them.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "algebra/files/experiment_file.h"
#include "tests/cli/command_test.h"
#include "tests/cli/parquet_rows.h"
#include "tests/support/small_experiment.h"

namespace holos::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Files : public CommandTest {
  protected:
    Files() {
        algebra::Experiment experiment =
            SmallExperiment().counter("faults", {{"main", {1, 2}}, {"main/work", {0, 4}}}).take();
        algebra::Metric ratio;
        ratio.uniqueName = ratio.displayName = "half";
        ratio.storage = algebra::Storage::PostDerived;
        ratio.expression = "metric::faults() / 2";
        experiment.metrics.add(ratio);
        algebra::writeExperiment(experiment, file("a.cubex"));
    }

    /// Writes the experiment again after a change.
    template <class Change>
    void change(const std::string& name, Change change) const {
        algebra::Experiment experiment = algebra::readExperiment(file("a.cubex"));
        change(experiment);
        algebra::writeExperiment(experiment, file(name));
    }

    /// The experiment with a part of "faults" at main.
    void writePart(const std::string& name, algebra::LocationId location, double value) const {
        change(name, [&](algebra::Experiment& experiment) {
            algebra::Metric part;
            part.uniqueName = "minor";
            part.unit = experiment.metrics[algebra::MetricId(0)].unit;
            const auto id = experiment.metrics.add(part, algebra::MetricId(0));
            auto table = experiment.newTable();
            table.add(algebra::CallPathId(0), location, value);
            experiment.severities.set(id, table);
        });
    }
};

TEST_F(Files, convert_toCube3AndBack_keepsValuesAndSaysWhatItLeavesOut) {
    const auto there = holos({"convert", file("a.cubex"), file("a.cube.gz")});
    EXPECT_EQ(there.exitCode, 0) << there.output;
    EXPECT_THAT(there.output, HasSubstr("metrics left out: half"));
    EXPECT_EQ(holos({"convert", file("a.cube.gz"), file("b.cubex")}).exitCode, 0);
    const algebra::Experiment again = algebra::readExperiment(file("b.cubex"));
    EXPECT_THAT(valuesAt(again, "faults", "main"), ElementsAre(1, 2));
}

TEST_F(Files, convert_plain_hasStoredMetricsAloneAndSaysWhatItLeavesOut) {
    const auto made = holos({"convert", file("a.cubex"), file("plain.cubex"), "--plain"});
    EXPECT_EQ(made.exitCode, 0) << made.output;
    EXPECT_THAT(made.output, HasSubstr("metrics left out, as their values cannot be added up: half"));
    const algebra::Experiment plain = algebra::readExperiment(file("plain.cubex"));
    EXPECT_EQ(plain.metrics.size(), 1U);
    EXPECT_THAT(valuesAt(plain, "faults", "main"), ElementsAre(1, 2));
}

TEST_F(Files, convert_takesItsOutputAsOtherCommandsDo) {
    EXPECT_EQ(holos({"convert", file("a.cubex"), "-o", file("b.cube")}).exitCode, 0);
    EXPECT_EQ(holos({"convert", "--output", file("c.cubex"), file("b.cube")}).exitCode, 0);
    EXPECT_THAT(valuesAt(algebra::readExperiment(file("c.cubex")), "faults", "main"), ElementsAre(1, 2));
    EXPECT_EQ(holos({"convert", file("a.cubex"), file("d.cube"), "-o", file("e.cube")}).exitCode, 2);
    EXPECT_EQ(holos({"convert", file("a.cubex")}).exitCode, 2);
}

TEST_F(Files, convert_says_itMadeTheFile) {
    holos({"cut", file("a.cubex"), "--depth", "1", "-o", file("cut.cubex")});
    holos({"convert", file("cut.cubex"), file("c.cube")});
    EXPECT_THAT(holos({"info", file("c.cube")}).output,
                HasSubstr("  convert  (Holos " + std::string(HOLOS_VERSION) + ")\n    " + file("cut.cubex") +
                          "\n      cut --depth 1"));
}

constexpr const char* kRemapping = R"(<metrics>
  <metric>
    <disp_name>All faults</disp_name><uniq_name>faults</uniq_name><dtype>FLOAT</dtype><uom>occ</uom>
    <metric type="PREDERIVED_EXCLUSIVE">
      <disp_name>Of work</disp_name><uniq_name>work</uniq_name><dtype>FLOAT</dtype><uom>occ</uom>
      <cubepl>{ if (${calculation::region::name} eq "work") { return metric::faults(e); }; return 0; }</cubepl>
    </metric>
  </metric>
</metrics>)";

TEST_F(Files, remap_evaluatesExpressionsAndKeepsTheRest) {
    std::ofstream(file("r.spec")) << kRemapping;
    ASSERT_EQ(holos({"remap", file("a.cubex"), "--spec", file("r.spec"), "-o", file("b.cubex")}).exitCode, 0);
    const algebra::Experiment moved = algebra::readExperiment(file("b.cubex"));
    EXPECT_EQ(metricTree(moved), "All faults(Of work) half");
    EXPECT_TRUE(moved.metrics[findShown(moved, "Of work")].hasValues());
    EXPECT_THAT(valuesAt(moved, "All faults", "main"), ElementsAre(1, 2));
    EXPECT_THAT(valuesAt(moved, "Of work", "main"), ElementsAre(0, 0));
    EXPECT_THAT(valuesAt(moved, "Of work", "main/work"), ElementsAre(0, 4));
}

TEST_F(Files, remap_withoutSpecification_takesThatOfTheFile) {
    EXPECT_THAT(holos({"remap", file("a.cubex"), "-o", file("b.cubex")}).output,
                HasSubstr("carries no remapping specification; --spec names one"));
    change("own.cubex", [](algebra::Experiment& each) { each.files["remapping.spec"] = kRemapping; });
    ASSERT_EQ(holos({"remap", file("own.cubex"), "--keep-expressions", "-o", file("b.cubex")}).exitCode, 0);
    const algebra::Experiment moved = algebra::readExperiment(file("b.cubex"));
    EXPECT_FALSE(moved.metrics[findShown(moved, "Of work")].hasValues());
    EXPECT_TRUE(moved.files.empty());
    EXPECT_THAT(holos({"info", file("b.cubex")}).output, HasSubstr("remap --keep-expressions true"));
}

TEST_F(Files, remap_damagedSpecification_isNamed) {
    std::ofstream(file("r.spec")) << "<metrics><metric>";
    const auto result = holos({"remap", file("a.cubex"), "--spec", file("r.spec"), "-o", file("b.cubex")});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, HasSubstr("r.spec"));
    EXPECT_EQ(holos({"remap", file("a.cubex"), "--spec", "nowhere", "-o", file("b.cubex")}).exitCode, 2);
    EXPECT_FALSE(std::filesystem::exists(file("b.cubex")));
}

TEST_F(Files, remap_cutSpecification_isSaidToBeIncomplete) {
    std::ofstream(file("r.spec")) << "<metrics><metric type=";
    const auto result = holos({"remap", file("a.cubex"), "--spec", file("r.spec"), "-o", file("b.cubex")});
    EXPECT_THAT(result.output, HasSubstr("r.spec:1: is damaged or incomplete: is no well-formed XML"));
}

TEST_F(Files, info_ofANameThatTheSystemRefuses_saysWhatTheSystemSays) {
    const std::string name(5000, 'x');
    const auto result = holos({"info", name});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_EQ(result.output, "holos: " + name + ": File name too long\n");
}

TEST_F(Files, otherCommands_acceptCube3ByItsContent) {
    EXPECT_EQ(holos({"convert", file("a.cubex"), file("a.cube")}).exitCode, 0);
    std::filesystem::rename(file("a.cube"), file("renamed"));
    EXPECT_THAT(holos({"show", file("renamed")}).output, HasSubstr("faults"));
    EXPECT_EQ(holos({"mean", file("renamed"), file("a.cubex"), "-o", file("m.cubex")}).exitCode, 0);
    EXPECT_EQ(holos({"info", file("renamed")}).exitCode, 0);
}

TEST_F(Files, convertToAnUnknownName_isWrongUsage) {
    EXPECT_EQ(holos({"convert", file("a.cubex"), file("a.txt")}).exitCode, 2);
    EXPECT_EQ(holos({"convert", file("none.cubex"), file("a.cube")}).exitCode, 1);
    EXPECT_FALSE(std::filesystem::exists(file("a.cube")));
}

TEST_F(Files, check_soundExperiment_isSaidSo) {
    const auto result = holos({"check", file("a.cubex")});
    EXPECT_EQ(result.exitCode, 0) << result.output;
    EXPECT_THAT(result.output, HasSubstr("a.cubex: sound (2 metrics"));
}

TEST_F(Files, profilesOfOtherTools_areDescribedAndChecked) {
    std::filesystem::create_directory(file("tau"));
    std::ofstream(file("tau/profile.0.0.0"))
        << "1 templated_functions_MULTI_TIME\n# Name Calls Subrs Excl Incl ProfileCalls #\n"
           "\"main\" 1 0 2000000 2000000 0 GROUP=\"TAU_USER\"\n0 aggregates\n";
    std::ofstream(file("a.folded")) << "main;solve 42\n";
    for (const std::string& profile : {file("tau"), file("a.folded")}) {
        const auto described = holos({"info", profile});
        EXPECT_EQ(described.exitCode, 0) << described.output;
        EXPECT_THAT(described.output, HasSubstr(profile + ": experiment\n"));
        const auto checked = holos({"check", profile});
        EXPECT_EQ(checked.exitCode, 0) << checked.output;
        EXPECT_THAT(checked.output, HasSubstr(": sound ("));
    }
}

TEST_F(Files, check_namesEveryFaultAndItsPlace) {
    change("bad.cubex", [](algebra::Experiment& experiment) {
        experiment.metrics[algebra::MetricId(0)].valueType = algebra::ValueType::Double;
        auto row = experiment.severities.edit(algebra::MetricId(0)).editRow(algebra::CallPathId(0));
        row[1] = -2.0;
        experiment.metrics[algebra::MetricId(1)].expression = "metric::nothing() + wrong(1)";
    });
    const auto result = holos({"check", file("a.cubex"), file("bad.cubex")});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, HasSubstr("a.cubex: sound"));
    EXPECT_THAT(result.output, HasSubstr("bad.cubex: 2 problems"));
    EXPECT_THAT(result.output,
                HasSubstr("metric \"faults\": 1 value negative (differences: --signed), the first at main"));
    EXPECT_THAT(result.output, HasSubstr("metric \"half\" cannot be evaluated"));
    EXPECT_THAT(holos({"check", "--signed", file("bad.cubex")}).output, HasSubstr("1 problem\n"));
}

/// What tasks take is below TASKS and where they ran, and taken off the program, which may have less.
TEST_F(Files, check_programThatGivesBackWhatTasksTook_isSound) {
    for (const char* name : {"TASKS", "TASK"}) {
        change("tasks.cubex", [name](algebra::Experiment& experiment) {
            experiment.metrics[algebra::MetricId(0)].valueType = algebra::ValueType::Double;
            experiment.regions[experiment.callTree[algebra::CallPathId(1)].region.index()].name = name;
            experiment.severities.edit(algebra::MetricId(0)).editRow(algebra::CallPathId(0))[1] = -2.0;
        });
        EXPECT_EQ(holos({"check", file("tasks.cubex")}).exitCode, name == std::string("TASKS") ? 0 : 1);
    }
}

TEST_F(Files, check_partsLargerThanTheWhole_areFound) {
    writePart("bad.cubex", algebra::LocationId(0), 7.0);  // of 1 at main, of 1 anywhere
    const auto result = holos({"check", file("bad.cubex")});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, HasSubstr("1 value smaller than the metrics below it together"));
}

TEST_F(Files, check_partsCountedAtAnotherCallPath_areNoted) {
    writePart("elsewhere.cubex", algebra::LocationId(1), 5.0);  // of 2 at main, of 6 together
    const auto result = holos({"check", file("elsewhere.cubex")});
    EXPECT_EQ(result.exitCode, 0) << result.output;
    EXPECT_THAT(result.output, HasSubstr("which count at other call paths"));
}

TEST_F(Files, check_truncatedFile_isAProblemOfThatFileAlone) {
    std::ofstream(file("cut.cubex"), std::ios::binary) << contentOf(file("a.cubex")).substr(0, 4096);
    const auto result = holos({"check", file("cut.cubex"), file("a.cubex")});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, HasSubstr("cut.cubex: cannot be read\n  problem: "));
    EXPECT_THAT(result.output, HasSubstr("a.cubex: sound"));
}

TEST_F(Files, export_hasOneRowPerValue) {
    EXPECT_EQ(holos({"export", file("a.cubex"), "--metric", "faults", "-o", file("t.csv")}).exitCode, 0);
    const std::string text = contentOf(file("t.csv"));
    EXPECT_THAT(text,
                StartsWith("metric,unit,call_path_id,call_path,region,module,rank,thread,location,value,"
                           "parent,inclusive,aggregation\n"));
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);  // 1, 2 and 4
    EXPECT_THAT(text, HasSubstr(",main/work,work,"));
    EXPECT_THAT(text, EndsWith(",4,0,4,sum\n"));
    const std::string zeros = holos({"export", file("a.cubex"), "--metric", "faults", "--zeros"}).output;
    EXPECT_EQ(std::count(zeros.begin(), zeros.end(), '\n'), 5);
}

TEST_F(Files, export_asJson_isAnArrayOfRecords) {
    const auto records = nlohmann::json::parse(holos({"export", file("a.cubex"), "--format", "json"}).output);
    ASSERT_EQ(records.size(), 6U);  // three places of two metrics
    EXPECT_EQ(records[0]["metric"], "faults");
    EXPECT_EQ(records[0]["call_path"], "main");
    EXPECT_EQ(records[0]["value"], 1.0);
    EXPECT_EQ(records[5]["metric"], "half");
    EXPECT_EQ(records[5]["value"], 2.0);
    EXPECT_EQ(records[5]["parent"], 0);
    EXPECT_EQ(records[5]["aggregation"], "expression");
    EXPECT_TRUE(records[0]["parent"].is_null());
    EXPECT_EQ(records[0]["inclusive"].get<double>() + records[1]["inclusive"].get<double>(), 7.0);
}

TEST_F(Files, exportOfDeepCalls_growsWithTheirNumberAndEscapesSlashes) {
    const auto bytesOf = [&](std::size_t depth) {
        algebra::Experiment deep = SmallExperiment(1, 1).take();
        algebra::Region region;
        region.name = "read/write";
        deep.regions.push_back(region);
        std::optional<algebra::CallPathId> caller;
        for (std::size_t i = 0; i < depth; ++i) {
            algebra::CallPath call;
            call.region = algebra::RegionId(0);
            caller = deep.callTree.add(std::move(call), caller);
        }
        algebra::Metric metric;
        metric.uniqueName = metric.displayName = "visits";
        algebra::SeverityTable table = deep.newTable();
        for (const auto path : deep.callTree.ids()) table.add(path, algebra::LocationId(0), 1);
        deep.severities.set(deep.metrics.add(metric), std::move(table));
        algebra::writeExperiment(deep, file("deep.cubex"));
        EXPECT_EQ(holos({"export", file("deep.cubex"), "-o", file("deep.csv")}).exitCode, 0);
        return contentOf(file("deep.csv"));
    };
    const std::string few = bytesOf(1000), many = bytesOf(4000);
    EXPECT_LT(many.size(), 6 * few.size());
    EXPECT_THAT(many, HasSubstr(",read\\/write/read\\/write,read/write,"));
    EXPECT_THAT(many, HasSubstr("calls …/read"));
    EXPECT_THAT(many, HasSubstr(",1,,4000,sum\n"));
}

TEST_F(Files, exportOfAnUnknownMetric_writesNothing) {
    EXPECT_EQ(holos({"export", file("a.cubex"), "--metric", "fault", "-o", file("t.csv")}).exitCode, 2);
    EXPECT_FALSE(std::filesystem::exists(file("t.csv")));
}

/// A run of two processes with two threads each, whose names are no frames as they are.
class FoldedStacks : public CommandTest {
  protected:
    FoldedStacks() {
        algebra::Experiment experiment =
            SmallExperiment(2, 2)
                .metric(seconds("time"), "",
                        {{"main", {0.5, 0, 0, 0}},
                         {"main/step 2", {0.25, 0.25, 0, 1e-6}},
                         {"main/step 2/a;b(int, int)", {0, 0, 2, 0}}})
                .counter("faults", {{"main", {1, 2, 3, 4}}, {"main/step 2", {0, 0, 0, -7}}})
                .take();
        algebra::Metric ratio;
        ratio.uniqueName = ratio.displayName = "half";
        ratio.storage = algebra::Storage::PostDerived;
        ratio.expression = "metric::faults() / 2";
        experiment.metrics.add(ratio);
        algebra::writeExperiment(experiment, file("a.cubex"));
    }

    CommandResult folded(std::vector<std::string> options) const {
        std::vector<std::string> words{"export", file("a.cubex"), "--format", "folded"};
        words.insert(words.end(), options.begin(), options.end());
        return holos(words);
    }
};

TEST_F(FoldedStacks, ofTheProgram_haveTheMicrosecondsOfEachCallPathAlone) {
    EXPECT_EQ(folded({}).output,
              "main 500000\n"
              "main;step_2 500001\n"
              "main;step_2;a:b(int,_int) 2000000\n");
}

TEST_F(FoldedStacks, ofProcessesAndThreads_beginWithThem) {
    EXPECT_EQ(folded({"--stacks-of", "processes"}).output,
              "MPI_Rank_0;main 500000\n"
              "MPI_Rank_0;main;step_2 500000\n"
              "MPI_Rank_1;main;step_2 1\n"
              "MPI_Rank_1;main;step_2;a:b(int,_int) 2000000\n");
    EXPECT_THAT(folded({"--stacks-of", "threads"}).output,
                HasSubstr("MPI_Rank_0;Thread_1;main;step_2 250000\n"));
}

TEST_F(FoldedStacks, ofACount_areWholeNumbersAndNeverBelowZero) {
    EXPECT_EQ(folded({"--metric", "faults", "-o", file("f.folded")}).output,
              "holos: note: 1 stack with less than nothing is left out: flame graphs have no place for it\n");
    EXPECT_EQ(contentOf(file("f.folded")), "main 10\n");
}

TEST_F(FoldedStacks, ofWhatIsNoSum_areRefused) {
    EXPECT_THAT(folded({"--metric", "half"}).output, HasSubstr("its values cannot be added up"));
    EXPECT_EQ(folded({"--metric", "time", "--metric", "faults"}).exitCode, 2);
    EXPECT_EQ(folded({"--communication"}).exitCode, 2);
    const auto other = holos({"export", file("a.cubex"), "--stacks-of", "threads"});
    EXPECT_EQ(other.exitCode, 2);
    EXPECT_THAT(other.output, HasSubstr("--stacks-of: is for --format folded"));
}

using Speedscope = FoldedStacks;

/// A stack and its weight, for each sample of a profile.
std::vector<std::pair<std::string, double>> samplesOf(const nlohmann::json& file,
                                                      const nlohmann::json& profile) {
    std::vector<std::pair<std::string, double>> samples;
    for (std::size_t at = 0; at < profile["samples"].size(); ++at) {
        std::string stack;
        for (const std::size_t frame : profile["samples"][at])
            stack += file["shared"]["frames"][frame]["name"].get<std::string>() + ';';
        samples.emplace_back(stack, profile["weights"][at].get<double>());
    }
    return samples;
}

TEST_F(Speedscope, eachThread_isAProfileOfItsStacks) {
    EXPECT_EQ(holos({"export", file("a.cubex"), "--format", "speedscope", "-o", file("s.json")}).exitCode, 0);
    const auto made = nlohmann::json::parse(contentOf(file("s.json")));
    EXPECT_EQ(made["$schema"], "https://www.speedscope.app/file-format-schema.json");
    double all = 0;
    for (const auto& profile : made["profiles"]) {
        EXPECT_EQ(profile["type"], "sampled");
        EXPECT_EQ(profile["unit"], "seconds");
        double sum = 0;
        for (const auto& [stack, weight] : samplesOf(made, profile)) sum += weight;
        EXPECT_DOUBLE_EQ(sum, profile["endValue"].get<double>()) << profile["name"];
        all += sum;
    }
    EXPECT_NEAR(all, 3.000001, 1e-9);
    EXPECT_EQ(samplesOf(made, made["profiles"].front()).front(), std::pair(std::string("main;"), 0.5));
}

TEST_F(Speedscope, valuesBelowZero_areLeftOutAndCounted) {
    EXPECT_THAT(holos({"export", file("a.cubex"), "--format", "speedscope", "--metric", "faults", "-o",
                       file("f.json")})
                    .output,
                HasSubstr("1 stack with less than nothing is left out"));
}

class ForOtherTools : public FoldedStacks {
  protected:
    /// Skips where Python has no such module.
    static bool hasModule(const std::string& module) {
        return runCommand({"python3", "-c", "import " + module}).exitCode == 0;
    }
    nlohmann::json hatchet(std::vector<std::string> options) const {
        std::vector<std::string> words{"export", file("a.cubex"), "--format", "hatchet",
                                       "-o",     file("h.json")};
        words.insert(words.end(), options.begin(), options.end());
        const auto result = holos(words);
        EXPECT_EQ(result.exitCode, 0) << result.output;
        return nlohmann::json::parse(contentOf(file("h.json")));
    }
};

TEST_F(ForOtherTools, parquet_hasTheRowsOfJson) {
    algebra::Experiment experiment = algebra::readExperiment(file("a.cubex"));
    algebra::Metric nothing;
    nothing.uniqueName = nothing.displayName = "nothing";
    experiment.metrics.add(nothing);
    experiment.regions.front().name = "main, \"ü\"";
    algebra::writeExperiment(experiment, file("b.cubex"));
    for (const std::vector<std::string>& options :
         {std::vector<std::string>{}, {"--zeros"}, {"--metric", "half"}, {"--metric", "nothing"}}) {
        std::vector<std::string> json{"export", file("b.cubex"), "--format", "json", "-o", file("b.json")};
        std::vector<std::string> parquet{"export", file("b.cubex"),  "--format", "parquet",
                                         "-o",     file("b.parquet")};
        json.insert(json.end(), options.begin(), options.end());
        parquet.insert(parquet.end(), options.begin(), options.end());
        EXPECT_EQ(holos(json).output, "");
        EXPECT_EQ(holos(parquet).output, "");
        EXPECT_EQ(rowsOfParquet(file("b.parquet")), nlohmann::ordered_json::parse(contentOf(file("b.json"))));
    }
}

TEST_F(ForOtherTools, parquetOfManyRows_hasAllGroupsOfThem) {
    constexpr int kProcesses = 300, kPaths = 450;  // 135,000 rows
    SmallExperiment experiment(kProcesses, 1);
    SmallExperiment::Rows rows;
    for (int path = 0; path < kPaths; ++path) {
        std::vector<double> values(kProcesses);
        for (int process = 0; process < kProcesses; ++process) values[process] = path + process / 1000.0;
        rows.push_back({"main/work " + std::to_string(path), values});
    }
    algebra::writeExperiment(experiment.metric(seconds("time"), "", rows).take(), file("many.cubex"));
    EXPECT_EQ(holos({"export", file("many.cubex"), "--format", "parquet", "--zeros", "-o", file("m.parquet")})
                  .output,
              "");
    const auto read = rowsOfParquet(file("m.parquet"));
    ASSERT_EQ(read.size(), std::size_t{kProcesses} * (kPaths + 1));
    double sum = 0;
    for (const auto& row : read) sum += row["value"].get<double>();
    EXPECT_NEAR(sum, kProcesses * kPaths * ((kPaths - 1) / 2.0 + (kProcesses - 1) / 2000.0), 1e-3);
    EXPECT_EQ(read.back()["call_path"], "main/work 449");
    EXPECT_EQ(read.back()["rank"], kProcesses - 1);
}

TEST_F(ForOtherTools, parquet_hasNoTableOfMessages) {
    EXPECT_EQ(holos({"export", file("a.cubex"), "--format", "parquet", "--communication"}).exitCode, 2);
}

TEST_F(ForOtherTools, hatchetsTree_hasEachMetricAloneAndInclusive) {
    const auto roots = hatchet({});
    ASSERT_EQ(roots.size(), 1U);
    EXPECT_EQ(roots[0]["frame"]["name"], "main");
    EXPECT_DOUBLE_EQ(roots[0]["metrics"]["time"].get<double>(), 0.5);
    EXPECT_DOUBLE_EQ(roots[0]["metrics"]["time (inc)"].get<double>(), 3.000001);
    EXPECT_DOUBLE_EQ(roots[0]["metrics"]["faults"].get<double>(), 10);
    EXPECT_FALSE(roots[0]["metrics"].contains("half"));
    const auto& step = roots[0]["children"][0];
    EXPECT_EQ(step["frame"]["name"], "step 2");
    EXPECT_DOUBLE_EQ(step["metrics"]["faults (inc)"].get<double>(), -7);
    EXPECT_FALSE(step["children"][0].contains("children"));
    EXPECT_FALSE(hatchet({"--metric", "faults"})[0]["metrics"].contains("time"));
    EXPECT_EQ(holos({"export", file("a.cubex"), "--format", "hatchet", "--metric", "half"}).exitCode, 2);
}

TEST_F(ForOtherTools, hatchetsTree_isReadByHatchet) {
    if (!hasModule("hatchet")) GTEST_SKIP() << "Python has no module hatchet";
    hatchet({});
    const auto read = runCommand(
        {"python3", "-c",
         "import hatchet, json, sys\n"
         "frame = hatchet.GraphFrame.from_literal(json.load(open(sys.argv[1])))\n"
         "print(sorted(frame.exc_metrics), sorted(frame.inc_metrics), frame.dataframe['time'].sum())",
         file("h.json")});
    EXPECT_EQ(read.output, "['faults', 'time'] ['faults (inc)', 'time (inc)'] 3.000001\n");
}

TEST_F(ForOtherTools, plainExperiment_isReadByPycubexr) {
    if (!hasModule("pycubexr")) GTEST_SKIP() << "Python has no module pycubexr";
    ASSERT_EQ(holos({"convert", file("a.cubex"), file("plain.cubex"), "--plain"}).exitCode, 0);
    const auto read = runCommand(
        {"python3", "-c",
         "import pycubexr, sys\n"
         "with pycubexr.CubexParser(sys.argv[1]) as experiment:\n"
         "    values = experiment.get_metric_values(experiment.get_metric_by_name('time'))\n"
         "    alone = [values.value(path, convert_to_exclusive=True) for path in experiment.all_cnodes()]\n"
         "    print(sorted(metric.name for metric in experiment.all_metrics()), round(float(sum(alone)), 6))",
         file("plain.cubex")});
    EXPECT_EQ(read.output, "['faults', 'time'] 3.000001\n");
}

class ForExtraP : public ForOtherTools {
  protected:
    ForExtraP() {
        for (const int processes : {1, 2, 4})
            algebra::writeExperiment(
                SmallExperiment(processes, 1)
                    .metric(seconds("time"), "",
                            {{"main", std::vector<double>(processes, 1.0 / processes)},
                             {"main/operator->", std::vector<double>(processes, processes)}})
                    .take(),
                file("p" + std::to_string(processes) + ".cubex"));
    }
    std::vector<std::string> experiments() const {
        return {file("p1.cubex"), file("p2.cubex"), file("p4.cubex")};
    }
    CommandResult extrap(std::vector<std::string> options) const {
        std::vector<std::string> words{"export", "--format", "extrap"};
        for (const std::string& one : experiments()) words.push_back(one);
        words.insert(words.end(), options.begin(), options.end());
        return holos(words);
    }
};

TEST_F(ForExtraP, runs_haveTheMeanOfTheirThreadsInEachCallPath) {
    EXPECT_EQ(extrap({}).output,
              R"({"params":{"processes":1.0},"callpath":"main","metric":"time","value":1}
{"params":{"processes":1.0},"callpath":"main->operator-.","metric":"time","value":1}
{"params":{"processes":2.0},"callpath":"main","metric":"time","value":0.5}
{"params":{"processes":2.0},"callpath":"main->operator-.","metric":"time","value":2}
{"params":{"processes":4.0},"callpath":"main","metric":"time","value":0.25}
{"params":{"processes":4.0},"callpath":"main->operator-.","metric":"time","value":4}
)");
}

TEST_F(ForExtraP, furtherParameters_haveAValueForEachRun) {
    EXPECT_THAT(extrap({"--parameter", "cells=10,20,30"}).output,
                HasSubstr(R"({"params":{"processes":4.0,"cells":30.0},"callpath":"main",)"));
    EXPECT_EQ(extrap({"--parameter", "cells=10,20"}).exitCode, 2);
    EXPECT_EQ(extrap({"--metric", "faults"}).exitCode, 2);
    EXPECT_EQ(extrap({"--zeros"}).exitCode, 2);
    EXPECT_THAT(holos({"export", file("p1.cubex"), "--format", "extrap"}).output, HasSubstr("same size"));
}

TEST_F(ForExtraP, runs_areReadByExtraP) {
    if (!hasModule("extrap")) GTEST_SKIP() << "Python has no module extrap";
    extrap({"-o", file("study.jsonl")});
    const auto read =
        runCommand({"python3", "-c",
                    "import sys\n"
                    "from extrap.fileio.file_reader.jsonlines_file_reader import read_jsonlines_file\n"
                    "study = read_jsonlines_file(sys.argv[1])\n"
                    "print([str(p) for p in study.parameters], len(study.coordinates), [c.name for c in "
                    "study.callpaths])",
                    file("study.jsonl")});
    EXPECT_EQ(read.output, "['processes'] 3 ['main', 'main->operator-.']\n");
}

}  // namespace
}  // namespace holos::testing

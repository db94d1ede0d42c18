// SPDX-License-Identifier: BSD-3-Clause
// holos show, holos info
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "algebra/files/cubex.h"
#include "algebra/model/wait_files.h"
#include "tests/cli/command_test.h"
#include "tests/support/small_experiment.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

algebra::Metric metric(const std::string& name, const std::string& shown, const std::string& unit) {
    algebra::Metric made;
    made.uniqueName = name;
    made.displayName = shown;
    made.unit = unit;
    return made;
}

/// `time` is 10 s in all: 1 + 2 in main, 3 + 4 in main/MPI_Recv; 2 s + 0.5 s of it wait for late senders.
class Show : public CommandTest {
  protected:
    Show() {
        SmallExperiment build(2, 1);
        build.metric(metric("time", "Time", "sec"), "", {{"main", {1, 2}}, {"main/MPI_Recv", {3, 4}}});
        build.metric(metric("mpi_latesender", "Late Sender", "sec"), "time", {{"main/MPI_Recv", {2, 0.5}}});
        build.metric(metric("nothing", "Nothing", "occ"), "", {});
        algebra::Metric ratio = metric("ratio", "~Waiting \"share\", all", "");
        ratio.origin = algebra::Origin::Ratio;
        ratio.incomplete = true;
        ratio.storage = algebra::Storage::PostDerived;
        ratio.expression = "metric::mpi_latesender() / metric::time()";
        build.metric(ratio, "", {});
        algebra::Metric strange = metric("strange", "Strange", "");
        strange.storage = algebra::Storage::PostDerived;
        strange.expression = "strange(2)";
        build.metric(strange, "", {});
        algebra::writeCubex(build.take(), file_);
    }

    std::string file_ = file("run.cubex");
};

/// A thread of 4 s and one of 2 s, and the samples of both.
class ShowSampled : public CommandTest {
  protected:
    ShowSampled() {
        SmallExperiment build(2, 2);
        build.metric(metric("time", "Time", "sec"), "", {{"main", {4, 0, 2, 0}}});
        build.metric(metric("execution", "Execution", "sec"), "time", {{"main", {4, 0, 2, 0}}});
        build.metric(metric("memory", "Memory", "bytes"), "", {{"main", {0, 30, 0, 50}}});
        algebra::Experiment experiment = build.take();
        for (const std::size_t at : {1U, 3U}) {
            experiment.system.locations[at].type = algebra::Location::Type::Metric;
            experiment.system.locations[at].name = "Samples";
        }
        algebra::writeCubex(experiment, file_);
    }

    std::string file_ = file("run.cubex");
};

TEST_F(ShowSampled, metric_isSpreadOverThreads) {
    const auto result = holos({"show", file_, "--metric", "time"});
    EXPECT_THAT(result.output, HasSubstr("mean 3.000000, standard deviation 1.000000, imbalance 33.3 %"));
    EXPECT_THAT(result.output, Not(HasSubstr("Samples")));
    EXPECT_THAT(result.output, Not(HasSubstr("locations more")));
    const auto csv = holos({"show", file_, "--metric", "time", "--format", "csv"});
    EXPECT_THAT(csv.output, Not(HasSubstr("Samples")));
    const auto json =
        nlohmann::json::parse(holos({"show", file_, "--metric", "time", "--format", "json"}).output);
    EXPECT_EQ(json["distribution"]["count"], 2);
    EXPECT_EQ(json["distribution"]["minimum"], 2);
    EXPECT_EQ(json["locations"].size(), 2U);
}

TEST_F(ShowSampled, metricOfSamplesAlone_isSpreadOverThem) {
    const auto result = holos({"show", file_, "--metric", "memory"});
    EXPECT_THAT(result.output, HasSubstr("mean 40, "));
    EXPECT_THAT(result.output, HasSubstr("MPI Rank 1 / Samples"));
    EXPECT_THAT(result.output, Not(HasSubstr("locations more")));
}

TEST_F(ShowSampled, locations_areNoThreads) {
    EXPECT_THAT(holos({"show", file_}).output, HasSubstr("4 locations, 2 of them threads"));
    EXPECT_THAT(holos({"check", file_}).output, HasSubstr("4 locations, 2 of them threads"));
    EXPECT_THAT(holos({"info", file_}).output, HasSubstr("Locations: 4\n  2 threads; "));
}

TEST_F(ShowSampled, report_comparesThreads) {
    holos({"report", file_, "-o", file("report.html")});
    const std::string page = contentOf(file("report.html"));
    EXPECT_THAT(page, HasSubstr("largest 4.000000 sec over 2 locations"));
    EXPECT_THAT(page, HasSubstr("largest 33 % above the mean"));
    EXPECT_THAT(page, Not(HasSubstr("largest 167 % above the mean")));
}

TEST_F(Show, text_listsMetricsAndWaitStates) {
    const auto result = holos({"show", file_});
    EXPECT_EQ(result.exitCode, 0);
    EXPECT_THAT(result.output, HasSubstr("10.000000 sec 100.0 %  Time\n"));
    EXPECT_THAT(result.output, HasSubstr("2.500000 sec  25.0 %  └─ Late Sender\n"));
    EXPECT_THAT(result.output, HasSubstr("0.25 "));
    EXPECT_THAT(result.output, HasSubstr("~Waiting"));
    EXPECT_THAT(result.output, HasSubstr("Strange  (not evaluated: "));
    EXPECT_THAT(result.output, HasSubstr("a receiver waits for its sender"));
    EXPECT_THAT(result.output, HasSubstr("2.500000 100.0 %  main/MPI_Recv\n"));
    EXPECT_THAT(result.output, HasSubstr("2.000000  80.0 %  ████████████████████ "));
    EXPECT_THAT(result.output, HasSubstr("0.500000  20.0 %  █████ "));
    EXPECT_THAT(result.output, Not(HasSubstr("Nothing")));
    EXPECT_THAT(result.output, Not(HasSubstr("\x1b")));
    EXPECT_THAT(holos({"show", file_, "--all"}).output, HasSubstr("Nothing"));
}

TEST_F(Show, oneMetric_listsHottestCallPaths) {
    const auto result = holos({"show", file_, "--metric", "TIME", "--top", "1"});
    EXPECT_EQ(result.exitCode, 0);
    EXPECT_THAT(result.output, HasSubstr("7.000000  70.0 %  main/MPI_Recv\n"));
    EXPECT_THAT(result.output, Not(HasSubstr("30.0 %  main\n")));
}

TEST_F(Show, oneMetric_showsTheDistribution) {
    const std::string output = holos({"show", file_, "--metric", "time"}).output;
    EXPECT_THAT(output, HasSubstr("quartiles 4.000000 | 4.500000 | 5.000000 | 5.500000 | 6.000000\n"));
    EXPECT_THAT(output, HasSubstr("mean 5.000000, standard deviation 1.000000, imbalance 20.0 %\n"));
    EXPECT_THAT(output, HasSubstr("4.000000 |█              █| 6.000000\n"));
}

TEST_F(Show, difference_isOrderedByMagnitude) {
    SmallExperiment build(2, 1);
    build.metric(metric("time", "Time", "sec"), "",
                 {{"main", {1, 1}}, {"main/f", {-3, -4}}, {"main/g", {0, 2}}});
    const std::string diff = file("diff.cubex");
    algebra::writeCubex(build.take(), diff);
    const auto one =
        nlohmann::json::parse(holos({"show", diff, "--format", "json", "--metric", "time"}).output);
    EXPECT_EQ(one["callPaths"][0]["callPath"], "main/f");
    EXPECT_EQ(one["locations"][0]["value"], -2.0);
    EXPECT_TRUE(one["distribution"]["imbalance"].is_null());
    EXPECT_THAT(holos({"show", diff, "--metric", "time"}).output, HasSubstr("-7.000000 233.3 %  main/f"));
}

TEST_F(Show, callPaths_sayWhereTheyAreCalled) {
    algebra::Experiment experiment =
        SmallExperiment(2, 1).metric(metric("time", "Time", "sec"), "", {{"main/f", {3, 4}}}).take();
    algebra::CallPath& call = experiment.callTree[algebra::CallPathId(1)];
    call.module = "/src/app/main.c";
    call.line = 17;
    const std::string sites = file("sites.cubex");
    algebra::writeCubex(experiment, sites);
    const auto shown = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"show", sites, "--metric", "time"});
        return holos(more).output;
    };
    EXPECT_THAT(shown({}), HasSubstr("7.000000 100.0 %  main/f @main.c:17\n"));
    EXPECT_THAT(shown({"--tree", "calls"}), HasSubstr("└─ f @main.c:17\n"));
    EXPECT_THAT(shown({"--format", "csv"}), HasSubstr("\nmain/f @main.c:17,"));
    const auto json = nlohmann::json::parse(shown({"--format", "json"}));
    EXPECT_EQ(json["callPaths"][0]["callPath"], "main/f @main.c:17");
    EXPECT_EQ(json["callPaths"][0]["calledAt"], "/src/app/main.c:17");
    const auto tree = nlohmann::json::parse(shown({"--tree", "calls", "--format", "json"}));
    EXPECT_TRUE(tree["lines"][0]["calledAt"].is_null());
    EXPECT_EQ(tree["lines"][1]["calledAt"], "/src/app/main.c:17");
}

TEST_F(Show, csv_isExactAndQuoted) {
    EXPECT_THAT(holos({"show", file_, "--format", "csv"}).output,
                HasSubstr("metric,display_name,parent,unit,value,percent_of_root\n"
                          "time,Time,,sec,10,100\n"
                          "mpi_latesender,Late Sender,time,sec,2.5,25\n"
                          "nothing,Nothing,,occ,0,\n"
                          "ratio,\"~Waiting \"\"share\"\", all\",,,0.25,\n"
                          "strange,Strange,,,,\n"));
    EXPECT_THAT(holos({"show", file_, "--format", "csv", "--metric", "time"}).output,
                HasSubstr("main,app.c,"));
}

TEST_F(Show, json_isOneDocument) {
    const auto whole = nlohmann::json::parse(holos({"show", file_, "--format", "json"}).output);
    EXPECT_EQ(whole["metrics"].size(), 5U);
    EXPECT_EQ(whole["metrics"][3]["incomplete"], true);
    EXPECT_TRUE(whole["metrics"][4]["value"].is_null());
    EXPECT_EQ(whole["waitStates"][0]["metric"], "mpi_latesender");
    EXPECT_EQ(whole["waitStates"][0]["locations"][0]["value"], 2.0);
    const auto one =
        nlohmann::json::parse(holos({"show", file_, "--format", "json", "--metric", "time"}).output);
    EXPECT_EQ(one["callPaths"][0]["callPath"], "main/MPI_Recv");
    EXPECT_EQ(one["callPaths"][0]["exclusive"], 7.0);
    EXPECT_EQ(one["callPaths"][1]["inclusive"], 10.0);
    EXPECT_EQ(one["distribution"]["median"], 5.0);  // 4 and 6
    EXPECT_EQ(one["distribution"]["standardDeviation"], 1.0);
}

/// Two ranks of two threads: `time` is 1 + 2 + 3 + 4 in main, and 90 in main/f/g, where 2 × 45 are on rank 1.
class ShowTrees : public Show {
  protected:
    ShowTrees() {
        SmallExperiment build(2, 2);
        build.metric(metric("time", "Time", "sec"), "",
                     {{"main", {1, 2, 3, 4}}, {"main/f/g", {0, 0, 45, 45}}, {"main/h", {0.5, 0, 0, 0}}});
        build.metric(metric("calls", "Calls", "occ"), "", {{"main", {1, 0, 1, 0}}, {"main/f", {3, 2, 4, 1}}});
        algebra::Metric ratio = metric("each", "Each", "sec");
        ratio.origin = algebra::Origin::Ratio;
        ratio.storage = algebra::Storage::PostDerived;
        ratio.expression = "metric::time() / metric::calls()";
        build.metric(ratio, "", {});
        algebra::writeCubex(build.take(), file_);
    }
};

TEST_F(ShowTrees, calls_haveInclusiveAndExclusiveValues) {
    const std::string output = holos({"show", file_, "--tree", "calls"}).output;
    EXPECT_THAT(output, HasSubstr("Time  [time]  100.500000 sec"));
    EXPECT_THAT(output, HasSubstr("      100.500000       10.000000  100.0 %  main\n"
                                  "       90.000000        0.000000   89.6 %  └─ f\n"
                                  "       90.000000       90.000000   89.6 %     └─ g\n"
                                  "not listed, too small or too deep: 1 ("));
    EXPECT_THAT(holos({"show", file_, "--tree", "calls", "--hide", "0"}).output,
                HasSubstr("        0.500000        0.500000    0.5 %  └─ h\n"));
    EXPECT_THAT(holos({"show", file_, "--tree", "calls", "--depth", "2"}).output, Not(HasSubstr("└─ g")));
}

TEST_F(ShowTrees, partsOfARatio_areNoSharesOfIt) {
    const std::string output = holos({"show", file_, "--metric", "each"}).output;
    EXPECT_THAT(output, HasSubstr("Hottest call paths"));
    EXPECT_THAT(output, HasSubstr("5.000000          main\n"));
    EXPECT_THAT(output, Not(HasSubstr(" %  ")));
}

TEST_F(ShowTrees, system_addsUpProcessesAndNodes) {
    const std::string output = holos({"show", file_, "--tree", "system", "--metric", "time"}).output;
    EXPECT_THAT(output, HasSubstr("100.500000  100.0 %"));
    EXPECT_THAT(output, HasSubstr("3.500000    3.5 %     ├─ MPI Rank 0\n"));
    EXPECT_THAT(output, HasSubstr("97.000000   96.5 %     └─ MPI Rank 1\n"));
    EXPECT_THAT(output, HasSubstr("49.000000   48.8 %        └─ "));
    // 100.5 s / 12 calls; 97 s / 6 calls on rank 1
    const auto ratio = nlohmann::json::parse(
        holos({"show", file_, "--tree", "system", "--metric", "each", "--format", "json"}).output);
    EXPECT_EQ(ratio["lines"][0]["inclusive"], 100.5 / 12);
    EXPECT_EQ(ratio["lines"][5]["name"], "MPI Rank 1");
    EXPECT_EQ(ratio["lines"][5]["inclusive"], 97.0 / 6);
    EXPECT_TRUE(ratio["lines"][5]["percent"].is_null());
}

TEST_F(ShowTrees, csv_listsEveryCallPath) {
    EXPECT_EQ(holos({"show", file_, "--tree", "calls", "--metric", "calls", "--format", "csv"}).output,
              "level,name,kind,inclusive,exclusive,percent\n"
              "0,main,function,12,2,100\n"
              "1,f,function,10,10,83.33333333333333\n"
              "2,g,function,0,0,0\n"
              "1,h,function,0,0,0\n");
}

TEST_F(ShowTrees, perProcess_addsUpThreads) {
    const auto one = nlohmann::json::parse(
        holos({"show", file_, "--metric", "each", "--per", "processes", "--format", "json"}).output);
    ASSERT_EQ(one["locations"].size(), 2U);
    EXPECT_EQ(one["locations"][0]["process"], "MPI Rank 1");
    EXPECT_TRUE(one["locations"][0]["thread"].is_null());
    EXPECT_EQ(one["locations"][0]["value"], 97.0 / 6);
    EXPECT_EQ(one["distribution"]["maximum"], 97.0 / 6);
    EXPECT_THAT(holos({"show", file_, "--metric", "time", "--per", "nodes"}).output, HasSubstr("\nNodes\n"));
    EXPECT_THAT(holos({"show", file_, "--metric", "calls", "--per", "processes", "--format", "csv"}).output,
                HasSubstr("inclusive,exclusive,MPI Rank 0,MPI Rank 1\nmain/f,app.c,-1,10,10,5,5\n"));
}

TEST_F(ShowTrees, wrongOptions_areRefused) {
    EXPECT_EQ(holos({"show", file_, "--tree", "regions"}).exitCode, 2);
    EXPECT_EQ(holos({"show", file_, "--depth", "2"}).exitCode, 2);
    EXPECT_EQ(holos({"show", file_, "--tree", "calls", "--hide", "101"}).exitCode, 2);
    EXPECT_EQ(holos({"show", file_, "--per", "racks"}).exitCode, 2);
}

/// 60 of 100 misses in main/f (3 s), 1 of 100 in main (1 s).
class ShowFindings : public Show {
  protected:
    ShowFindings() {
        SmallExperiment build(2, 1);
        build.metric(metric("time", "Time", "sec"), "", {{"main", {1, 0}}, {"main/f", {1, 2}}});
        build.counter("access", {{"main", {100, 0}}, {"main/f", {50, 50}}});
        build.counter("miss", {{"main", {1, 0}}, {"main/f", {20, 40}}});
        algebra::writeCubex(build.take(), plain_);
        std::ofstream(specification_) << "ratio RATE = 100 * miss / access\nunit RATE = %\n"
                                         "finding POOR = RATE > 10\nfinding FEW = access < 3\n"
                                         "finding OTHER = tlb > 3\n"
                                         "describe POOR \"Poor use\" \"Use blocks.\"\n"
                                         "describe FEW \"Few\"\ndescribe OTHER \"Other\"\n";
        holos({"derive", plain_, "--spec", specification_, "-o", derived_});
    }

    std::string plain_ = file("plain.cubex");
    std::string derived_ = file("derived.cubex");
    std::string specification_ = file("own.spec");
};

TEST_F(ShowFindings, text_namesCallPathsAndTheirShareOfTime) {
    const auto result = holos({"show", derived_, "--findings"});
    EXPECT_EQ(result.exitCode, 0) << result.output;
    EXPECT_EQ(result.output,
              "Poor use  [POOR]\n"
              "    RATE = 60 % (> 10)\n"
              "    Use blocks.\n"
              "    in 1 call path with 75.0 % of the time:\n"
              "          3.000000  75.0 %  main/f\n"
              "\n"
              "Nowhere: FEW\n"
              "Not known: OTHER (Other): without tlb\n");
}

TEST_F(ShowFindings, csvAndJson_areExact) {
    EXPECT_EQ(holos({"show", derived_, "--findings", "--format", "csv"}).output,
              "finding,title,call_path,module,line,time,percent_of_time,condition,value\n"
              "POOR,Poor use,main/f,app.c,-1,3,75,RATE > 10,60\n");
    const auto json =
        nlohmann::json::parse(holos({"show", derived_, "--findings", "--format", "json"}).output);
    EXPECT_EQ(json["findings"][0]["percentOfTime"], 75.0);
    EXPECT_EQ(json["findings"][0]["conditions"][0]["value"], 60.0);
    EXPECT_EQ(json["findings"][0]["callPaths"][0]["callPath"], "main/f");
    EXPECT_EQ(json["nowhere"][0], "FEW");
    EXPECT_EQ(json["unknown"][0]["why"], "without tlb");
}

TEST_F(ShowFindings, withoutSpecification_saysWhatToDo) {
    const auto result = holos({"show", plain_, "--findings"});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, HasSubstr("plain.cubex: the experiment has no specification"));
    EXPECT_THAT(result.output, HasSubstr("`holos derive`"));
    EXPECT_EQ(holos({"show", derived_, "--findings", "--metric", "time"}).exitCode, 2);
}

TEST_F(Show, info_describesTheExperiment) {
    const auto result = holos({"info", file_});
    EXPECT_EQ(result.exitCode, 0);
    EXPECT_THAT(result.output, HasSubstr("Metrics: 5"));
    EXPECT_THAT(result.output, HasSubstr("Call paths: 2"));
    EXPECT_THAT(result.output, HasSubstr("Locations: 2"));
    EXPECT_THAT(result.output, HasSubstr("derived: metric::mpi_latesender() / metric::time()"));
}

TEST_F(Show, nameOfACounter_isTheMetricThatItBecame) {
    const std::string counted = file("counted.cubex");
    const std::string renamed = file("renamed.cubex");
    algebra::writeCubex(SmallExperiment().counter("task-clock", {{"main", {5, 7}}}).take(), counted);
    ASSERT_EQ(holos({"derive", counted, "--spec", "linux-software", "-o", renamed}).exitCode, 0);
    for (const std::string& file : {counted, renamed})
        for (const char* name : {"task-clock", "task_clock", "TASK-CLOCK"}) {
            const auto result = holos({"show", file, "--metric", name});
            EXPECT_EQ(result.exitCode, 0) << name << ": " << result.output;
        }
}

TEST_F(Show, wordsThatAreNearlyRight_areToldWhatWasMeant) {
    const auto said = [](std::vector<std::string> words) {
        const auto outcome = holos(std::move(words));
        EXPECT_EQ(outcome.exitCode, 2) << outcome.output;
        return outcome.output.substr(0, outcome.output.find('\n'));
    };
    EXPECT_EQ(said({"shwo", file_}), "holos: no command 'shwo'; did you mean 'show'?");
    EXPECT_EQ(said({"spec", "lsit"}), "holos: no command 'spec lsit'; did you mean 'list'?");
    EXPECT_EQ(said({"show", "--metrc=time", file_}),
              "holos: not understood: --metrc=time; did you mean '--metric'?");
    EXPECT_EQ(said({"show", file_, "--top"}), "holos: --top needs a value");
    EXPECT_EQ(said({"spec", "list", "one", "two", "three"}), "holos: not understood: one two three");
    EXPECT_EQ(said({"counters", "validate", "--together"}), "holos: --together needs --events");
    EXPECT_EQ(said({"analyze", file_, "--finish", "--snapshot"}),
              "holos: --snapshot cannot be combined with --finish");
    EXPECT_EQ(said({"diff", file_, "-o", "c.cubex"}), "holos: inputs: needs at least 2, but was given 1");
    EXPECT_EQ(said({"merge", "-o", "c.cubex"}), "holos: inputs are missing");
    EXPECT_EQ(said({"analyze", file_, "--memory", "lots"}),
              "holos: --memory: expected a size such as 512M or 10G, not 'lots'");
    EXPECT_EQ(said({"analyze", file_, "--memory", "-5G"}),
              "holos: --memory: expected a size such as 512M or 10G, not '-5G'");
    EXPECT_EQ(said({"plot", file_, "--parts", "0"}),
              "holos: --parts: expected a number from 1 to 100000, not '0'");
}

TEST_F(Show, helpBeforeACommand_isThatOfTheCommand) {
    const auto asked = holos({"help", "spec", "plan"});
    EXPECT_EQ(asked.exitCode, 0);
    EXPECT_EQ(asked.output, holos({"spec", "plan", "--help"}).output);
    EXPECT_EQ(holos({"help"}).output, holos({"--help"}).output);
}

TEST_F(Show, wrongInput_isNamedAndFails) {
    const std::string other = file("other.cubex");
    std::ofstream(other) << "something else";
    for (const std::string command : {"show", "info"}) {
        const auto missing = holos({command, file("missing.cubex")});
        EXPECT_EQ(missing.exitCode, 1);
        EXPECT_THAT(missing.output, HasSubstr("missing.cubex: cannot be opened"));
        const auto foreign = holos({command, other});
        EXPECT_EQ(foreign.exitCode, 1);
        EXPECT_THAT(foreign.output, HasSubstr("other.cubex: is not an experiment"));
    }
    const auto unknown = holos({"show", file_, "--metric", "late"});
    EXPECT_EQ(unknown.exitCode, 2);
    EXPECT_THAT(unknown.output, HasSubstr("there is no metric \"late\"; similar: mpi_latesender"));
    EXPECT_THAT(holos({"show", file_, "--metric", "tiem"}).output, HasSubstr("did you mean 'time'?"));
    const auto format = holos({"show", file_, "--format", "pdf"});
    EXPECT_EQ(format.exitCode, 2);
    EXPECT_THAT(format.output, HasSubstr("holos: --format: 'pdf' is none of text, csv, json\n"));
    const auto none = holos({"show"});
    EXPECT_EQ(none.exitCode, 2);
    EXPECT_THAT(none.output, HasSubstr("holos: file is missing\n'holos show --help' shows how it is used\n"));
    EXPECT_THAT(holos({"spec"}).output, HasSubstr("holos: a command is missing\n'holos spec --help'"));
    EXPECT_THAT(holos({"show", file_, "--colour"}).output, HasSubstr("holos: not understood: --colour\n"));
    EXPECT_THAT(holos({"show", file_, "--depth", "2"}).output, HasSubstr("holos: --depth needs --tree\n"));
    EXPECT_THAT(holos({"show", file_, "--findings", "--all"}).output, HasSubstr(" cannot be combined with "));
    const auto profile = holos({"show", file_, "--efficiencies"});
    EXPECT_EQ(profile.exitCode, 1);
    EXPECT_THAT(profile.output, HasSubstr("no metric \"comp\""));
    const auto untraced = holos({"show", file_, "--instances"});
    EXPECT_EQ(untraced.exitCode, 1);
    EXPECT_THAT(untraced.output, HasSubstr("run.cubex: holds no instances of waiting"));
    const auto silent = holos({"show", file_, "--communication"});
    EXPECT_EQ(silent.exitCode, 1);
    EXPECT_THAT(silent.output, HasSubstr("run.cubex: does not say who sent what to whom"));
    EXPECT_EQ(holos({"show", file_, "--efficiencies", "--metric", "time"}).exitCode, 2);
    EXPECT_EQ(holos({"info", folder_.path().string()}).exitCode, 1);
}

TEST_F(Show, folderWithoutExperiment_orNegativeNumber_isRefusedInWords) {
    const auto folder = holos({"show", folder_.path().string()});
    EXPECT_EQ(folder.exitCode, 1);
    EXPECT_THAT(folder.output, HasSubstr(folder_.path().string() + ": is a folder without an experiment"));
    const auto negative = holos({"show", file_, "--metric", "time", "--top", "-3"});
    EXPECT_EQ(negative.exitCode, 2);
    EXPECT_THAT(negative.output, HasSubstr("--top: '-3' is no whole number from 0 on"));
}

TEST_F(Show, folderOfAnAnalysis_isItsExperiment) {
    std::filesystem::copy_file(file_, file("profile.cubex"));
    const std::string folder = folder_.path().string();
    EXPECT_THAT(holos({"show", folder}).output, HasSubstr("Late Sender"));
    EXPECT_EQ(holos({"mean", folder, file_, "-o", file("analysis.cubex")}).exitCode, 0);
    EXPECT_EQ(holos({"check", folder}).output, holos({"check", file("analysis.cubex")}).output);
}

TEST_F(Show, info_saysWhoWroteATrace) {
    // Behind mark, versions and sizes: machine, creator and description, each with a NUL.
    std::ofstream(folder_.path() / "APEX.otf2", std::ios::binary)
        << std::string(46, '\0') << '\0' << "APEX version 2\nand more" << '\0' << '\0'
        << std::string(4, '\0');
    EXPECT_THAT(holos({"info", folder_.path().string()}).output, HasSubstr("recorded by APEX version 2\n"));
}

TEST_F(Show, info_describesATrace) {
    std::ofstream(folder_.path() / "traces.otf2") << "x";
    EXPECT_THAT(holos({"info", folder_.path().string()}).output, HasSubstr("recorded by another tool"));
    std::ofstream(folder_.path() / "measurement.json")
        << R"({"command": ["./app", "1"], "host": {"name": "n"}})";
    const auto result = holos({"info", folder_.path().string()});
    EXPECT_EQ(result.exitCode, 0);
    EXPECT_THAT(result.output, HasSubstr("  command: ./app 1\n"));
    EXPECT_THAT(result.output, HasSubstr("    name: n\n"));
    EXPECT_THAT(result.output, HasSubstr("  damaged: "));
    std::ofstream(folder_.path() / "measurement.json") << "{";
    EXPECT_EQ(holos({"info", folder_.path().string()}).exitCode, 1);
}

TEST_F(Show, info_optionsOfTheRecordingThatWereNotGiven_areLeftOut) {
    TraceBuilder(2).write(folder_.path());
    std::ofstream(folder_.path() / "measurement.json")
        << R"({"clock": null, "settings": {"buffer": null, "filter": "", "profile": false, "sleep": "seen"}})";
    const std::string info = holos({"info", folder_.path().string()}).output;
    EXPECT_THAT(info, HasSubstr("  settings:\n    profile: false\n    sleep: seen\n"));
    EXPECT_THAT(info, HasSubstr("  clock: not known\n"));
}

TEST_F(Show, info_processesAndThreads_onlyInDetail) {
    TraceBuilder(2).write(folder_.path());
    std::ofstream(folder_.path() / "measurement.json")
        << R"({"command": ["./app"], "filter": "", "processes": [{"pid": 7}]})";
    const std::string archive = folder_.path().string();
    const std::string summary = holos({"info", archive}).output;
    EXPECT_THAT(summary, HasSubstr("command: ./app"));
    EXPECT_THAT(summary, Not(HasSubstr("pid: 7")));
    EXPECT_THAT(summary, Not(HasSubstr("filter:")));
    const std::string all = holos({"info", "--all", archive}).output;
    EXPECT_THAT(all, HasSubstr("pid: 7"));
    EXPECT_THAT(all, HasSubstr("filter:"));
}

TEST_F(Show, info_traceWithoutMeasurement_isWhatItsDefinitionsSay) {
    TraceBuilder trace(2);
    trace.on(0).enter(0, "main").send(6000, 7000, {.peer = 1}).leave(10000);
    trace.on(1).enter(0, "main").recv(2000, 7000, {.peer = 0}).leave(10000);
    const std::string text = holos({"info", trace.write(folder_.path()).string()}).output;
    EXPECT_THAT(text, HasSubstr("10 events in 10 s"));
    EXPECT_THAT(text, HasSubstr("2 processes, 2 threads"));
    EXPECT_THAT(text, HasSubstr("2 of mpi"));
    EXPECT_THAT(text, HasSubstr("there is no measurement.json"));
}

/// `main` calls `solve` at line 10: 1 sample there, 6 in line 20 of `solve`, 3 in line 11 of `main`.
class ShowLines : public Show {
  protected:
    ShowLines() {
        SmallExperiment build(1, 1);
        build.metric(metric("samples", "samples", "occ"), "",
                     {{"main/app.c:10", {1}}, {"main/app.c:10/solve/app.c:20", {6}}, {"main/app.c:11", {3}}});
        algebra::Experiment experiment = build.take();
        for (algebra::Region& region : experiment.regions)
            if (const auto colon = region.name.find(':'); colon != std::string::npos)
                region.beginLine = std::stol(region.name.substr(colon + 1));
        algebra::writeCubex(std::move(experiment), file_);
    }
};

TEST_F(ShowLines, csv_hasLinesAloneAndWithWhatTheyCall) {
    EXPECT_EQ(holos({"show", file_, "--lines", "--format", "csv"}).output,
              "file,line,own,inclusive\n"
              "app.c,20,6,6\n"
              "app.c,11,3,3\n"
              "app.c,10,1,7\n");
}

TEST_F(ShowLines, timeOfAFunction_isThatOfItsLinesBySamples) {
    SmallExperiment build(1, 1);
    build.metric(metric("time", "Time", "sec"), "", {{"main", {8}}});
    build.metric(metric("samples", "samples", "occ"), "", {{"main/app.c:10", {1}}, {"main/app.c:11", {3}}});
    algebra::Experiment experiment = build.take();
    for (algebra::Region& region : experiment.regions)
        if (region.name != "main") {
            region.beginLine = region.endLine = std::stol(region.name.substr(6));
            region.role = "code";
        }
    algebra::writeCubex(std::move(experiment), file_);
    EXPECT_EQ(holos({"show", file_, "--lines", "--metric", "time", "--format", "csv"}).output,
              "file,line,own,inclusive\n"
              "app.c,11,6,6\n"
              "app.c,10,2,2\n");
    EXPECT_THAT(holos({"show", file_, "--lines", "--metric", "time"}).output,
                HasSubstr("divided among its lines by samples"));
}

TEST_F(ShowLines, text_hasTheHottestFirst) {
    const auto result = holos({"show", file_, "--lines", "--top", "2"});
    EXPECT_EQ(result.exitCode, 0);
    EXPECT_THAT(result.output,
                ::testing::ContainsRegex("6 +60.0 % +6 +60.0 % +app.c:20\n.* 3 +30.0 %.*app.c:11"));
    EXPECT_THAT(result.output, Not(HasSubstr("app.c:10")));
}

TEST_F(Show, longNamesOfFunctions_areFoldedInTextOnly) {
    const std::string full =
        "void std::vector<std::pair<int, double>, std::allocator<std::pair<int, double> > "
        ">::_M_realloc_insert<int>(int const&)";
    SmallExperiment build(1, 1);
    build.metric(metric("time", "Time", "sec"), "", {{"main/" + full, {1}}});
    algebra::writeCubex(build.take(), file_);
    const std::vector<std::string> tree{"show", file_, "--tree", "calls"};
    const auto shown = holos(tree).output;
    EXPECT_THAT(shown, HasSubstr(" std::vector<…>::_M_realloc_insert<…>\n"));
    EXPECT_THAT(shown, Not(HasSubstr("allocator")));
    EXPECT_THAT(holos(operator+(tree, {"--full-names"})).output, HasSubstr(full + "\n"));
    EXPECT_THAT(holos(operator+(tree, {"--format", "csv"})).output, HasSubstr(full));
}

TEST_F(Show, longNamesInLongestWaits_areFoldedInTextOnly) {
    const std::string full =
        "void std::vector<std::pair<int, double>, std::allocator<std::pair<int, double> > "
        ">::_M_realloc_insert<int>(int const&)";
    SmallExperiment build(1, 1);
    build.metric(metric("time", "Time", "sec"), "", {{"main/" + full + "/MPI_Recv", {1}}});
    build.file(algebra::kInstancesFile,
               "metric\twait\tbegin\tlocation\tawaited\tcall_path\nmpi_latesender\t1\t2\tMPI Rank 0 / Master "
               "thread\t\tmain/" +
                   full + "/MPI_Recv\n");
    algebra::writeCubex(build.take(), file_);
    const std::vector<std::string> waits{"show", file_, "--instances"};
    EXPECT_THAT(holos(waits).output, HasSubstr("  main/std::vector<…>::_M_realloc_insert<…>/MPI_Recv\n"));
    EXPECT_THAT(holos(operator+(waits, {"--full-names"})).output, HasSubstr(full + "/MPI_Recv\n"));
    EXPECT_THAT(holos(operator+(waits, {"--format", "csv"})).output, HasSubstr(full));
}

TEST_F(Show, linesOfExperimentWithoutAny_areAnError) {
    const auto result = holos({"show", file_, "--lines"});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, HasSubstr("no source line is known"));
}

}  // namespace
}  // namespace holos::testing

// SPDX-License-Identifier: BSD-3-Clause
// holos analyze
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "algebra/files/cubex.h"
#include "tests/cli/command_test.h"
#include "tests/support/damage.h"
#include "tests/support/large_trace.h"
#include "tests/support/recording_switch.h"
#include "tests/support/severity_lookup.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A receive that waits 4 s for its send.
class Analyze : public CommandTest {
  protected:
    Analyze() {
        TraceBuilder trace(2);
        trace.on(0).enter(0, "main").send(6000, 7000, {.peer = 1}).leave(10000);
        trace.on(1).enter(0, "main").recv(2000, 7000, {.peer = 0}).leave(10000);
        anchor_ = trace.write(folder_.path());
    }
    CommandResult analyze(std::vector<std::string> words) const {
        words.insert(words.begin(), "analyze");
        return holos(words);
    }

    std::filesystem::path anchor_;
};

TEST_F(Analyze, directoryOrAnchor_writesTheResultBesideTheTrace) {
    const auto expected = anchor_.parent_path() / "analysis.cubex";
    for (const auto& trace : {anchor_.parent_path(), anchor_}) {
        std::filesystem::remove(expected);
        const auto result = analyze({trace.string()});
        EXPECT_EQ(result.exitCode, 0) << result.output;
        EXPECT_THAT(result.output, HasSubstr("analysis.cubex"));
        EXPECT_NEAR(total(algebra::readCubex(expected), "mpi_latesender"), 4.0, 1e-12);
    }
}

TEST_F(Analyze, linkInThePlaceOfTheResult_isNotFollowedUnlessItIsNamed) {
    const auto result = anchor_.parent_path() / "analysis.cubex";
    const auto thesis = folder_.path() / "thesis.tex";
    std::ofstream(thesis) << "mine";
    std::filesystem::create_symlink(thesis, result);
    const auto refused = analyze({anchor_.string()});
    EXPECT_EQ(refused.exitCode, 1);
    EXPECT_THAT(refused.output, HasSubstr("is a link to " + thesis.string()));
    EXPECT_EQ(std::filesystem::file_size(thesis), 4u);
    EXPECT_EQ(analyze({"-o", result.string(), anchor_.string()}).exitCode, 0);
    EXPECT_GT(std::filesystem::file_size(thesis), 4u);
}

TEST_F(Analyze, fileOfAUserInThePlaceOfAResult_stays) {
    for (const char* name : {"analysis.cubex", "traces.timeline", "traces.course"}) {
        const auto file = anchor_.parent_path() / name;
        std::ofstream(file) << "mine";
        const auto refused = analyze({"--timeline", anchor_.string()});
        EXPECT_EQ(refused.exitCode, 1) << name;
        EXPECT_THAT(refused.output, HasSubstr("is not replaced: move it away"));
        EXPECT_EQ(std::filesystem::file_size(file), 4u) << name;
        std::filesystem::remove(file);
    }
}

TEST_F(Analyze, experimentThatAUserMadeOfTheResult_isNotReplaced) {
    const auto file = anchor_.parent_path() / "analysis.cubex";
    ASSERT_EQ(analyze({anchor_.string()}).exitCode, 0);
    EXPECT_EQ(analyze({anchor_.string()}).exitCode, 0) << "the same result again";
    ASSERT_EQ(holos({"cut", file.string(), "-o", file.string(), "--prune", "MPI_Recv"}).exitCode, 0);
    EXPECT_EQ(analyze({anchor_.string()}).exitCode, 1);
}

TEST_F(Analyze, partOfARun_hasAFileOfItsOwn) {
    ASSERT_EQ(analyze({anchor_.string()}).exitCode, 0);
    const auto result = analyze({"--from", "3", "--to", "5", anchor_.string()});
    EXPECT_EQ(result.exitCode, 0) << result.output;
    const auto part = algebra::readCubex(anchor_.parent_path() / "range.cubex");
    EXPECT_NEAR(testing::total(part, "mpi_latesender"), 2.0, 1e-9) << "of the wait from 2 to 6";
    EXPECT_NEAR(testing::total(part, "time"), 4.0, 1e-9);
    const auto whole = algebra::readCubex(anchor_.parent_path() / "analysis.cubex");
    EXPECT_NEAR(testing::total(whole, "mpi_latesender"), 4.0, 1e-9);
    EXPECT_NEAR(testing::total(whole, "time"), 20.0, 1e-9);
    const auto behind = analyze({"--from", "30", anchor_.string()});
    EXPECT_EQ(behind.exitCode, 2);
    EXPECT_THAT(behind.output, HasSubstr("from 30 s on is no part of the run, which takes 10 s"));
    EXPECT_EQ(analyze({"--from", "1", "--correct-clocks", anchor_.string()}).exitCode, 2);
    EXPECT_EQ(analyze({"--from", "1", "--replay", anchor_.string()}).exitCode, 2);
    EXPECT_EQ(analyze({"--from", "-1", anchor_.string()}).exitCode, 2);
}

TEST_F(Analyze, timeline_isPreparedBesideTheTrace_andNotMadeTwice) {
    const auto file = anchor_.parent_path() / "traces.timeline";
    EXPECT_EQ(analyze({anchor_.string()}).exitCode, 0);
    EXPECT_FALSE(std::filesystem::exists(file));
    const auto result = analyze({"--timeline", anchor_.string()});
    EXPECT_EQ(result.exitCode, 0) << result.output;
    ASSERT_TRUE(std::filesystem::exists(file));
    const auto hour = std::chrono::hours(1);
    const auto made = std::filesystem::last_write_time(file) + hour;
    std::filesystem::last_write_time(file, made);
    EXPECT_EQ(analyze({"--timeline", anchor_.string()}).exitCode, 0);
    EXPECT_EQ(std::filesystem::last_write_time(file), made);
    std::filesystem::last_write_time(anchor_, made + hour);
    EXPECT_EQ(analyze({"--timeline", anchor_.string()}).exitCode, 0);
    EXPECT_NE(std::filesystem::last_write_time(file), made) << "the trace is newer";
}

TEST_F(Analyze, timeThatWasNotRecorded_isSaidFirst_andByShowToo) {
    TraceBuilder trace(1);
    trace.on(0).enter(0, "main").record(switched(trace, 1000, OTF2_MEASUREMENT_OFF));
    trace.on(0).record(switched(trace, 9000, OTF2_MEASUREMENT_ON)).leave(10000);
    const TemporaryDirectory folder;
    const auto file = (folder.path() / "run.cubex").string();
    const std::string said = "80.0 % of the threads' time was not recorded (8.000 of 10.000 s)";
    EXPECT_THAT(analyze({"-o", file, trace.write(folder.path()).string()}).output,
                ::testing::StartsWith("holos: " + said));
    const std::string shown = holos({"show", file}).output;
    EXPECT_THAT(shown, HasSubstr(said));
    EXPECT_LT(shown.find(said), shown.find("Time"));
}

TEST_F(Analyze, clocksCorrected_areSaidToBe) {
    const auto run = file("run.cubex");
    const auto result = analyze({"--correct-clocks", "--clock-parameters", "message=1,slope=0.5", "--verbose",
                                 "-o", run, anchor_.string()});
    EXPECT_EQ(result.exitCode, 0) << result.output;
    // The receive ends 1 s after the enter of its send, which is recorded 1 ns before the message.
    EXPECT_THAT(result.output,
                HasSubstr("1 events came too early after those that they follow; the farthest was "
                          "moved by 0.000000001 s\n"));
}

TEST_F(Analyze, clockParameterUnknownOrAlone_isWrongUsage) {
    const auto unknown = analyze({"--correct-clocks", "--clock-parameters", "speed=1", anchor_.string()});
    EXPECT_EQ(unknown.exitCode, 2);
    EXPECT_THAT(unknown.output, HasSubstr("speed=1: expected NAME=VALUE with control, step"));
    EXPECT_EQ(analyze({"--clock-parameters", "step=1e-8", anchor_.string()}).exitCode, 2);
    EXPECT_EQ(analyze({"--correct-clocks", "--clock-parameters", "slope=0", anchor_.string()}).exitCode, 2);
}

TEST_F(Analyze, outputGiven_isWrittenThere) {
    const auto file = folder_.path() / "elsewhere.cubex";
    EXPECT_EQ(analyze({"-j", "2", "--spec", "none", "-o", file.string(), anchor_.string()}).exitCode, 0);
    EXPECT_TRUE(std::filesystem::exists(file));
}

// Computed are 9 s and 5 s of 10; without the transfer of the message, both ranks would take 9 s.
TEST_F(Analyze, efficienciesOfTheResult_areShown) {
    const auto run = file("run.cubex");
    ASSERT_EQ(analyze({"-o", run, anchor_.string()}).exitCode, 0);
    const auto text = holos({"show", run, "--efficiencies"});
    EXPECT_EQ(text.exitCode, 0) << text.output;
    EXPECT_THAT(text.output, HasSubstr("       10    0.700    0.700    0.778    0.900    1.000    0.900  "
                                       "whole program\n"));
    const auto csv = holos({"show", run, "--efficiencies", "--format", "csv"});
    EXPECT_THAT(csv.output,
                HasSubstr("call_path,runtime,parallel,mpi,mpi_load_balance,mpi_communication,"
                          "mpi_serialisation,mpi_transfer,transfer_by\nwhole program,10,0.7,0.7,"));
    EXPECT_THAT(csv.output, HasSubstr(",estimate\n"));
    const auto json = holos({"show", run, "--efficiencies", "--format", "json"});
    EXPECT_THAT(json.output, HasSubstr("\"mpi_serialisation\": 1.0"));
}

TEST_F(Analyze, longestWaitsOfTheResult_areShown) {
    const auto run = file("run.cubex");
    ASSERT_EQ(analyze({"-o", run, anchor_.string()}).exitCode, 0);
    const auto csv = holos({"show", run, "--instances", "--format", "csv"});
    EXPECT_THAT(csv.output, HasSubstr("metric,wait,begin,location,awaited,call_path\n"
                                      "mpi_latesender,4.000000,2.000000,MPI Rank 1 / Master thread,"
                                      "MPI Rank 0 / Master thread,main/MPI_Recv\n"));
    const auto text = holos({"show", run, "--instances"});
    EXPECT_THAT(text.output, HasSubstr("4.000000     2.000000  mpi_latesender"));
    EXPECT_EQ(holos({"show", run, "--instances", "--metric", "mpi_point2point"}).output, text.output);
    const auto other = holos({"show", run, "--instances", "--metric", "comp"});
    EXPECT_EQ(other.exitCode, 1);
    EXPECT_THAT(other.output, HasSubstr("holds no instances of Computation"));
    const auto json = holos({"show", run, "--instances", "--format", "json"});
    EXPECT_THAT(json.output, HasSubstr("\"wait\": \"4.000000\""));
}

TEST_F(Analyze, communicationOfTheResult_isShownAndExported) {
    const auto run = file("run.cubex");
    ASSERT_EQ(analyze({"-o", run, anchor_.string()}).exitCode, 0);
    const std::string table =
        "sender,receiver,messages,bytes,late_sender,late_receiver,bytes_put,bytes_got\n"
        "MPI Rank 0,MPI Rank 1,1,8,4,0,0,0\n";
    EXPECT_EQ(holos({"show", run, "--communication", "--format", "csv"}).output, table);
    EXPECT_EQ(holos({"export", run, "--communication"}).output, table);
    const auto text = holos({"show", run, "--communication"});
    EXPECT_THAT(text.output, HasSubstr("       4.000000       0.000000  MPI Rank 0 → MPI Rank 1\n"));
    EXPECT_THAT(text.output, HasSubstr("all 1 pairs"));
    const auto json = holos({"export", run, "--communication", "--format", "json"});
    EXPECT_THAT(json.output, HasSubstr("\"lateSender\": 4.0"));
    EXPECT_EQ(holos({"export", run, "--communication", "--zeros"}).exitCode, 2);
}

TEST_F(Analyze, verbose_tellsWhatEachPhaseTook) {
    const auto result = analyze({"--verbose", "--progress", anchor_.string()});
    EXPECT_EQ(result.exitCode, 0) << result.output;
    for (const char* phase : {"definitions", "reading and replay", "matching and patterns", "call tree",
                              "causes", "experiment", "specification, writing"})
        EXPECT_THAT(result.output, HasSubstr(std::string(phase) + " "));
    EXPECT_THAT(result.output, HasSubstr("million events/s"));
}

TEST_F(Analyze, verbose_tellsThatReadingWorksForCausesOnlyWhereThereAreAny) {
    const std::string note = "keeps times by call path for causes";
    EXPECT_THAT(analyze({"--verbose", anchor_.string()}).output, HasSubstr(note));
    EXPECT_THAT(analyze({"--verbose", "--no-causes", anchor_.string()}).output, Not(HasSubstr(note)));
}

/// A trace whose records are some MiB.
class AnalyzeWithLimit : public Analyze {
  protected:
    AnalyzeWithLimit() {
        std::filesystem::create_directory(large());
        writeLargeTrace(large(), {.processes = 3, .rounds = 600, .callsPerRound = 3});
        std::filesystem::create_directory(records());
    }
    std::string large() const { return file("large"); }
    std::string records() const { return file("records"); }

    /// With records kept in this folder.
    CommandResult limited(const std::string& limit, const std::string& folder,
                          const std::string& output) const {
        return runCommand({"env", "TMPDIR=" + folder, HOLOS_PROGRAM, "analyze", "--memory", limit,
                           "--verbose", "-o", output, large()});
    }
};

TEST_F(AnalyzeWithLimit, tooSmallOrLargeEnough_sameBytesAndNothingLeftBehind) {
    ASSERT_EQ(analyze({"-o", file("whole.cubex"), large()}).exitCode, 0);
    for (const char* limit : {"1", "2G"}) {
        const auto run = limited(limit, records(), file("limited.cubex"));
        EXPECT_EQ(run.exitCode, 0) << run.output;
        EXPECT_THAT(run.output, HasSubstr(" MiB of records were in a file"));
        EXPECT_EQ(contentOf(file("limited.cubex")), contentOf(file("whole.cubex"))) << limit;
        EXPECT_TRUE(std::filesystem::is_empty(records()));
    }
}

TEST_F(AnalyzeWithLimit, folderThatTakesNoFiles_isNamedAndLeavesNothing) {
    for (const std::string& folder : {anchor_.string(), file("missing"), std::string("/proc")}) {
        const auto run = limited("1M", folder, file("limited.cubex"));
        EXPECT_EQ(run.exitCode, 1);
        EXPECT_THAT(run.output, HasSubstr(folder + ": no file for records can be made there"));
        EXPECT_THAT(run.output, HasSubstr("choose another folder with TMPDIR"));
        EXPECT_FALSE(std::filesystem::exists(file("limited.cubex")));
    }
}

TEST_F(AnalyzeWithLimit, noRoomForRecords_isAnErrorThatLeavesNothing) {
    const auto run = runCommand({"bash", "-c",
                                 "trap '' XFSZ; ulimit -f 128; exec env TMPDIR='" + records() +
                                     "' " HOLOS_PROGRAM " analyze --memory 1M -o '" + file("limited.cubex") +
                                     "' '" + large() + "'"});
    EXPECT_EQ(run.exitCode, 1);
    EXPECT_THAT(run.output, HasSubstr(records() + ": no room for records"));
    EXPECT_FALSE(std::filesystem::exists(file("limited.cubex")));
    EXPECT_TRUE(std::filesystem::is_empty(records()));
}

TEST_F(AnalyzeWithLimit, limitThatIsNoSize_isWrongUsage) {
    for (const char* limit : {"much", "-1", "2Q"})
        EXPECT_EQ(limited(limit, records(), file("limited.cubex")).exitCode, 2) << limit;
}

TEST_F(Analyze, missingTrace_isNamedAndLeavesNothing) {
    const auto missing = folder_.path() / "nowhere";
    const auto result = analyze({missing.string()});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, HasSubstr(missing.string()));
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "analysis.cubex"));
}

TEST_F(Analyze, missingEventFile_isReportedAndTheRestAnalyzed) {
    std::filesystem::remove(eventFile(anchor_, 1));
    const auto result = analyze({anchor_.string()});
    EXPECT_EQ(result.exitCode, 0) << result.output;
    EXPECT_THAT(result.output, HasSubstr("damaged file"));
    const auto experiment = algebra::readCubex(anchor_.parent_path() / "analysis.cubex");
    EXPECT_THAT(experiment.files.at("holos.diagnoses"), HasSubstr("location"));
}

TEST_F(Analyze, noTrace_isWrongUsage) {
    EXPECT_EQ(analyze({}).exitCode, 2);
}

}  // namespace
}  // namespace holos::testing

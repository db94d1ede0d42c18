// SPDX-License-Identifier: BSD-3-Clause
// What is recorded of functions that `holos cc` compiled: `programs/functions.cpp`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"
#include "tests/tracing/recorded_events.h"

namespace holos::testing {
namespace {

using Words = std::vector<std::string>;

/// The parameter is the compiler.
class RecordedFunctions : public ::testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        if (!std::filesystem::exists(program())) GTEST_SKIP() << "no " << GetParam() << " here";
    }
    std::string program() const { return HOLOS_PROGRAMS "/functions_" + GetParam(); }
    /// The line of the program's source that contains the text.
    static int lineOf(const std::string& text) {
        std::ifstream source(HOLOS_SOURCES "/functions.cpp");
        std::string line;
        int number = 1;
        while (std::getline(source, line) && line.find(text) == std::string::npos) ++number;
        return number;
    }
    static std::uintmax_t bytesOfEvents(const std::filesystem::path& archive) {
        std::uintmax_t bytes = 0;
        for (const auto& file : std::filesystem::directory_iterator(archive / "traces"))
            if (file.path().extension() == ".evt") bytes += file.file_size();
        return bytes;
    }
    std::string filter(const std::string& text) const {
        const auto path = directory_.path() / "filter";
        std::ofstream(path) << text;
        return path;
    }
    std::filesystem::path record(const Words& options = {}) {
        return testing::record(directory_.path(), program(), {}, options);
    }

  private:
    TemporaryDirectory directory_;
};

TEST_P(RecordedFunctions, recursionAndException_balancedAndNamed) {
    const Words all = recordedEvents(record()).at(0);
    const Words events = with(all, {"main", "work::"});
    const Words begin(events.begin(), events.begin() + 11);
    EXPECT_THAT(begin, ::testing::ElementsAre(
                           "ENTER main", "ENTER work::Step::run(int)", "ENTER work::Step::run(int)",
                           "ENTER work::Step::run(int)", "ENTER work::tiny(int)", "LEAVE work::tiny(int)",
                           "LEAVE work::Step::run(int)", "LEAVE work::Step::run(int)",
                           "LEAVE work::Step::run(int)", "ENTER work::fail()", "LEAVE work::fail()"));
    EXPECT_EQ(std::count(events.begin(), events.end(), "ENTER work::tiny(int)"), 52);
    EXPECT_EQ(events.back(), "LEAVE main");
    EXPECT_EQ(events.size(), 2 * (1 + 3 + 2 + 4 + 52));
    if (GetParam() == "gcc") {
        EXPECT_EQ(all.size(), events.size());  // nothing of the library's vector
    }
}

TEST_P(RecordedFunctions, exceptionThroughRecursion_leavesWhatItUnwound) {
    const Words events = with(recordedEvents(record()).at(0), {"work::"});
    const std::string descend = "work::descend(int)";
    const auto first = std::find(events.begin(), events.end(), "ENTER " + descend);
    ASSERT_GE(events.end() - first, 12);
    EXPECT_THAT(Words(first, first + 12),
                ::testing::ElementsAre("ENTER " + descend, "ENTER " + descend, "ENTER " + descend,
                                       "ENTER " + descend, "ENTER work::fail()", "LEAVE work::fail()",
                                       "LEAVE " + descend, "LEAVE " + descend, "ENTER work::tiny(int)",
                                       "LEAVE work::tiny(int)", "LEAVE " + descend, "LEAVE " + descend));
}

TEST_P(RecordedFunctions, definition_fileAndLine) {
    const auto printed = runCommand({"otf2-print", "-G", (record() / "traces.otf2").string()});
    const auto at = printed.output.find("Name: \"work::tiny(int)\"");
    ASSERT_NE(at, std::string::npos);
    const std::string line = printed.output.substr(at, printed.output.find('\n', at) - at);
    EXPECT_NE(line.find("Paradigm: COMPILER"), std::string::npos) << line;
    EXPECT_NE(line.find("programs/functions.cpp"), std::string::npos) << line;
    EXPECT_NE(line.find("Begin: " + std::to_string(lineOf("int tiny(int x)"))), std::string::npos) << line;
}

TEST_P(RecordedFunctions, tinyAndHot_noLongerRecordedAndReported) {
    const Words command{HOLOS_PROGRAM, "record",           "--force", "--throttle",
                        "20",          "--throttle-below", "1e9",     "-o"};
    const auto archive = record({"--throttle", "20", "--throttle-below", "1e9"});
    const Words events = recordedEvents(archive).at(0);
    EXPECT_EQ(std::count(events.begin(), events.end(), "ENTER work::tiny(int)"), 20);
    EXPECT_EQ(std::count(events.begin(), events.end(), "LEAVE work::tiny(int)"), 20);
    const auto again = runCommand(command + Words{archive.string(), "--", program()});
    EXPECT_NE(again.output.find("work::tiny(int): 20 calls of process 0 took"), std::string::npos)
        << again.output;
}

TEST_P(RecordedFunctions, filterOfNames_functionsAreNotRecorded) {
    const Words all = with(recordedEvents(record({"--filter", filter("SCOREP_REGION_NAMES_BEGIN\n"
                                                                     "EXCLUDE work::* INCLUDE work::Step::*\n"
                                                                     "SCOREP_REGION_NAMES_END\n")}))
                               .at(0),
                           {"main", "work::"});
    const std::string run = "work::Step::run(int)";
    EXPECT_THAT(all, ::testing::ElementsAre("ENTER main", "ENTER " + run, "ENTER " + run, "ENTER " + run,
                                            "LEAVE " + run, "LEAVE " + run, "LEAVE " + run, "LEAVE main"));
}

TEST_P(RecordedFunctions, filterOfFiles_functionsAreNotInTheTrace) {
    auto events = recordedEvents(record({"--filter", filter("SCOREP_FILE_NAMES_BEGIN\n"
                                                            "EXCLUDE programs/functions.cpp\n"
                                                            "SCOREP_FILE_NAMES_END\n")}));
    EXPECT_THAT(with(events[0], {"main", "work::"}), ::testing::IsEmpty());
}

TEST_P(RecordedFunctions, filterThatScoreWrote_bringsTheTraceBelowItsSize) {
    constexpr std::uintmax_t kMost = 1024;
    constexpr std::uintmax_t kNotes = 256;  // of threads that were moved, or had no processor for a while
    const auto archive = record();
    ASSERT_GT(bytesOfEvents(archive), kMost);
    const std::string small = filter("");
    const auto score =
        runCommand({HOLOS_PROGRAM, "score", archive.string(), "--max", std::to_string(kMost), "-o", small});
    ASSERT_EQ(score.exitCode, 0) << score.output;
    const auto second = record({"--force", "--filter", small});
    EXPECT_LE(bytesOfEvents(second), kMost + kNotes);
    const Words events = recordedEvents(second).at(0);
    EXPECT_THAT(with(events, {"work::tiny"}), ::testing::IsEmpty());
    EXPECT_THAT(with(events, {"ENTER main"}), ::testing::SizeIs(1));
}

TEST_P(RecordedFunctions, bodiesOfConstructs_areNoFunctions) {
    const TemporaryDirectory directory;
    const auto archive =
        testing::record(directory.path(), HOLOS_PROGRAMS "/construct_functions_" + GetParam());
    const Words events = recordedEvents(archive).at(0);
    EXPECT_THAT(with(events, {"ENTER main"}), ::testing::ElementsAre("ENTER main"));
    EXPECT_THAT(with(events, {"ENTER !$omp parallel"}), ::testing::Not(::testing::IsEmpty()));
    EXPECT_THAT(with(events, {"omp_outlined", "omp_fn", "omp_task"}), ::testing::IsEmpty());
}

TEST(RecordedDepth, moreThanItRemembers_othersAreWholeAndThatIsNoted) {
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), HOLOS_PROGRAMS "/deep_calls");
    const Words events = recordedEvents(archive).at(0);
    EXPECT_EQ(std::count(events.begin(), events.end(), "ENTER descend"), 255);  // and main
    EXPECT_EQ(std::count(events.begin(), events.end(), "LEAVE descend"), 255);
    EXPECT_EQ(with(events, {"behind"}), (Words{"ENTER behind", "LEAVE behind"}));
    std::ifstream facts(archive / "measurement.json");
    const std::string text{std::istreambuf_iterator<char>(facts), {}};
    EXPECT_THAT(text, ::testing::HasSubstr("deeper than 256 functions are not recorded"));
}

/// A program of Fortran with procedures of all kinds.
class RecordedProcedures : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!std::filesystem::exists(kProgram)) GTEST_SKIP() << "no gfortran here";
    }
    Words entered(const std::string& rules = "") {
        const auto filter = directory_.path() / "some.filter";
        std::ofstream(filter) << "SCOREP_REGION_NAMES_BEGIN\n" << rules << "SCOREP_REGION_NAMES_END\n";
        const auto archive = record(directory_.path(), kProgram, {}, {"--filter", filter});
        return with(recordedEvents(archive).at(0), {"ENTER "});
    }

  private:
    static constexpr const char* kProgram = HOLOS_PROGRAMS "/procedures";
    TemporaryDirectory directory_;
};

TEST_F(RecordedProcedures, ofFortran_namedAsInTheSource) {
    EXPECT_THAT(entered(), ::testing::IsSupersetOf({"ENTER procedures", "ENTER solver::step",
                                                    "ENTER solver::step::relax", "ENTER outside"}));
}

TEST_F(RecordedProcedures, filter_knowsTheNamesOfSourceAndLinker) {
    using ::testing::Contains;
    using ::testing::Not;
    const Words bySource = entered("EXCLUDE outside procedures solver::step::*\n");
    EXPECT_THAT(bySource, Not(Contains("ENTER outside")));
    EXPECT_THAT(bySource, Not(Contains("ENTER procedures")));
    EXPECT_THAT(bySource, Not(Contains("ENTER solver::step::relax")));
    EXPECT_THAT(bySource, Contains("ENTER solver::step"));
}

TEST_F(RecordedProcedures, filterByLinkersName_leavesThemOut) {
    EXPECT_THAT(entered("EXCLUDE outside_ MAIN__\n"),
                ::testing::Not(::testing::Contains(::testing::AnyOf("ENTER outside", "ENTER procedures"))));
}

TEST_F(RecordedProcedures, filterThatIncludesSome_hasThoseAlone) {
    EXPECT_EQ(entered("EXCLUDE *\nINCLUDE procedures outside\n"),
              (Words{"ENTER procedures", "ENTER outside"}));
}

INSTANTIATE_TEST_SUITE_P(Compilers, RecordedFunctions, ::testing::Values("gcc", "clang"),
                         [](const auto& instance) { return instance.param; });

/// Records what has no other system calls than those of its start and end; skips where it cannot be seen.
void expectNoSystemCalls(const Words& prefix, const Words& options, const std::filesystem::path& archive) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers allocate and call the system";
#endif
    Words command = prefix;
    for (const std::string& word :
         {std::string(HOLOS_PROGRAM), std::string("record"), std::string("--throttle"), std::string("0"),
          std::string("-o"), archive.string()})
        command.push_back(word);
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), {"--", HOLOS_PROGRAMS "/hot_path"});
    const auto result = runCommand(command);
    std::ifstream file(archive / "measurement.json");
    const std::string measurement{std::istreambuf_iterator<char>(file), {}};
    if (measurement.find(R"("clock": "tsc")") == std::string::npos)
        GTEST_SKIP() << "the kernel is asked for the time here";
    if (result.output.find("cannot forbid") != std::string::npos) GTEST_SKIP() << result.output;
    EXPECT_EQ(result.exitCode, 0) << result.output;
    EXPECT_THAT(result.output, ::testing::HasSubstr("0 allocations, 0 locks\n"));
    EXPECT_EQ(with(recordedEvents(archive).at(0), {"ENTER work"}).size(), 1'001);
}

TEST(RecordedHotPath, functionsAndRegions_noSystemCallNoAllocationNoLock) {
    const TemporaryDirectory directory;
    expectNoSystemCalls({}, {}, directory.path() / "run");
}

/// Its values: `counters_events_test.cpp`.
TEST(RecordedHotPath, counterThatUserSpaceCanRead_noSystemCall) {
#ifndef __x86_64__
    GTEST_SKIP() << "the made-up processor is one of x86-64";
#endif
    const TemporaryDirectory directory;
    const auto archive = directory.path() / "run";
    expectNoSystemCalls({"env", "LD_PRELOAD=" HOLOS_PROGRAMS "/libreadable_register.so"},
                        {"--counters", "cycles"}, archive);
}

}  // namespace
}  // namespace holos::testing

// SPDX-License-Identifier: BSD-3-Clause
// The commands around a recording: `holos cc`, `holos counters`, and where `holos record` puts it.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using Words = std::vector<std::string>;

TEST(Record, withoutAFolder_eachRecordingHasItsOwn) {
    const TemporaryDirectory directory;
    const auto result =
        runCommand({"sh", "-c", "cd \"$1\" && \"$0\" record true && \"$0\" record true && ls | wc -l",
                    HOLOS_PROGRAM, directory.path()});
    EXPECT_EQ(result.exitCode, 0) << result.output;
    EXPECT_THAT(result.output, EndsWith("\n2\n"));
}

/// Whether any file below the folder has this text.
bool isAnywhere(const std::filesystem::path& folder, const std::string& text) {
    return runCommand({"grep", "-r", "-l", "-a", "-e", text, folder}).exitCode == 0;
}

TEST(RecordedCommand, withSecrets_masksThemUnlessTheyAreWanted) {
    const TemporaryDirectory directory;
    const auto run = directory.path() / "run";
    const Words record{HOLOS_PROGRAM, "record", "--force", "-o", run};
    const Words program{"--", "true", "--password=hunter2", "--api-key", "abc123xyz"};
    ASSERT_EQ(runCommand(record + program).exitCode, 0);
    ASSERT_EQ(runCommand({HOLOS_PROGRAM, "analyze", run}).exitCode, 0);
    EXPECT_TRUE(isAnywhere(run, "--password=[*][*][*]"));
    for (const char* secret : {"hunter2", "abc123xyz"}) EXPECT_FALSE(isAnywhere(run, secret)) << secret;
    ASSERT_EQ(runCommand(record + Words{"--keep-command"} + program).exitCode, 0);
    for (const char* secret : {"hunter2", "abc123xyz"}) EXPECT_TRUE(isAnywhere(run, secret)) << secret;
}

TEST(Record, withAMask_leavesNothingThatOthersMayUse) {
    const TemporaryDirectory directory;
    const auto run = directory.path() / "run";
    ASSERT_EQ(
        runCommand({"sh", "-c", "umask 077; \"$@\"", "sh", HOLOS_PROGRAM, "record", "-o", run, "--", "true"})
            .exitCode,
        0);
    const auto open = runCommand({"find", run, "-perm", "/077"});
    EXPECT_EQ(open.output, "");
}

TEST(Record, besideAFolderOfTheUser_isRefusedAndNamesIt) {
    const TemporaryDirectory directory;
    std::filesystem::create_directory(directory.path() / "traces");
    std::ofstream(directory.path() / "traces" / "data.csv") << "mine";
    for (const Words& options : {Words{}, Words{"--force"}, Words{"--profile", "--force"}}) {
        const auto result = runCommand(Words{HOLOS_PROGRAM, "record", "-o", directory.path()} + options +
                                       Words{"--", "sh", "-c", "echo it runs"});
        EXPECT_EQ(result.exitCode, 1);
        EXPECT_THAT(result.output,
                    HasSubstr("has traces/, which no recording of holos is known to have made"));
        EXPECT_THAT(result.output, Not(HasSubstr("it runs")));
    }
    EXPECT_EQ(std::filesystem::file_size(directory.path() / "traces" / "data.csv"), 4u);
}

/// A program as it would be linked to musl, by what it names its loader. False where it cannot be made.
bool makeProgramOfMusl(const std::filesystem::path& program) {
    std::ifstream original("/bin/true", std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(original), {}};
    const std::string loader = "/lib64/ld-linux-x86-64.so.2";
    const auto at = bytes.find(loader);
    if (at == std::string::npos) return false;
    std::string other = "/lib/ld-musl-x86_64.so.1";
    other.resize(loader.size());
    bytes.replace(at, loader.size(), other);
    std::ofstream(program, std::ios::binary) << bytes;
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    return true;
}

TEST(Record, programOfAnotherCLibrary_isRefused) {
    const TemporaryDirectory directory;
    const auto program = directory.path() / "program";
    if (!makeProgramOfMusl(program)) GTEST_SKIP() << "/bin/true has another loader here";
    const auto result =
        runCommand({HOLOS_PROGRAM, "record", "-o", directory.path() / "run", "--", program.string()});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, HasSubstr("is linked to musl"));
    EXPECT_FALSE(std::filesystem::exists(directory.path() / "run"));
}

TEST(Record, programOfAnotherCLibraryBehindALauncher_isRefused) {
    const TemporaryDirectory directory;
    const auto program = directory.path() / "program";
    if (!makeProgramOfMusl(program)) GTEST_SKIP() << "/bin/true has another loader here";
    const auto mpirun = directory.path() / "mpirun.any";
    std::filesystem::copy_file("/bin/true", mpirun);
    const Words command{HOLOS_PROGRAM, "record", "-o", directory.path() / "run", "--", mpirun, "-n", "2"};
    const auto result = runCommand(command + Words{program});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, HasSubstr(program.string() + ": is linked to musl"));
    EXPECT_EQ(runCommand(command + Words{"/bin/true"}).exitCode, 0);
}

/// The least that leaves room for the loader and the C library.
TEST(Record, withASmallStack_commandsHaveTheirOwnAndProgramsHaveIt) {
    const TemporaryDirectory directory;
    const auto result = runCommand(
        {"sh", "-c",
         "ulimit -s 64 && cd \"$1\" && \"$0\" record -o run -- cat /proc/self/limits && \"$0\" info run && "
         "\"$0\" analyze -j 2 run && \"$0\" show run",
         HOLOS_PROGRAM, directory.path()});
    EXPECT_EQ(result.exitCode, 0) << result.output;
    EXPECT_THAT(result.output, ContainsRegex("Max stack size +65536 "));
}

struct WrongOption {
    Words words;
    std::string message;
};

TEST(Record, wrongValues_exitTwoAndSaidBeforeTheProgramRuns) {
    const std::string empty = ": expected a value, not ''";
    const std::string groups =
        "--mpi: expected some of p2p, coll, rma, io, comm, other, separated by commas, or none, not ";
    const WrongOption wrongOptions[] = {
        {{"-o", ""}, "--output" + empty},
        {{"--counters", ""}, "--counters" + empty},
        {{"--counters", ","}, "--counters: no name in ','"},
        {{"--set", ""}, "--set" + empty},
        {{"--filter", ""}, "--filter" + empty},
        {{"--sample", ""}, "--sample" + empty},
        {{"--sample", "1us"}, "--sample: expected 100us or a longer time, not '1us'"},
        {{"--ranks", ""}, "--ranks" + empty},
        {{"--ranks", "4-2"}, "--ranks: expected numbers and ranges such as 0,4-7, not '4-2'"},
        {{"--phase", ""}, "--phase" + empty},
        {{"--mpi", ""}, "--mpi" + empty},
        {{"--mpi", "none,p2p"}, groups + "'none,p2p'"},
        {{"--mpi", "p2p,none"}, groups + "'p2p,none'"},
        {{"--mpi", "p2p,"}, groups + "'p2p,'"},
        {{"--first", "0s"}, "--first: a time has to be from 1us to 24h"},
        {{"--throttle", "-3"}, "--throttle: '-3' is no whole number from 0 to 4294967295"},
        {{"--throttle", "1.5"}, "--throttle: '1.5' is no whole number from 0 to 4294967295"},
        {{"--throttle", "5000000000"}, "--throttle: '5000000000' is no whole number from 0 to 4294967295"},
        {{"--throttle", ""}, "--throttle: '' is no whole number from 0 to 4294967295"},
        {{"--throttle-below", "-1"}, "--throttle-below: '-1' is below 0"},
        {{"--throttle-below", "nan"}, "--throttle-below: 'nan' is no number"},
        {{"--throttle-below", "inf"}, "--throttle-below: 'inf' is no number"},
        {{"--buffer", "inf"}, "--buffer: 'inf' is no number"},
        {{"--buffer", "ten"}, "--buffer: 'ten' is no number"},
        {{"--buffer", "-1"}, "--buffer: '-1' is below 0"},
        {{"--buffer", "1e30"}, "--buffer: expected at most 1000000000 MB"},
        {{"--buffer", "1e-7"}, "--buffer: expected at least one byte, or 0 for no limit"},
        {{"--buffer", "0", "--when-full", "newest"}, "--when-full: needs a limit, --buffer"},
    };
    const TemporaryDirectory directory;
    const std::string ran = directory.path() / "ran";
    for (const auto& [words, message] : wrongOptions) {
        const auto result = runCommand(Words{HOLOS_PROGRAM, "record", "-o", directory.path() / "run"} +
                                       words + Words{"--", "touch", ran});
        EXPECT_EQ(result.exitCode, 2) << result.output;
        EXPECT_THAT(result.output, HasSubstr("holos: " + message + "\n"));
    }
    EXPECT_FALSE(std::filesystem::exists(ran));
}

TEST(Record, smallestAndNoneOfEach_taken) {
    const TemporaryDirectory directory;
    const auto result =
        runCommand({HOLOS_PROGRAM, "record", "-o", directory.path() / "run", "--mpi", "none", "--throttle",
                    "0", "--throttle-below", "0", "--buffer", "0", "--first", "1us", "--", "true", ""});
    EXPECT_EQ(result.exitCode, 0) << result.output;
}

TEST(Record, filterThatIsAFolder_namedWithTheReason) {
    const TemporaryDirectory directory;
    const auto result = runCommand({HOLOS_PROGRAM, "record", "-o", directory.path() / "run", "--filter",
                                    directory.path(), "--", "true"});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, HasSubstr(directory.path().string() + ": is a directory; expected a filter"));
}

TEST(Record, filterThatIsANamedPipe_isRefusedAndNotWaitedFor) {
    const TemporaryDirectory directory;
    const std::string pipe = directory.path() / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const auto result = runCommand({"timeout", "20", HOLOS_PROGRAM, "record", "-o", directory.path() / "run",
                                    "--filter", pipe, "--", "true"});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, HasSubstr(pipe + ": is not a regular file"));
}

TEST(Record, info_saysWhatAnEventTakes) {
    const TemporaryDirectory directory;
    const std::string run = directory.path() / "run";
    ASSERT_EQ(runCommand({HOLOS_PROGRAM, "record", "-o", run, "--", "true"}).exitCode, 0);
    std::uintmax_t bytes = 0;
    for (const auto& file : std::filesystem::directory_iterator(run + "/traces"))
        if (file.path().extension() == ".evt") bytes += file.file_size();
    char expected[64];  // true enters and leaves its first region, no more
    std::snprintf(expected, sizeof expected, ", %.1f bytes per event\n", static_cast<double>(bytes) / 2);
    EXPECT_THAT(runCommand({HOLOS_PROGRAM, "info", run}).output, HasSubstr(expected));
}

TEST(Cc, showOfGcc_runsWhatInstrumentsAfterInlining) {
#ifndef __x86_64__
    GTEST_SKIP() << "gcc instruments after inlining for x86-64 only";
#endif
    const auto shown =
        runCommand({HOLOS_PROGRAM, "cc", "--show", "--smallest", "5", "--", "gcc", "-O2", "-c", "a b.c"});
    EXPECT_EQ(shown.exitCode, 0);
    EXPECT_THAT(shown.output, ::testing::StartsWith("gcc -g1 -wrapper "));
    EXPECT_THAT(shown.output, EndsWith("/holos/compiler-step,--smallest=5 -O2 -c 'a b.c'\n"));
}

TEST(Cc, showOfGccWithInlineFunctions_optionsBehindTheCompiler) {
    const auto shown =
        runCommand({HOLOS_PROGRAM, "cc", "--show", "--inline-too", "--", "gcc", "-O2", "-c", "a b.c"});
    EXPECT_EQ(shown.exitCode, 0);
    EXPECT_EQ(shown.output,
              "gcc -g1 -finstrument-functions -finstrument-functions-exclude-file-list=/usr/include,"
              "/usr/lib/gcc,holos.f90 -O2 -c 'a b.c'\n");
}

TEST(Cc, showWithDebugInformation_kept) {
    const auto shown = runCommand({HOLOS_PROGRAM, "cc", "--show", "--", "gcc", "-g3", "-c", "x.c"});
    EXPECT_THAT(shown.output, HasSubstr(" -g3 "));
    EXPECT_THAT(shown.output, Not(HasSubstr("-g1")));
}

TEST(Cc, notACompiler_exitOneAndNamed) {
    const auto result = runCommand({HOLOS_PROGRAM, "cc", "--", "/bin/false", "-c", "x.c"});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, HasSubstr("/bin/false: is no compiler"));
}

TEST(Cc, unknownCompiler_exitOneAndSaysWhichAreKnown) {
    const auto result = runCommand({HOLOS_PROGRAM, "cc", "--", "cmake", "-c", "x.c"});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, HasSubstr("this compiler is not known (gcc, g++, gfortran, clang"));
}

/// A filter file while one exists.
class FilterFile {
  public:
    explicit FilterFile(const std::string& text) { std::ofstream(path()) << text; }
    std::string path() const { return directory_.path() / "filter"; }

  private:
    TemporaryDirectory directory_;
};

TEST(Cc, filterExcludesTheFile_compiledAsItIs) {
    const FilterFile filter("SCOREP_FILE_NAMES_BEGIN EXCLUDE */util/* SCOREP_FILE_NAMES_END");
    const Words command{HOLOS_PROGRAM, "cc", "--show", "--filter", filter.path(), "--", "gcc", "-c"};
    EXPECT_EQ(runCommand(command + Words{"util/x.c"}).output, "gcc -c util/x.c\n");
    EXPECT_THAT(runCommand(command + Words{"x.c"}).output, HasSubstr(" -g1 "));
    EXPECT_THAT(runCommand(command + Words{"util/x.c", "x.c"}).output, HasSubstr(" -g1 "));
}

TEST(Cc, filterExcludesWords_gccLeavesThemOut) {
    const FilterFile filter(
        "SCOREP_REGION_NAMES_BEGIN EXCLUDE *early* INCLUDE main EXCLUDE *swap* a*b *min* "
        "SCOREP_REGION_NAMES_END");
    const auto shown = runCommand(
        {HOLOS_PROGRAM, "cc", "--show", "--inline-too", "--filter", filter.path(), "--", "gcc", "-c", "x.c"});
    EXPECT_THAT(shown.output, HasSubstr(" -finstrument-functions-exclude-function-list=swap,min "));
}

TEST(Cc, filterWithAMistake_exitOneAndLine) {
    const FilterFile filter("SCOREP_REGION_NAMES_BEGIN\nOMIT x\n");
    const auto result =
        runCommand({HOLOS_PROGRAM, "cc", "--filter", filter.path(), "--", "gcc", "-c", "x.c"});
    EXPECT_EQ(result.exitCode, 1);
    EXPECT_THAT(result.output, HasSubstr("filter:2: expected EXCLUDE, INCLUDE"));
}

TEST(Record, counterThatCannotBeCounted_isLeftInAFileForScripts) {
    const TemporaryDirectory directory;
    const auto file = directory.path() / "refused.json";
    const Words record{HOLOS_PROGRAM, "record", "-o", directory.path() / "run", "--refused", file};
    EXPECT_EQ(runCommand(record + Words{"--counters", "ru_nvcsw", "--", "true"}).exitCode, 0);
    EXPECT_FALSE(std::filesystem::exists(file));
    const auto refused =
        runCommand(record + Words{"--force", "--counters", "ru_nvcsw,no-such", "--", "true"});
    EXPECT_EQ(refused.exitCode, 1);
    EXPECT_THAT(refused.output, HasSubstr("holos: no-such: no such counter"));
    const auto written = nlohmann::json::parse(std::ifstream(file));
    ASSERT_EQ(written.size(), 1);
    EXPECT_THAT(written.at("no-such").get<std::string>(), ::testing::StartsWith("no such counter"));
}

/// The counters of a source of `holos counters list --format json`; empty when it is not listed.
nlohmann::json countersOf(const nlohmann::json& sources, const std::string& name) {
    for (const auto& source : sources)
        if (source.at("source").get<std::string>().find(name) != std::string::npos)
            return source.at("counters");
    return nlohmann::json::array();
}

TEST(CountersList, json_resourceUsageIsAvailableEverywhere) {
    const auto listed = runCommand({HOLOS_PROGRAM, "counters", "list", "--format", "json"});
    ASSERT_EQ(listed.exitCode, 0) << listed.output;
    const auto all = countersOf(nlohmann::json::parse(listed.output), "resource usage");
    const auto found = std::find_if(all.begin(), all.end(),
                                    [](const auto& counter) { return counter.at("name") == "ru_nvcsw"; });
    ASSERT_NE(found, all.end()) << listed.output;
    EXPECT_EQ(found->at("available"), true);
    EXPECT_EQ(found->at("grows"), true);
    EXPECT_EQ(found->at("reason"), "");
    EXPECT_NE(found->at("description"), "");
}

TEST(CountersList, text_reasonForEachThatIsMissing) {
    const auto json = runCommand({HOLOS_PROGRAM, "counters", "list", "--format", "json"});
    for (const auto& source : nlohmann::json::parse(json.output))
        for (const auto& counter : source.at("counters"))
            EXPECT_EQ(counter.at("available").get<bool>(), counter.at("reason") == "") << counter;
    const auto available = runCommand({HOLOS_PROGRAM, "counters", "list", "--available"});
    EXPECT_THAT(available.output, HasSubstr("+ ru_nvcsw"));
    EXPECT_THAT(available.output, Not(HasSubstr("not here:")));
}

TEST(CountersList, noSubcommand_usage) {
    EXPECT_EQ(runCommand({HOLOS_PROGRAM, "counters"}).exitCode, 2);
}

}  // namespace
}  // namespace holos::testing

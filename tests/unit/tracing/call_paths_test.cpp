// SPDX-License-Identifier: BSD-3-Clause
// Call paths of a recording as calling contexts of its trace.
#include <gmock/gmock.h>

#include <regex>
#include <sstream>

#include "tests/support/command.h"
#include "tests/unit/tracing/conversion_fixture.h"
#include "tracing/recorder/stacks/walk/path_tree.h"
#include "tracing/recordings/format/path_numbers.h"

namespace holos::archive {
namespace {

using holos::testing::runCommand;
using tracing::stacks::kFirstPath;
using tracing::stacks::kMoreCallers;
using tracing::stacks::kMorePaths;
using tracing::stacks::kNoPath;
using tracing::stacks::kUnknownCallers;

constexpr std::uint32_t kOuter = kFirstPath;
constexpr std::uint32_t kInner = kFirstPath + 1;
constexpr std::uint32_t kMain = kFirstPath + 2;
constexpr std::uint32_t kSort = kFirstPath + 3;

class CallPathConversion : public ConversionTest {
  protected:
    static void file(RawDefinitions& log, std::uint64_t begin, const std::string& path) {
        constexpr std::uint64_t kSize = 0x1000;
        log.begin(DefinitionKind::LoadedFile).add(begin).add(begin + kSize).text(path).text("");
    }
    static void call(RawDefinitions& log, std::uint32_t path, std::uint32_t caller, std::uint64_t returnsTo) {
        log.begin(DefinitionKind::CallPath).add(path).add(caller).add(returnsTo);
    }
    static RawDefinitions programWithFiles() {
        RawDefinitions log = program();
        log.region(1, "send").region(2, "receive").sync(3'000, 1'500);
        file(log, 0x1000, "/lib/liba.so");
        file(log, 0x3000, "/lib/libb.so");
        return log;
    }
    /// Whose `main` calls the C library's qsort.
    static RawDefinitions startedProgram() {
        constexpr std::uint32_t kStart = kFirstPath, kLibrary = kFirstPath + 1;
        RawDefinitions log = programWithFiles();
        file(log, 0x5000, "/lib/libc.so.6");
        call(log, kStart, kNoPath, 0x1011);
        call(log, kLibrary, kStart, 0x5011);
        call(log, kMain, kLibrary, 0x1021);
        call(log, kSort, kMain, 0x5021);
        return log;
    }
    /// One visit of a region by a path after the other.
    void write(const RawDefinitions& log,
               const std::vector<std::pair<std::uint32_t, std::uint32_t>>& visits) {
        const auto folder = writeProcess(recording(), "host.1.0", log);
        RawEvents events;
        std::uint64_t ticks = 1'100;
        for (const auto& [region, path] : visits) {
            events.add(RecordKind::Enter, ticks += 10, {pair(region, path)});
            events.add(RecordKind::Leave, ticks += 10, {region});
        }
        events.write(folder);
        finish(directory_.path());
    }
    /// For each enter the calls of its attribute, from the outermost on; `=` where it has none.
    std::vector<std::string> callsOfEnters() const { return callsOf("ENTER", "UnpredictedCallPath"); }
    /// For each sample the calls of its context.
    std::vector<std::string> callsOfSamples() const { return callsOf("METRIC", "CallingContext"); }

  private:
    std::vector<std::string> callsOf(const std::string& event, const std::string& attribute) const {
        const auto contexts = callsOfContexts();
        const std::regex wanted(".*\"" + attribute + "\".*CALLING_CONTEXT; (UNDEFINED|.*<(\\d+)>)\\)");
        std::vector<std::string> calls;
        std::istringstream events(runCommand({"otf2-print", trace()}).output);
        std::smatch found;
        for (std::string line; std::getline(events, line);) {
            if (line.rfind(event, 0) == 0) calls.emplace_back("=");
            if (std::regex_search(line, found, wanted))
                calls.back() = found[2].matched ? contexts.at(found[2]) : "none";
        }
        return calls;
    }
    std::map<std::string, std::string> callsOfContexts() const {
        std::map<std::string, std::string> contexts{{"UNDEFINED", ""}};
        static const std::regex kContext(
            R"x(CALLING_CONTEXT +(\d+) +Region: "([^"]*)" <\d+>, .*Parent: (?:UNDEFINED|.*<(\d+)>))x");
        std::istringstream definitions(runCommand({"otf2-print", "-G", trace()}).output);
        std::smatch found;
        for (std::string line; std::getline(definitions, line);)
            if (std::regex_search(line, found, kContext)) {
                const std::string caller = found[3].matched ? contexts.at(found[3]) + '/' : "";
                contexts[found[1]] = caller + found[2].str();
            }
        return contexts;
    }
    std::string trace() const { return directory_.path() / "traces.otf2"; }
};

TEST_F(CallPathConversion, ofEachRegion_areWrittenWhereTheyAreNotExpected) {
    auto log = programWithFiles();
    call(log, kOuter, kNoPath, 0x1011);
    call(log, kInner, kOuter, 0x3011);
    write(log, {{1, kInner}, {1, kInner}, {2, kInner}, {1, kOuter}, {2, kInner}, {1, kNoPath}, {1, kNoPath}});
    EXPECT_THAT(callsOfEnters(),
                ElementsAre("liba.so/libb.so", "=", "liba.so/libb.so", "liba.so", "=", "none", "="));
}

TEST_F(CallPathConversion, placesInTurn_areWrittenInTheFirstRoundOnly) {
    auto log = programWithFiles();
    call(log, kOuter, kNoPath, 0x1011);
    call(log, kInner, kOuter, 0x3011);
    write(log, {{1, kInner}, {1, kOuter}, {2, kOuter}, {1, kInner}, {1, kOuter}, {2, kOuter}, {1, kInner}});
    EXPECT_THAT(callsOfEnters(),
                ElementsAre("liba.so/libb.so", "liba.so", "liba.so", "liba.so/libb.so", "=", "=", "="));
}

TEST_F(CallPathConversion, codeThatStartsProgramsAndThreads_isLeftOut) {
    const auto log = startedProgram();
    write(log, {{1, kMain}, {1, kSort}});
    EXPECT_THAT(callsOfEnters(), ElementsAre("liba.so", "liba.so/libc.so.6"));
}

TEST_F(CallPathConversion, mainThatCallsTheCLibrary_isNotTakenForCodeThatStarts) {
    const auto log = startedProgram();
    write(log, {{1, kSort}, {1, kMain}});
    EXPECT_THAT(callsOfEnters(), ElementsAre("liba.so/libc.so.6", "liba.so"));
}

TEST_F(CallPathConversion, callersThatAreNotKnown_areSaid) {
    auto log = programWithFiles();
    call(log, kOuter, kUnknownCallers, 0x1011);
    call(log, kInner, kMoreCallers, 0x1011);
    write(log, {{1, kOuter}, {1, kInner}, {1, kUnknownCallers}, {1, kMorePaths}});
    EXPECT_THAT(callsOfEnters(), ElementsAre("UNKNOWN CALLERS/liba.so", "MORE CALLERS/liba.so",
                                             "UNKNOWN CALLERS", "MORE CALL PATHS"));
}

TEST_F(CallPathConversion, fileThatCameInPlaceOfAnother_isThatOfLaterPaths) {
    auto log = programWithFiles();
    call(log, kOuter, kNoPath, 0x1011);
    file(log, 0x1000, "/lib/libc_plugin.so");
    call(log, kInner, kNoPath, 0x1011);
    write(log, {{1, kOuter}, {1, kInner}});
    EXPECT_THAT(callsOfEnters(), ElementsAre("liba.so", "libc_plugin.so"));
}

TEST_F(CallPathConversion, samples_areOfTheFilesOfTheirTime_andSayWhoseCallersAreMissing) {
    auto log = programWithFiles();
    file(log, 0x1000, "/lib/libc_plugin.so");
    log.begin(DefinitionKind::Interrupts).text("faults").add(std::uint64_t{10}).add(std::uint8_t{0});
    log.sync(3'000, 1'500);
    const auto folder = writeProcess(recording(), "host.1.0", log);
    RawEvents()
        .add(RecordKind::Sample, 1'100, {pair(2, 1), 2, 0x3010, 0x1010})
        .add(RecordKind::Sample, 1'200, {pair(2, 1), 3, 0x3010, 0x1010})
        .add(RecordKind::Sample, 1'300, {pair(2, 1), 0, 0x3010, 0x1010})  // while the first was written
        .add(RecordKind::Sample, 1'400, {pair(2, 1), 3, 0x3010, kUnknownCallers})
        .add(RecordKind::Sample, 1'500, {pair(2, 1), 3, 0x3010, kMoreCallers})
        .write(folder);
    finish(directory_.path());
    EXPECT_THAT(callsOfSamples(), ElementsAre("liba.so/libb.so", "libc_plugin.so/libb.so", "liba.so/libb.so",
                                              "UNKNOWN CALLERS/libb.so", "MORE CALLERS/libb.so"));
}

TEST_F(CallPathConversion, functionsOfPython_areNamedByFileAndName) {
    using tracing::stacks::python::addressOf;
    auto log = programWithFiles();
    file(log, 0x5000, "/lib/libc.so.6");
    log.begin(DefinitionKind::PythonFunction).add(1U).add(3U).text("/home/me/solver.py").text("Solver.step");
    log.begin(DefinitionKind::PythonFunction).add(2U).add(1U).text("/opt/mesh/__init__.py").text("<module>");
    call(log, kFirstPath, kNoPath, addressOf({1, 7}));
    call(log, kFirstPath + 1, kFirstPath, 0x5011);  // not code that starts a program
    call(log, kFirstPath + 2, kFirstPath + 1, addressOf({2, 5}));
    call(log, kFirstPath + 3, kFirstPath, addressOf({9, 1}));
    call(log, kFirstPath + 4, kNoPath, addressOf({1, 8}));
    write(log, {{1, kFirstPath + 2}, {1, kFirstPath + 3}, {1, kFirstPath + 4}, {1, kFirstPath}});
    EXPECT_THAT(callsOfEnters(), ElementsAre("solver.py:Solver.step/libc.so.6/mesh/__init__.py:<module>",
                                             "solver.py:Solver.step/UNKNOWN CODE", "solver.py:Solver.step",
                                             "solver.py:Solver.step"));
    const auto definitions = runCommand({"otf2-print", "-G", directory_.path() / "traces.otf2"}).output;
    EXPECT_THAT(definitions, ::testing::ContainsRegex("SOURCE_CODE_LOCATION .*/home/me/solver.py.* 8"));
}

TEST_F(CallPathConversion, fileThatCameBack_isThatOfLaterPathsAgain) {
    auto log = programWithFiles();
    call(log, kOuter, kNoPath, 0x1011);
    file(log, 0x1000, "/lib/libc_plugin.so");
    file(log, 0x1000, "/lib/liba.so");
    call(log, kInner, kNoPath, 0x1021);
    call(log, kInner + 1, kOuter, tracing::stacks::kCodeOfNoFile);
    write(log, {{1, kOuter}, {1, kInner}, {1, kInner + 1}});
    EXPECT_THAT(callsOfEnters(), ElementsAre("liba.so", "liba.so", "liba.so/UNKNOWN CODE"));
}

TEST_F(CallPathConversion, damagedPaths_haveUnknownCallers) {
    auto log = programWithFiles();
    call(log, kFirstPath, kFirstPath, 0x1011);  // itself
    call(log, kFirstPath + 1, kFirstPath + 2, 0x1011);
    call(log, kFirstPath + 2, kFirstPath + 1, 0x1011);
    call(log, 0xFFFFFFF0U, kNoPath, 0x1011);
    write(log, {{1, kFirstPath}, {1, kFirstPath + 1}, {1, 0xFFFFFFF0U}, {1, 1'000'000}});
    EXPECT_THAT(callsOfEnters(), ElementsAre("UNKNOWN CALLERS", "=", "none", "="));
}

TEST_F(CallPathConversion, withoutPaths_eventsHaveNoAttributes) {
    write(programWithFiles(), {{1, kNoPath}, {1, kOuter}});
    EXPECT_THAT(callsOfEnters(), ElementsAre("=", "="));
    EXPECT_THAT(runCommand({"otf2-print", "-G", directory_.path() / "traces.otf2"}).output,
                ::testing::Not(::testing::HasSubstr("CALLING_CONTEXT")));
}

}  // namespace
}  // namespace holos::archive

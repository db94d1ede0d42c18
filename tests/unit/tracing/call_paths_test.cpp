// SPDX-License-Identifier: BSD-3-Clause
// Call paths of a recording as calling contexts of its trace.
#include <gmock/gmock.h>

#include <regex>
#include <sstream>

#include "tests/support/command.h"
#include "tests/unit/tracing/conversion_fixture.h"
#include "tracing/stacks/path_tree.h"
#include "tracing/stacks/python/python_call.h"

namespace holos::archive {
namespace {

using holos::testing::RawDefinitions;
using holos::testing::RawEvents;
using holos::testing::runCommand;
using holos::testing::writeProcess;
using ::testing::ElementsAre;
using tracing::DefinitionKind;
using tracing::pair;
using tracing::RecordKind;
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
        log.begin(DefinitionKind::LoadedFile).add(begin).add(begin + kSize).text(path);
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
    std::vector<std::string> callsOfEnters() const {
        const std::string trace = directory_.path() / "traces.otf2";
        std::map<std::string, std::string> contexts{{"UNDEFINED", ""}};
        static const std::regex kContext(
            R"x(CALLING_CONTEXT +(\d+) +Region: "([^"]*)" <\d+>, .*Parent: (?:UNDEFINED|.*<(\d+)>))x");
        static const std::regex kAttribute(
            R"x(.*"UnpredictedCallPath".*CALLING_CONTEXT; (UNDEFINED|.*<(\d+)>)\))x");
        std::smatch found;
        std::istringstream definitions(runCommand({"otf2-print", "-G", trace}).output);
        for (std::string line; std::getline(definitions, line);)
            if (std::regex_search(line, found, kContext)) {
                const std::string caller = found[3].matched ? contexts.at(found[3]) + '/' : "";
                contexts[found[1]] = caller + found[2].str();
            }
        std::vector<std::string> calls;
        std::istringstream events(runCommand({"otf2-print", trace}).output);
        for (std::string line; std::getline(events, line);) {
            if (line.rfind("ENTER", 0) == 0) calls.emplace_back("=");
            if (std::regex_search(line, found, kAttribute))
                calls.back() = found[2].matched ? contexts.at(found[2]) : "none";
        }
        return calls;
    }
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

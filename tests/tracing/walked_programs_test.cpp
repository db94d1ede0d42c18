// SPDX-License-Identifier: BSD-3-Clause
// Programs that make it hard to find the calls that led to an event.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "algebra/files/cubex.h"

#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"
#include "tests/tracing/recorded_events.h"

namespace holos::testing {
namespace {

/// The functions that led to each user region: `main/solve`, by the region's name.
std::map<std::string, std::string> callersOfRegions(const algebra::Experiment& experiment) {
    std::map<std::string, std::string> callers;
    for (const auto path : experiment.callTree.ids()) {
        const auto& region = experiment.regionOf(path);
        if (region.paradigm != "user") continue;
        std::string names;
        for (auto at = experiment.callTree.parent(path); at && experiment.callTree.parent(*at);
             at = experiment.callTree.parent(*at))
            names = experiment.regionOf(*at).name + (names.empty() ? "" : "/") + names;
        std::string& all = callers[region.name];
        all += (all.empty() ? "" : ", ") + names;
    }
    return callers;
}

/// `programs/small_stacks.c` fails where more than 4 KiB are used.
TEST(WalkedPrograms, smallStacks_areHardlyUsed) {
    const TemporaryDirectory directory;
    record(directory.path(), HOLOS_PROGRAMS "/small_stacks");
}

/// `programs/strange_stacks.c`: 8 regions of coroutines and before, 401 of a recursion, 7 behind damage, 7 on
/// others.
TEST(WalkedPrograms, strangeStacks_doNoHarm_andLoseNoEvent) {
    for (const std::string extent : {"full", "sites"}) {
        const TemporaryDirectory directory;
        const auto archive =
            record(directory.path(), HOLOS_PROGRAMS "/strange_stacks", {}, {"--call-paths", extent});
        std::size_t regions = 0;
        for (const auto& [location, events] : recordedEvents(archive))
            regions += with(events, {"ENTER region"}).size();
        EXPECT_EQ(regions, 423) << extent;
    }
}

/// `programs/begins_and_ends.c`.
TEST(WalkedPrograms, whatLoaderAndExitCall_standsBelowTheProgramsOwnFunctions) {
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), HOLOS_PROGRAMS "/begins_and_ends");
    ASSERT_EQ(runCommand({HOLOS_PROGRAM, "analyze", archive}).exitCode, 0);
    const std::map<std::string, std::string> expected{{"library begins", "main/load/begin"},
                                                      {"library ends", "main/load/end"},
                                                      {"program begins", "begin"},
                                                      {"program ends", "main/leave/end"},
                                                      {"registered", "main/leave/registered"}};
    EXPECT_EQ(callersOfRegions(algebra::readCubex(archive / "analysis.cubex")), expected);
}

#if defined(__x86_64__)

/// `programs/unusual_callers.c`.
TEST(WalkedPrograms, unusualCallers_areKnownOrSaidToBeUnknown) {
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), HOLOS_PROGRAMS "/unusual_callers");
    ASSERT_EQ(runCommand({HOLOS_PROGRAM, "analyze", archive}).exitCode, 0);
    const std::map<std::string, std::string> expected{
        {"usual", "main/usual, main/usual, main/usual"},
        {"jump", "main/jump"},
        {"first of a thread", "inThread"},
        {"trap", "main/trap/firstInstruction/inTrap"},
        // On stacks of which nobody knows where they end.
        {"handler elsewhere", "UNKNOWN CALLERS/inHandlerElsewhere"},
        {"context", "UNKNOWN CALLERS/inContext"},
        {"clone", "UNKNOWN CALLERS/cloned"},
        // Behind code without unwind tables.
        {"made code", "UNKNOWN CALLERS/UNKNOWN CODE/fromMadeCode"},
        {"other made code", "UNKNOWN CALLERS/UNKNOWN CODE/fromOtherMadeCode"},
        {"without tables", "UNKNOWN CALLERS/unusual_callers/fromWithoutTables"},
    };
    EXPECT_EQ(callersOfRegions(algebra::readCubex(archive / "analysis.cubex")), expected);
}

#endif

TEST(WalkedPrograms, libraryInThePlaceOfAnother_hasItsOwnFunctions) {
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), HOLOS_PROGRAMS "/replaces_libraries", {}, {},
                                {HOLOS_PROGRAMS "/libreplaced_a.so", HOLOS_PROGRAMS "/libreplaced_b.so"});
    const auto definitions = runCommand({"otf2-print", "-G", archive / "traces.otf2"}).output;
    EXPECT_NE(definitions.find("\"in_library_a\""), std::string::npos);
    EXPECT_NE(definitions.find("\"in_library_b\""), std::string::npos);
}

}  // namespace
}  // namespace holos::testing

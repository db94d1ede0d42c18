// SPDX-License-Identifier: BSD-3-Clause
// Programs that make it hard to find the calls that led to an event.
#include <gtest/gtest.h>

#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"
#include "tests/tracing/recorded_events.h"

namespace holos::testing {
namespace {

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

// SPDX-License-Identifier: BSD-3-Clause
// Functions that the recorder stands in front of, in libraries that come late, with a scope of their own, and
// leave again: each caller gets its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"
#include "tests/tracing/recorded_events.h"

namespace holos::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

void expectSameWhenRecorded(const std::string& program, const std::vector<std::string>& arguments) {
    const CommandResult plain = runCommand(std::vector<std::string>{program} + arguments);
    ASSERT_EQ(plain.exitCode, 0) << plain.output;
    const TemporaryDirectory directory;
    record(directory.path(), program, {}, {}, arguments);
}

TEST(Interposition, cProgramLoadsLibraryOfCxx_exceptionsAreCaught) {
    expectSameWhenRecorded(HOLOS_PROGRAMS "/loads_catcher", {HOLOS_PROGRAMS "/libcatches.so"});
}

TEST(Interposition, allFunctionsInLibrariesThatComeAndGo_areThoseOfTheirCallers) {
    expectSameWhenRecorded(HOLOS_PROGRAMS "/loads_late",
                           {HOLOS_PROGRAMS "/libcalls_late_1.so", HOLOS_PROGRAMS "/libcalls_late_2.so"});
}

/// `programs/waits_while_loaded.c`: a program that is held up for ever does not end.
TEST(Interposition, libraryThatWaitsForItsThreadsWhileItIsLoaded_isLoaded) {
    expectSameWhenRecorded(HOLOS_PROGRAMS "/waits_while_loaded",
                           {HOLOS_PROGRAMS "/libwaits_while_loaded.so"});
    for (const std::string compiler : {"gcc", "clang"}) {
        const std::string library = HOLOS_PROGRAMS "/libwaits_while_loaded_" + compiler + ".so";
        if (std::filesystem::exists(library))
            expectSameWhenRecorded(HOLOS_PROGRAMS "/waits_while_loaded", {library});
    }
}

/// `programs/waits_while_loaded.c`.
TEST(Interposition, openMpOfAClosedLibrary_staysWithItsThreads) {
    const TemporaryDirectory directory;
    const std::string library = HOLOS_PROGRAMS "/libwaits_while_loaded_gcc.so";
    record(directory.path(), HOLOS_PROGRAMS "/waits_while_loaded", {}, {}, {"close", library, library});
}

TEST(Interposition, callsThatAreJumps_standInTheProgram) {
    const TemporaryDirectory directory;
    const auto archive = record(directory.path(), HOLOS_PROGRAMS "/last_calls_gcc");
    const CommandResult definitions = runCommand({"otf2-print", "-G", (archive / "traces.otf2").string()});
    EXPECT_THAT(definitions.output, HasSubstr("barrier @last_calls.c:"));
    EXPECT_THAT(definitions.output, HasSubstr("!$omp taskwait @last_calls.c:"));
    EXPECT_THAT(definitions.output, Not(HasSubstr("holos::")));
    const auto events = recordedEvents(archive);
    EXPECT_THAT(with(events.rbegin()->second, {"ENTER"}),
                ElementsAre("ENTER wakeAll", "ENTER pthread_cond_broadcast"));
}

}  // namespace
}  // namespace holos::testing

// SPDX-License-Identifier: BSD-3-Clause
// What is recorded of functions that gcc instrumented after it inlined others, and that nothing else changes:
// `programs/after_inlining.c`, `programs/registers.c`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"
#include "tests/tracing/recorded_events.h"

namespace holos::testing {
namespace {

using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Words = std::vector<std::string>;

class AfterInlining : public ::testing::Test {
  protected:
    void SetUp() override {
#ifndef __x86_64__
        GTEST_SKIP() << "gcc instruments after inlining for x86-64 only";
#endif
    }

    /// Events of the program's functions, but for those of the thread that it creates.
    Words eventsOf(const std::string& program, const Words& arguments = {}) const {
        const auto archive = record(directory_.path(), HOLOS_PROGRAMS "/" + program, {}, {}, arguments);
        const Words all = recordedEvents(archive).at(0);
        Words events;
        for (const std::string& event : all)
            if (event.find("pthread_") == std::string::npos && event.find("THREAD_") == std::string::npos)
                events.push_back(event);
        return events;
    }

    /// What the program prints without the recorder, and the files that it leaves.
    std::string runAlone(const std::string& program) const {
        const auto folder = directory_.path() / program;
        std::filesystem::create_directory(folder);
        const auto result =
            runCommand({"sh", "-c", "cd \"$1\" && \"$0\" && ls", HOLOS_PROGRAMS "/" + program, folder});
        EXPECT_EQ(result.exitCode, 0);
        return result.output;
    }

  private:
    TemporaryDirectory directory_;
};

/// Each function around what it calls.
Words nested(const Words& calls) {
    Words events;
    for (const std::string& call : calls)
        events.push_back(call.front() == '/' ? "LEAVE " + call.substr(1) : "ENTER " + call);
    return events;
}

TEST_F(AfterInlining, optimisedProgram_nestingIsThatOfTheSource) {
    EXPECT_THAT(
        eventsOf("after_inlining"),
        ElementsAreArray(nested({"early", "sum",    "/sum", "/early", "main",    "last",  "sum",   "/sum",
                                 "/last", "jump",   "jump", "jump",   "/jump",   "/jump", "/jump", "sum",
                                 "/sum",  "handle", "sum",  "/sum",   "/handle", "half",  "/half", "both",
                                 "/both", "finish", "sum",  "/sum",   "/finish", "/main"})));
}

TEST_F(AfterInlining, lastCallsThatAreJumps_endTheFunctionBefore) {
    const Words events = eventsOf("after_inlining_jumps");
    const auto last = std::find(events.begin(), events.end(), "ENTER last");
    ASSERT_GE(events.end() - last, 4);
    EXPECT_THAT(Words(last, last + 4), ElementsAreArray(nested({"last", "/last", "sum", "/sum"})));
    EXPECT_EQ(events.back(), "LEAVE main");
}

TEST_F(AfterInlining, libraryThatIsLoaded_isRecorded) {
    const Words events = eventsOf("after_inlining", {HOLOS_PROGRAMS "/libafter_inlining.so"});
    EXPECT_THAT(with(events, {"in_library"}), ElementsAreArray(nested({"in_library", "/in_library"})));
}

TEST_F(AfterInlining, tinyAndInlinedFunctions_areRecordedOnRequest) {
    EXPECT_THAT(with(eventsOf("after_inlining"), {"ENTER tiny", "ENTER get"}), IsEmpty());
    EXPECT_THAT(with(eventsOf("after_inlining_tiny_too"), {"ENTER tiny", "ENTER get"}),
                ::testing::ElementsAre("ENTER tiny"));
    EXPECT_THAT(eventsOf("after_inlining_all"), Contains("ENTER get"));
}

TEST_F(AfterInlining, withoutTheRecorder_sameOutputAndNoFiles) {
    const std::string expected = "5\n2\n1.50 2.50 text 1 2 3 4\n";
    for (const char* program : {"after_inlining", "after_inlining_jumps", "after_inlining_static",
                                "after_inlining_fixed", "after_inlining_link_time"})
        EXPECT_EQ(runAlone(program), expected) << program;
}

TEST_F(AfterInlining, programAtAFixedPlace_isRecorded) {
    EXPECT_THAT(eventsOf("after_inlining_fixed"), Contains("ENTER last"));
}

TEST_F(AfterInlining, linkTimeOptimisation_isInstrumentedBeforeInlining) {
    EXPECT_THAT(eventsOf("after_inlining_link_time"), Contains("ENTER get"));
}

TEST_F(AfterInlining, registersOfTheProgram_areKept) {
    const TemporaryDirectory directory;
    // The first start and the end at which the function is judged are other ways than those between.
    record(directory.path(), HOLOS_PROGRAMS "/registers", {}, {"--throttle", "3", "--throttle-below", "0"});
}

/// The usual way saves the general registers only.
TEST_F(AfterInlining, usualWay_usesNoVectorRegistersAndCallsNothing) {
    const auto library =
        std::filesystem::path(HOLOS_PROGRAM).parent_path().parent_path() / "lib/libholos-tracing.so";
    for (const std::string function : {"holosBeginQuickly", "holosEndQuickly"}) {
        const auto code = runCommand({"objdump", "-d", "--disassemble=" + function, library});
        if (code.exitCode != 0) GTEST_SKIP() << "objdump: " << code.output;
        EXPECT_THAT(code.output, HasSubstr('<' + function + ">:"));
        EXPECT_THAT(code.output, Not(ContainsRegex("mm[0-9]|\tcall")));
    }
}

}  // namespace
}  // namespace holos::testing

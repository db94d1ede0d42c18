// SPDX-License-Identifier: BSD-3-Clause
// Stores to the recording's files can fail while the program runs (`faulting_program.c`): it does not notice,
// and its own use of the signal for that is as without the recorder.
#include <gmock/gmock.h>

#include "tests/support/command.h"
#include "tests/support/temporary_directory.h"

namespace holos::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr int kEndedBySignal = 128;

class Faulting : public ::testing::Test {
  protected:
    CommandResult record(const std::vector<std::string>& ways) const {
        return runCommand(std::vector<std::string>{"env", "HOLOS_STORAGE=mapped", HOLOS_PROGRAM, "record",
                                                   "-o", directory_.path() / "trace", "--",
                                                   FAULTING_PROGRAM} +
                          ways);
    }
    void expectAsWithoutTheRecorder(const std::string& way, int status) const {
        const auto plain = runCommand({FAULTING_PROGRAM, way});
        const auto recorded = record({way});
        EXPECT_EQ(plain.exitCode, status) << plain.output;
        EXPECT_EQ(recorded.exitCode, status) << recorded.output;
        const std::string own = plain.output.substr(0, plain.output.find("Bus error"));  // the shell's
        EXPECT_THAT(recorded.output, StartsWith(own));
    }

    TemporaryDirectory directory_;
};

class CutFile : public Faulting, public ::testing::WithParamInterface<const char*> {};

TEST_P(CutFile, whileItIsWrittenTo_doesNotEndTheProgram) {
    const auto result = record({"cut", GetParam()});
    EXPECT_THAT(result.output, StartsWith("worked on\n"));
    EXPECT_LT(result.exitCode, kEndedBySignal) << result.output;
}

TEST_F(Faulting, withEventsThatGetLost_saysSo) {
    EXPECT_THAT(record({"cut", "events"}).output, HasSubstr("Input/output error"));
}

TEST_F(Faulting, withAHandlerOfItsOwn_isCalledForItsOwnFaultsOnly) {
    expectAsWithoutTheRecorder("handler", 0);
}

TEST_F(Faulting, withAHandlerForOnce_isEndedByTheSecond) {
    expectAsWithoutTheRecorder("handler once", kEndedBySignal + SIGBUS);
}

TEST_F(Faulting, withFlagsOfItsOwn_isCalledWithThem) {
    expectAsWithoutTheRecorder("handler with all", 0);
}

TEST_F(Faulting, withoutAHandler_isEnded) {
    expectAsWithoutTheRecorder("none", kEndedBySignal + SIGBUS);
}

TEST_F(Faulting, thatAsksForItsHandlers_findsWhatItSet) {
    expectAsWithoutTheRecorder("asks", kEndedBySignal + SIGBUS);
}

INSTANTIATE_TEST_SUITE_P(Of, CutFile, ::testing::Values("events", "definitions", "status"),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace holos::testing

// SPDX-License-Identifier: BSD-3-Clause
#include "base/process.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>

#include "base/error.h"

namespace holos {
namespace {

TEST(Process, wordsOfACommand_reachTheProgramAsTheyAre) {
    const Answer answer = answerOf({"printf", "[%s]", "a b", "$HOME'\"", ""}, ErrorOutput::WithOutput);
    EXPECT_EQ(answer.text, "[a b][$HOME'\"][]");
    EXPECT_EQ(answer.status, 0);
}

TEST(Process, errorOutput_isJoinedOrDiscarded) {
    const std::vector<std::string> command{"/bin/sh", "-c", "echo one; echo two >&2; exit 3"};
    const Answer joined = answerOf(command, ErrorOutput::WithOutput);
    EXPECT_EQ(joined.text, "one\ntwo\n");
    EXPECT_EQ(WEXITSTATUS(joined.status), 3);
    EXPECT_EQ(answerOf(command, ErrorOutput::Discarded).text, "one\n");
}

TEST(Process, longOutput_isReadToItsEnd) {
    const Answer answer = answerOf({"/bin/sh", "-c", "head -c 300000 /dev/zero"}, ErrorOutput::Discarded);
    EXPECT_EQ(answer.text, std::string(300000, '\0'));
}

TEST(Process, input_isEmpty) {
    EXPECT_EQ(answerOf({"cat"}, ErrorOutput::WithOutput).text, "");
}

TEST(Process, programThatASignalEnds_saysSo) {
    const Answer answer = answerOf({"/bin/sh", "-c", "kill -TERM $$"}, ErrorOutput::Discarded);
    ASSERT_TRUE(WIFSIGNALED(answer.status));
    EXPECT_EQ(WTERMSIG(answer.status), SIGTERM);
}

TEST(Process, programThatIsNotThere_isAnErrorThatNamesIt) {
    try {
        answerOf({"/no/such/program"}, ErrorOutput::Discarded);
        FAIL() << "it was started";
    } catch (const Error& error) {
        EXPECT_EQ(error.place().file, "/no/such/program");
    }
}

}  // namespace
}  // namespace holos

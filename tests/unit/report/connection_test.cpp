// SPDX-License-Identifier: BSD-3-Clause
#include "report/far/connection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stop_token>
#include <string>
#include <vector>

#include "base/error.h"
#include "report/far/questions.h"

namespace holos::far {
namespace {

using testing::HasSubstr;

/// A program of the shell that greets and then does this.
std::vector<std::string> thatGreets(const std::string& script, std::string_view order = kByteOrder) {
    return {"sh", "-c", "echo '" + std::string(kGreeting) + std::string(order) + "'; " + script};
}

std::string whyNoAnswer(Connection& connection, std::size_t most = 100) {
    try {
        return "answered: " + connection.ask("what", most);
    } catch (const Error& error) {
        return error.what();
    }
}

std::string whyNoConnection(const std::vector<std::string>& command) {
    try {
        const Connection connection(command, "far.cubex", {});
        return "connected";
    } catch (const Error& error) {
        return error.what();
    }
}

TEST(Connection, answers_areThatManyBytes) {
    Connection connection(
        thatGreets(R"(read -r word; printf 'ok %s\n%s' ${#word} "$word"; read -r word; printf 'ok 0\n')"),
        "far.cubex", {});
    EXPECT_EQ(connection.ask("experiment"), "experiment");
    EXPECT_EQ(connection.ask("more"), "");
    EXPECT_FALSE(connection.swapsBytes());
}

TEST(Connection, linesOfTheShellBeforeTheGreeting_areSkipped) {
    Connection connection({"sh", "-c",
                           "echo 'Welcome to login1'; echo '" + std::string(kGreeting) +
                               "other'; read -r word; printf 'ok 1\\n1'"},
                          "far.cubex", {});
    EXPECT_TRUE(connection.swapsBytes());
    EXPECT_EQ(connection.ask("experiment"), "1");
}

TEST(Connection, reasonInsteadOfAnAnswer_isThrown) {
    Connection connection(
        thatGreets(R"(read -r word; printf 'error 8\nno value'; read -r word; printf 'ok 1\n7')"),
        "far.cubex", {});
    EXPECT_THAT(whyNoAnswer(connection), HasSubstr("no value"));
    EXPECT_EQ(connection.ask("again"), "7");
}

TEST(Connection, answerLargerThanWasAskedFor_endsIt) {
    Connection connection(thatGreets(R"(read -r word; printf 'ok 101\n'; cat)"), "far.cubex", {});
    EXPECT_THAT(whyNoAnswer(connection), HasSubstr("what answers there is not Holos"));
    EXPECT_THAT(whyNoAnswer(connection), HasSubstr("what answers there is not Holos"));
}

TEST(Connection, programThatEnds_lastWordsAreTold) {
    Connection connection(thatGreets("read -r word; echo 'first'  >&2; echo 'the disk is gone' >&2; exit 1"),
                          "far.cubex", {});
    const std::string why = whyNoAnswer(connection);
    EXPECT_THAT(why, HasSubstr("the connection has ended: the disk is gone"));
    EXPECT_EQ(whyNoAnswer(connection), why);
}

TEST(Connection, programThatIsNotHolos_isAnError) {
    EXPECT_THAT(whyNoConnection({"sh", "-c", "echo hello"}), HasSubstr("the connection has ended"));
    EXPECT_THAT(whyNoConnection({"/no/such/program"}), HasSubstr("/no/such/program cannot be started"));
    EXPECT_THAT(whyNoConnection({"yes"}), HasSubstr("no version of Holos answers there"));
}

TEST(Connection, whoStops_waitsNoLonger) {
    std::stop_source stop;
    Connection connection(thatGreets("exec cat > /dev/null"), "far.cubex", stop.get_token());
    stop.request_stop();
    EXPECT_THAT(whyNoAnswer(connection), HasSubstr("given up"));
}

}  // namespace
}  // namespace holos::far

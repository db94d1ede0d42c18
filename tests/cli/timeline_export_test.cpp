// SPDX-License-Identifier: BSD-3-Clause
// `holos export --format chrome`: a run over time for viewers of Chromium's trace events.
#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/cli/command_test.h"
#include "tests/support/trace_builder.h"

namespace holos::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Two messages of one channel; the second arrives in a call that began before it was sent. Ticks are
/// microseconds.
class TimelineExport : public CommandTest {
  protected:
    TimelineExport() {
        TraceBuilder trace(2);
        trace.on(0).enter(0, "main").send(100, 200, {.peer = 1, .bytes = 64, .tag = 7});
        trace.on(0).send(600, 700, {.peer = 1, .bytes = 65, .tag = 7}).leave(1000);
        trace.on(1).enter(0, "main").recv(150, 250, {.peer = 0, .bytes = 64, .tag = 7});
        trace.on(1).recv(300, 720, {.peer = 0, .bytes = 65, .tag = 7}).leave(1000);
        anchor_ = trace.write(file("run"));
    }

    nlohmann::json events(std::vector<std::string> options) const {
        std::vector<std::string> words{"export", file("run"), "--format", "chrome", "-o", file("run.json")};
        words.insert(words.end(), options.begin(), options.end());
        const auto result = holos(words);
        EXPECT_EQ(result.exitCode, 0) << result.output;
        return nlohmann::json::parse(std::ifstream(file("run.json")))["traceEvents"];
    }

    static std::vector<nlohmann::json> ofKind(const nlohmann::json& events, const std::string& kind) {
        std::vector<nlohmann::json> found;
        for (const auto& event : events)
            if (event["ph"] == kind) found.push_back(event);
        return found;
    }

    /// `NAME from to` in milliseconds, as they end.
    static std::vector<std::string> slices(const nlohmann::json& events, int process) {
        std::vector<std::string> made;
        std::vector<std::pair<std::string, double>> open;
        for (const auto& event : events) {
            if (event["pid"] != process) continue;
            if (event["ph"] == "B") open.emplace_back(event["name"], event["ts"]);
            if (event["ph"] != "E") continue;
            made.push_back(open.back().first + ' ' + std::to_string(std::lround(open.back().second / 1000)) +
                           ' ' + std::to_string(std::lround(event["ts"].get<double>() / 1000)));
            open.pop_back();
        }
        EXPECT_THAT(open, IsEmpty());
        return made;
    }

    std::filesystem::path anchor_;
};

TEST_F(TimelineExport, calls_areNestedSlicesOfTheirThread) {
    EXPECT_THAT(slices(events({}), 0), ElementsAre("MPI_Send 100 200", "MPI_Send 600 700", "main 0 1000"));
    EXPECT_THAT(slices(events({}), 1), ElementsAre("MPI_Recv 150 250", "MPI_Recv 300 720", "main 0 1000"));
}

TEST_F(TimelineExport, messages_leadFromTheirSendToTheirReceive) {
    const auto all = events({});
    std::map<std::int64_t, int> sent;
    for (const auto& send : ofKind(all, "s")) sent[send["id"]] = send["args"]["bytes"];
    std::map<double, int> received;
    for (const auto& receive : ofKind(all, "f")) received[receive["ts"]] = sent.at(receive["id"]);
    EXPECT_THAT(received, ElementsAre(std::pair(250e3, 64), std::pair(720e3, 65)));
}

TEST_F(TimelineExport, ofAPart_hasCallsThatAreOpenThereAndTheSameNumbersOfMessages) {
    const auto all = events({});
    const auto part = events({"--from", "0.5", "--to", "0.8"});
    EXPECT_THAT(slices(part, 1), ElementsAre("MPI_Recv 500 720", "main 500 800"));
    ASSERT_EQ(ofKind(part, "f").size(), 1U);
    EXPECT_EQ(ofKind(part, "f").front()["id"], ofKind(all, "f").back()["id"]);
}

TEST_F(TimelineExport, processesAndThreads_haveTheirNames) {
    std::vector<std::string> names;
    for (const auto& one : ofKind(events({}), "M"))
        if (one["name"] == "process_name") names.push_back(one["args"]["name"]);
    EXPECT_THAT(names, ElementsAre("MPI Rank 0", "MPI Rank 1"));
}

TEST_F(TimelineExport, whatIsForTables_isRefused) {
    EXPECT_EQ(holos({"export", file("run"), "--format", "chrome", "--metric", "time"}).exitCode, 2);
    EXPECT_EQ(holos({"export", file("run"), "--format", "chrome", "--from", "2", "--to", "1"}).exitCode, 2);
    EXPECT_THAT(holos({"export", file("run"), "--from", "1"}).output,
                HasSubstr("--from: is for --format chrome"));
    EXPECT_THAT(holos({"export", file("nothing"), "--format", "chrome"}).output, HasSubstr("nothing"));
}

}  // namespace
}  // namespace holos::testing

// SPDX-License-Identifier: BSD-3-Clause
// The index of calls beside a trace: answers are those of the trace, whatever becomes of the file.
#include "report/query/call_index.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/output_file.h"
#include "tests/support/large_trace.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"
#include "tests/unit/query/query_fixture.h"

namespace holos::testing {
namespace {

namespace fs = std::filesystem;

std::string contentOf(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

/// Caches are in a folder of the test.
class CallIndexes : public ::testing::Test {
  protected:
    CallIndexes() { setenv("XDG_CACHE_HOME", (folder_.path() / "caches").c_str(), 1); }
    ~CallIndexes() override { unsetenv("XDG_CACHE_HOME"); }

    /// A loop of three steps with a message each.
    static fs::path writeSmall(const fs::path& folder, Tick length) {
        TraceBuilder trace(2);
        LocationScript& sender = trace.on(0).enter(0, "main");
        LocationScript& receiver = trace.on(1).enter(0, "main");
        for (Tick step = 0; step < 3; ++step) {
            const Tick begin = 100 + 100 * step;
            sender.enter(begin, "step").call(begin + 10, begin + 10 + length, "work");
            sender.send(begin + 60, begin + 70, {.peer = 1, .bytes = 8, .tag = 7}).leave(begin + 80);
            receiver.enter(begin, "step").recv(begin + 20, begin + 75, {.peer = 0, .bytes = 8, .tag = 7});
            receiver.leave(begin + 80);
        }
        sender.leave(1000);
        receiver.leave(1000);
        return trace.write(folder);
    }

    static Rows ask(const fs::path& run, const std::string& statement, bool usesIndex = true) {
        query::Run asked(run, {.threads = 2, .fewestIndexed = 0, .usesIndex = usesIndex});
        query::Database database(asked);
        return answerOf(database, statement);
    }
    /// Whether there is an index of the trace as it is now, without one being made.
    static bool hasIndex(const fs::path& run) {
        query::Run asked(run, {.threads = 1, .fewestIndexed = 0});
        return asked.callIndex(false) != nullptr;
    }
    fs::path cached() const {
        for (const auto& each : fs::recursive_directory_iterator(folder_.path() / "caches"))
            if (each.is_regular_file()) return each.path();
        return {};
    }

    TemporaryDirectory folder_;
    const std::string everything_ = "SELECT * FROM calls";
};

TEST_F(CallIndexes, answers_areThoseOfTheTrace) {
    const fs::path run = writeLargeTrace(
        folder_.path() / "run",
        {.processes = 2, .rounds = 70, .callsPerRound = 300, .threads = 2, .parallelsPerRound = 2});
    for (const std::string condition :
         {"1", "region = 'MPI_Send'", "region = 'none'", "location = 1", "process IN (0, 1) AND thread = 1",
          "start BETWEEN 0.00001 AND 0.00002", "\"end\" < 0.00003", "duration > 0.000001", "iteration = 5",
          "iteration > 60 AND region = 'MPI_Recv'", "iteration IS NULL", "start < -1",
          "own > 0 AND bytes_sent > 0", "call_path LIKE '%MPI%' AND depth > 1"}) {
        const std::string statement = everything_ + " WHERE " + condition;
        EXPECT_EQ(ask(run, statement), ask(run, statement, false)) << condition;
    }
    EXPECT_TRUE(fs::is_regular_file(fs::path(run).replace_extension(".calls")));
    EXPECT_EQ(
        ask(run, "SELECT region, count(*), sum(duration), max(own) FROM calls GROUP BY 1 ORDER BY 3"),
        ask(run, "SELECT region, count(*), sum(duration), max(own) FROM calls GROUP BY 1 ORDER BY 3", false));
}

/// Only parts of the index are read, in which the longest calls are.
TEST_F(CallIndexes, longestCalls_areThoseOfTheTrace) {
    const fs::path run =
        writeLargeTrace(folder_.path() / "run", {.processes = 3, .rounds = 70, .callsPerRound = 300});
    ask(run, everything_);
    for (const std::string condition :
         {"", "WHERE process = 1", "WHERE region = 'MPI_Send' AND process IN (0, 2)", "WHERE region = 'none'",
          "WHERE duration < 0.00001", "WHERE location = 'x'", "WHERE own > 0"})
        for (const std::string limit :
             {"LIMIT 1", "LIMIT 20", "LIMIT 7 OFFSET 1000", "LIMIT 100000", "LIMIT 0"}) {
            const std::string statement =
                "SELECT duration FROM calls " + condition + " ORDER BY duration DESC " + limit;
            EXPECT_EQ(ask(run, statement), ask(run, statement, false)) << statement;
        }
}

TEST_F(CallIndexes, statistics_areThoseOfTheTrace) {
    const fs::path run = writeLargeTrace(
        folder_.path() / "run",
        {.processes = 2, .rounds = 70, .callsPerRound = 300, .threads = 2, .parallelsPerRound = 2});
    ask(run, everything_);
    for (const std::string condition : {"1", "region = 'MPI_Send'", "location = 1", "metric = 'time'",
                                        "metric = 'none'", "calls > 100 AND process = 0"}) {
        const std::string statement = "SELECT * FROM statistics WHERE " + condition;
        EXPECT_EQ(ask(run, statement), ask(run, statement, false)) << condition;
    }
}

TEST_F(CallIndexes, damagedOne_changesNoStatistics) {
    const fs::path run = writeSmall(folder_.path() / "run", 40);
    const std::string statement = "SELECT * FROM statistics";
    const Rows right = ask(run, statement, false);
    ask(run, everything_);
    const fs::path file = fs::path(run).replace_extension(".calls");
    const std::string whole = contentOf(file);
    for (std::size_t byte = 0; byte < whole.size(); byte += 11) {
        std::string damaged = whole;
        damaged[byte] = static_cast<char>(damaged[byte] ^ 0x10);
        std::ofstream(file, std::ios::binary) << damaged;
        ASSERT_EQ(ask(run, statement), right) << "byte " << byte;
    }
}

TEST_F(CallIndexes, secondOpening_findsIt) {
    const fs::path run = writeSmall(folder_.path() / "run", 40);
    EXPECT_FALSE(hasIndex(run));
    ask(run, "SELECT region FROM calls LIMIT 2");
    EXPECT_FALSE(hasIndex(run)) << "who wants some rows waits for no index";
    ask(run, everything_, false);
    EXPECT_FALSE(hasIndex(run));
    ask(run, everything_);
    EXPECT_TRUE(hasIndex(run));
    const std::string before = contentOf(fs::path(run).replace_extension(".calls"));
    ask(run, everything_);
    EXPECT_EQ(contentOf(fs::path(run).replace_extension(".calls")), before);
}

TEST_F(CallIndexes, anyByteThatIsWrong_changesNoRow) {
    const fs::path run = writeSmall(folder_.path() / "run", 40);
    const Rows right = ask(run, everything_, false);
    EXPECT_EQ(ask(run, everything_), right);
    const fs::path file = fs::path(run).replace_extension(".calls");
    const std::string whole = contentOf(file);
    constexpr std::size_t kHeader = 40;  // all of its bytes, and of the others each seventh
    for (std::size_t byte = 0; byte < whole.size(); byte += byte < kHeader ? 1 : 7) {
        std::string damaged = whole;
        damaged[byte] = static_cast<char>(damaged[byte] ^ 0x10);
        std::ofstream(file, std::ios::binary) << damaged;
        fs::remove_all(folder_.path() / "caches");
        ASSERT_EQ(ask(run, everything_), right) << "byte " << byte;
        ASSERT_TRUE(hasIndex(run)) << "byte " << byte;
    }
    for (std::size_t size = 0; size < whole.size(); size += 50) {
        std::ofstream(file, std::ios::binary) << whole.substr(0, size);
        ASSERT_EQ(ask(run, everything_), right) << size << " bytes";
    }
}

TEST_F(CallIndexes, traceThatIsWrittenAnew_hasAnotherOne) {
    const fs::path run = writeSmall(folder_.path() / "run", 40);
    ask(run, everything_);
    const std::string index = contentOf(fs::path(run).replace_extension(".calls"));
    fs::remove_all(folder_.path() / "run");
    writeSmall(folder_.path() / "run", 30);
    std::ofstream(fs::path(run).replace_extension(".calls"), std::ios::binary) << index;
    EXPECT_FALSE(hasIndex(run));
    EXPECT_EQ(ask(run, everything_), ask(run, everything_, false));
    EXPECT_TRUE(hasIndex(run));
}

TEST_F(CallIndexes, fileOfTheUser_staysAndTheIndexLiesElsewhere) {
    const fs::path run = writeSmall(folder_.path() / "run", 40);
    const fs::path file = fs::path(run).replace_extension(".calls");
    writeFile(file, "a list of telephone calls\n");
    EXPECT_EQ(ask(run, everything_), ask(run, everything_, false));
    EXPECT_EQ(contentOf(file), "a list of telephone calls\n");
    EXPECT_TRUE(hasIndex(run));
    EXPECT_EQ(cached().extension(), ".calls");

    fs::remove(file);
    writeFile(folder_.path() / "diary", "Monday\n");
    fs::remove(cached());
    fs::create_symlink(folder_.path() / "diary", file);
    EXPECT_EQ(ask(run, everything_), ask(run, everything_, false));
    EXPECT_EQ(contentOf(folder_.path() / "diary"), "Monday\n");
    EXPECT_EQ(cached().extension(), ".calls");
}

TEST_F(CallIndexes, noPlaceForIt_changesNoAnswer) {
    const fs::path run = writeSmall(folder_.path() / "run", 40);
    fs::create_directory(fs::path(run).replace_extension(".calls"));
    writeFile(folder_.path() / "caches", "no folder");
    EXPECT_EQ(ask(run, everything_), ask(run, everything_, false));
    EXPECT_FALSE(hasIndex(run));
}

TEST_F(CallIndexes, severalAtATime_makeOneThatIsWhole) {
    const fs::path run = writeSmall(folder_.path() / "run", 40);
    const Rows right = ask(run, everything_, false);
    for (int round = 0; round < 5; ++round) {
        fs::remove(fs::path(run).replace_extension(".calls"));
        std::vector<Rows> answers(4);
        std::vector<std::jthread> threads;
        for (Rows& answer : answers) threads.emplace_back([&] { answer = ask(run, everything_); });
        threads.clear();
        for (const Rows& answer : answers) EXPECT_EQ(answer, right);
        EXPECT_TRUE(hasIndex(run));
    }
    std::size_t files = 0;
    for (const auto& each : fs::directory_iterator(folder_.path() / "run"))
        if (each.path().filename().string().starts_with("traces.calls")) ++files;
    EXPECT_EQ(files, 1) << "nothing is left behind";
}

}  // namespace
}  // namespace holos::testing

// SPDX-License-Identifier: BSD-3-Clause
// Statements that want more than to read.
#include <gmock/gmock.h>

#include <random>

#include "base/error.h"
#include "tests/support/damage.h"
#include "tests/support/temporary_directory.h"
#include "tests/support/trace_builder.h"
#include "tests/unit/query/query_fixture.h"

namespace holos::testing {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

class HostileQuery : public ::testing::Test {
  protected:
    HostileQuery() {
        TraceBuilder trace(1);
        trace.on(0).enter(0, "main").call(10, 20, "a").leave(30);
        run_ = std::make_unique<query::Run>(trace.write(folder_.path() / "run"),
                                            query::RunOptions{.threads = 1});
        database_ = std::make_unique<query::Database>(*run_);
    }

    /// What is wrong with a statement; empty where it was answered.
    std::string wrongWith(const std::string& statement, const query::Limits& limits = {}) const {
        try {
            answerOf(*database_, statement, limits);
            return "";
        } catch (const Error& error) {
            return error.what();
        }
    }
    /// Names in the folders that a statement might write to.
    std::size_t files() const {
        std::size_t count = 0;
        for ([[maybe_unused]] const auto& each :
             std::filesystem::recursive_directory_iterator(folder_.path()))
            ++count;
        return count;
    }

    TemporaryDirectory folder_;
    std::unique_ptr<query::Run> run_;
    std::unique_ptr<query::Database> database_;
};

TEST_F(HostileQuery, statementsThatDoMoreThanRead_areRefused) {
    const std::size_t before = files();
    const std::string victim = (folder_.path() / "victim").string();
    for (const std::string& statement :
         Rows{"ATTACH '" + victim + "' AS v",
              "ATTACH ':memory:' AS v",
              "CREATE TABLE t(a)",
              "CREATE TEMP TABLE t(a)",
              "CREATE VIRTUAL TABLE t USING calls",
              "CREATE VIEW v AS SELECT 1",
              "INSERT INTO calls VALUES(1)",
              "UPDATE calls SET start = 0",
              "DELETE FROM calls",
              "DROP TABLE calls",
              "VACUUM INTO '" + victim + "'",
              "PRAGMA temp_store_directory = '" + folder_.path().string() + "'",
              "PRAGMA hard_heap_limit = 0",
              "PRAGMA writable_schema = 1",
              "SELECT * FROM pragma_database_list",
              "SELECT load_extension('" + victim + "')",
              "BEGIN",
              "COMMIT",
              "SAVEPOINT s",
              "REINDEX",
              "ANALYZE",
              "DETACH main",
              "EXPLAIN DELETE FROM calls",
              "WITH x AS (SELECT 1) DELETE FROM calls",
              "SELECT 1; DROP TABLE calls",
              "SELECT 1; SELECT 2",
              "",
              ";",
              "-- nothing",
              std::string("SELECT 1\0; DROP TABLE calls", 27)})
        EXPECT_NE(wrongWith(statement), "") << statement;
    EXPECT_EQ(files(), before);
    EXPECT_EQ(answerOf(*database_, "SELECT count(*) FROM calls"), Rows{"2"});
}

TEST_F(HostileQuery, statementsThatTakeForever_endAtTheirTime) {
    const query::Limits little{.time = std::chrono::milliseconds(20)};
    for (const std::string& statement :
         Rows{"WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r",
              "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r LIMIT 100000000) "
              "SELECT max(a.n + b.n) FROM r a, r b"})
        EXPECT_THAT(wrongWith(statement, little), AnyOf(HasSubstr("--time-limit"), HasSubstr("--memory")));
    EXPECT_EQ(wrongWith("SELECT 1"), "");
}

TEST_F(HostileQuery, statementsThatNeedMuchMemory_endWithoutIt) {
    const query::Limits little{.memory = std::uint64_t{8} << 20U};
    EXPECT_THAT(wrongWith("WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r LIMIT 1000000) "
                          "SELECT n, hex(randomblob(100)) x FROM r ORDER BY x",
                          little),
                HasSubstr("--memory"));
    EXPECT_NE(wrongWith("SELECT hex(zeroblob(1000000000))"), "");
    wrongWith("SELECT printf('%*d', 1000000000, 1)");
    EXPECT_EQ(wrongWith("SELECT 1"), "");
}

TEST_F(HostileQuery, wrongStatements_sayWhatToDo) {
    EXPECT_THAT(wrongWith("SELECT * FROM call"), AllOf(HasSubstr("calls"), HasSubstr("lists tables")));
    EXPECT_THAT(wrongWith("SELECT begin_time FROM calls"), HasSubstr("lists tables"));
    EXPECT_THAT(wrongWith("SELEC 1"), HasSubstr("SQL"));
    EXPECT_THAT(wrongWith("DELETE FROM calls"), HasSubstr("only SELECT"));
    EXPECT_THAT(wrongWith("SELECT 1; SELECT 2"), HasSubstr("one statement"));
}

/// Words of the language in any order: an error or an answer, and the tables stay.
TEST_F(HostileQuery, wordsInAnyOrder_doNoHarm) {
    const Rows words{"SELECT", "FROM",   "calls",  "waits",  "WHERE", "(",    ")",     "*",
                     ",",      "start",  "region", "=",      "'a'",   "1",    "ORDER", "BY",
                     "GROUP",  "AND",    "OR",     "NOT",    "IN",    "LIKE", "LIMIT", "UNION",
                     "ALL",    "WITH",   "AS",     "x",      "COUNT", "JOIN", "ON",    "ATTACH",
                     "PRAGMA", "CREATE", "TABLE",  "DELETE", "NULL",  "-1",   "1e400", "COLLATE"};
    std::mt19937 random(7);
    const query::Limits little{.time = std::chrono::seconds(5)};
    for (int i = 0; i < 3000; ++i) {
        std::string statement = i % 2 == 0 ? "SELECT * FROM calls WHERE" : "SELECT";
        for (std::size_t count = 1 + random() % 8; count > 0; --count)
            statement += ' ' + words[random() % words.size()];
        wrongWith(statement, little);
    }
    EXPECT_EQ(answerOf(*database_, "SELECT count(*) FROM calls"), Rows{"2"});
}

/// All that tables tell of calls and what was read in them. An error is an answer, too.
std::size_t rowsOf(const std::filesystem::path& anchor) {
    std::size_t rows = 0;
    for (const char* statement :
         {"SELECT region, call_path, own, iteration, depth FROM calls",
          "SELECT count(*) FROM calls WHERE region = 'part'", "SELECT * FROM statistics",
          "SELECT * FROM readings", "SELECT * FROM waits", "SELECT * FROM messages"}) {
        try {
            rows += answerOf(anchor, statement).size();
        } catch (const Error&) {
        }
    }
    return rows;
}

/// Calls of workers are left outside of all regions where the end of their team is not there.
TEST(HostileTraces, eventsOfWorkersThatEndAnywhere_areTold) {
    const TemporaryDirectory folder;
    TraceBuilder trace(1, 2);
    trace.on(0, 0).enter(0, "main").fork(10, 2).teamBegin(11).enter(12, "parallel").call(13, 20, "part");
    trace.on(0, 0).leave(30).teamEnd(31).join(32).leave(50);
    trace.on(0, 1).teamBegin(11).enter(12, "parallel").call(15, 25, "part").leave(30).teamEnd(31);
    const auto whole = trace.write(folder.path() / "whole");
    const std::size_t rowsOfWhole = rowsOf(whole);
    std::size_t cuts = 0;
    for (const auto& file :
         std::filesystem::directory_iterator(std::filesystem::path(whole).replace_extension())) {
        if (file.path().extension() != ".evt") continue;
        for (std::uintmax_t bytes = 0; bytes < file.file_size(); bytes += 1 + file.file_size() / 40, ++cuts) {
            const auto cut = folder.path() / "cut";
            std::filesystem::remove_all(cut);
            std::filesystem::copy(whole.parent_path(), cut, std::filesystem::copy_options::recursive);
            truncate(cut / whole.stem() / file.path().filename(), bytes);
            EXPECT_LE(rowsOf(cut / whole.filename()), rowsOfWhole) << file.path() << " to " << bytes;
        }
    }
    EXPECT_GT(cuts, 60);
}

}  // namespace
}  // namespace holos::testing

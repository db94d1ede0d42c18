// SPDX-License-Identifier: BSD-3-Clause
#include "report/query/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <array>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/suggest.h"
#include "base/wrong_request.h"
#include "report/query/virtual_tables.h"

namespace holos::query {

namespace {

/// What a statement may do: read, and call functions that only compute.
int authorize(void* tables, int action, const char* /*first*/, const char* second, const char* /*database*/,
              const char* /*trigger*/) {
    if (static_cast<const VirtualTables*>(tables)->isDeclaring()) return SQLITE_OK;
    switch (action) {
        case SQLITE_SELECT:
        case SQLITE_READ:
        case SQLITE_RECURSIVE:
            return SQLITE_OK;
        case SQLITE_FUNCTION:
            return second != nullptr && sqlite3_stricmp(second, "load_extension") != 0 ? SQLITE_OK
                                                                                       : SQLITE_DENY;
        default:
            return SQLITE_DENY;
    }
}

struct CloseDatabase {
    void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
};
struct EndStatement {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, EndStatement>;

/// Sets a flag after a time, unless it goes before.
class Alarm {
  public:
    Alarm(std::atomic<bool>& flag, std::chrono::nanoseconds time)
        : thread_([this, &flag, time](const std::stop_token& stop) {
              std::unique_lock lock(mutex_);
              if (!wake_.wait_for(lock, stop, time, [] { return false; }) && !stop.stop_requested())
                  flag = true;
          }) {}

  private:
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::jthread thread_;
};

/// Whoever stops a question does not stop the next one.
class NotStoppedAfterwards {
  public:
    explicit NotStoppedAfterwards(std::atomic<bool>& stopped) : stopped_(stopped) {}
    ~NotStoppedAfterwards() { stopped_ = false; }
    NotStoppedAfterwards(const NotStoppedAfterwards&) = delete;
    NotStoppedAfterwards& operator=(const NotStoppedAfterwards&) = delete;

  private:
    std::atomic<bool>& stopped_;
};

/// SQLite's memory is limited for the process as a whole.
class HeapLimit {
  public:
    explicit HeapLimit(std::uint64_t bytes)
        : before_(sqlite3_hard_heap_limit64(static_cast<sqlite3_int64>(bytes))) {}
    ~HeapLimit() { sqlite3_hard_heap_limit64(before_); }
    HeapLimit(const HeapLimit&) = delete;
    HeapLimit& operator=(const HeapLimit&) = delete;

  private:
    sqlite3_int64 before_;
};

Cell cellOf(sqlite3_stmt* statement, int column) {
    switch (sqlite3_column_type(statement, column)) {
        case SQLITE_INTEGER:
            return std::int64_t{sqlite3_column_int64(statement, column)};
        case SQLITE_FLOAT:
            return sqlite3_column_double(statement, column);
        case SQLITE_NULL:
            return std::monostate();
        default: {
            const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement, column));
            const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
            return bytes == nullptr ? std::string() : std::string(bytes, size);
        }
    }
}

bool isBlank(const char* text) {
    for (; *text != '\0'; ++text)
        if (std::string_view(" \t\r\n;").find(*text) == std::string_view::npos) return false;
    return true;
}

constexpr const char* kListTables = "'holos query FILE' lists tables and columns";

}  // namespace

struct Database::State {
    Run& run;
    VirtualTables tables;
    std::unique_ptr<sqlite3, CloseDatabase> database;

    explicit State(Run& of) : run(of), tables(of) {}
    void open();
    void limitStatements();
    Statement prepare(const std::string& text);
    [[noreturn]] void fail(int code, const Limits& limits) const;
    std::string advice(const std::string& message) const;
};

void Database::State::open() {
    sqlite3* opened = nullptr;
    const int failure =
        sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, nullptr);
    database.reset(opened);
    if (failure != SQLITE_OK) throw Error("SQLite cannot be started");
    tables.addTo(opened);
    limitStatements();
}

void Database::State::limitStatements() {
    sqlite3* const opened = database.get();
    // What does not fit into memory ends the statement: no file is written.
    sqlite3_exec(opened, "PRAGMA temp_store=MEMORY", nullptr, nullptr, nullptr);
    sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
    constexpr std::array kLimits{
        std::pair{SQLITE_LIMIT_LENGTH, 16 << 20},     std::pair{SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
        std::pair{SQLITE_LIMIT_COLUMN, 1000},         std::pair{SQLITE_LIMIT_EXPR_DEPTH, 500},
        std::pair{SQLITE_LIMIT_COMPOUND_SELECT, 100}, std::pair{SQLITE_LIMIT_VDBE_OP, 1'000'000},
        std::pair{SQLITE_LIMIT_ATTACHED, 0},          std::pair{SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000},
        std::pair{SQLITE_LIMIT_WORKER_THREADS, 0}};
    for (const auto& [what, most] : kLimits) sqlite3_limit(opened, what, most);
    sqlite3_set_authorizer(opened, &authorize, &tables);
    constexpr int kInstructions = 10'000;
    sqlite3_progress_handler(
        opened, kInstructions,
        [](void* flag) { return static_cast<std::atomic<bool>*>(flag)->load() ? 1 : 0; }, &run.stopped());
}

Statement Database::State::prepare(const std::string& text) {
    if (text.find('\0') != std::string::npos) throw WrongRequest("the statement has a zero byte");
    sqlite3_stmt* made = nullptr;
    const char* rest = nullptr;
    const int code =
        sqlite3_prepare_v2(database.get(), text.c_str(), static_cast<int>(text.size() + 1), &made, &rest);
    Statement statement(made);
    const std::string message = sqlite3_errmsg(database.get());
    if (code == SQLITE_AUTH || message.ends_with("may not be modified"))
        throw WrongRequest("only SELECT is allowed, which reads the tables: " + message);
    if (code != SQLITE_OK) throw WrongRequest(advice(message));
    if (!statement) throw WrongRequest(std::string("there is no statement; ") + kListTables);
    if (!isBlank(rest)) throw WrongRequest("one statement at a time: what follows the first ';' must go");
    if (sqlite3_stmt_readonly(made) == 0 || sqlite3_column_count(made) == 0)
        throw WrongRequest("only SELECT is allowed, which reads the tables");
    return statement;
}

/// SQLite's message, and what to do.
std::string Database::State::advice(const std::string& message) const {
    constexpr std::string_view kNoTable = "no such table: ";
    if (message.starts_with(kNoTable)) {
        std::vector<std::string> names;
        for (const auto& table : run.tables()) names.emplace_back(table->name());
        return message + didYouMean(message.substr(kNoTable.size()), names) + "; " + kListTables;
    }
    if (message.starts_with("no such column")) return message + "; " + kListTables;
    return "SQL: " + message;
}

void Database::State::fail(int code, const Limits& limits) const {
    if (run.stopped() || (code & 0xFF) == SQLITE_INTERRUPT)
        throw Error(
            fmt::format("the question takes more than {} s; ask for a part (location, start, region), or "
                        "allow more by --time-limit",
                        std::chrono::duration<double>(limits.time).count()));
    if ((code & 0xFF) == SQLITE_NOMEM)
        throw Error(
            fmt::format("the question needs more than {} MiB to sort or group; ask for a part (location, "
                        "start, region), or allow more by --memory",
                        limits.memory >> 20U));
    tables.rethrowFailure();
    throw Error(advice(sqlite3_errmsg(database.get())));
}

Database::Database(Run& run) : state_(std::make_unique<State>(run)) {
    state_->open();
}

Database::~Database() = default;

const Tables& Database::tables() const {
    return state_->run.tables();
}

void Database::ask(const std::string& text, const Limits& limits, Answer& answer) {
    const HeapLimit heap(limits.memory);
    const NotStoppedAfterwards next(state_->run.stopped());
    state_->tables.expect(text, limits.memory);
    const Alarm alarm(state_->run.stopped(), limits.time);
    const Statement statement = state_->prepare(text);
    const int count = sqlite3_column_count(statement.get());
    std::vector<AnswerColumn> columns;
    for (int i = 0; i < count; ++i) {
        const char* const name = sqlite3_column_name(statement.get(), i);
        columns.push_back({name == nullptr ? "" : name,
                           VirtualTables::kindOf(sqlite3_column_decltype(statement.get(), i))});
    }
    answer.begin(columns);
    std::vector<Cell> cells(columns.size());
    int code = sqlite3_step(statement.get());
    for (; code == SQLITE_ROW; code = sqlite3_step(statement.get())) {
        for (int i = 0; i < count; ++i) cells[static_cast<std::size_t>(i)] = cellOf(statement.get(), i);
        answer.row(cells);
    }
    if (code != SQLITE_DONE) state_->fail(code, limits);
    answer.end();
}

}  // namespace holos::query

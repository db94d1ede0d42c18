// SPDX-License-Identifier: BSD-3-Clause
#include "report/query/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <set>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/stopped.h"
#include "base/suggest.h"
#include "report/query/kept_rows.h"

namespace holos::query {

namespace {

const char* typeOf(Kind kind) {
    switch (kind) {
        case Kind::Integer:
            return "INTEGER";
        case Kind::Real:
            return "REAL";
        case Kind::Text:
            return "TEXT";
    }
    return "";
}

/// The kind that `typeOf` names so; none for what is no column of a table.
std::optional<Kind> kindOf(const char* type) {
    if (type == nullptr) return std::nullopt;
    for (const Kind kind : {Kind::Integer, Kind::Real, Kind::Text})
        if (std::string_view(typeOf(kind)) == type) return kind;
    return std::nullopt;
}

/// What tables know of the statement that is being answered.
struct Asking {
    bool declares = false;  ///< SQLite is being told the columns of a table: by a statement of ours
    std::set<std::string> words = {};  ///< of it, in small letters: more than its keywords
    bool has(const char* word) const { return words.contains(word); }
    std::uint64_t memory = Limits{}.memory;  ///< bytes
};

/// A table, and what it threw last.
struct Shown {
    Table* table;
    Run* run;
    Asking* asking;
    std::exception_ptr failure = nullptr;
};

/// How SQLite sees it: `vtab` first, as it wants it.
struct Seen {
    sqlite3_vtab vtab{};
    Shown* shown = nullptr;
    Table& table() const { return *shown->table; }
};
struct SeenCursor {
    sqlite3_vtab_cursor cursor{};
    std::unique_ptr<Cursor> rows;
    bool isAtEnd = true;
    sqlite3_int64 number = 0;
};

/// Runs it; what it throws becomes an error of SQLite.
template <class Work>
int guarded(sqlite3_vtab* vtab, Work&& work) {
    const auto fail = [vtab](const char* why) {
        sqlite3_free(vtab->zErrMsg);
        vtab->zErrMsg = sqlite3_mprintf("%s", why);
        return SQLITE_ERROR;
    };
    try {
        work();
        return SQLITE_OK;
    } catch (const Stopped&) {
        return SQLITE_INTERRUPT;
    } catch (const std::bad_alloc&) {
        return SQLITE_NOMEM;
    } catch (const std::exception& error) {
        reinterpret_cast<Seen*>(vtab)->shown->failure = std::current_exception();
        return fail(error.what());
    } catch (...) {
        return fail("the table cannot be read");
    }
}

int connect(sqlite3* database, void* shown, int /*words*/, const char* const* /*word*/, sqlite3_vtab** result,
            char** /*error*/) {
    const auto seen = new (std::nothrow) Seen;
    if (seen == nullptr) return SQLITE_NOMEM;
    seen->shown = static_cast<Shown*>(shown);
    std::string text = "CREATE TABLE t(";
    for (const Column& column : seen->table().columns())
        text += fmt::format("{}\"{}\" {}", text.back() == '(' ? "" : ", ", column.name, typeOf(column.kind));
    text += ')';
    seen->shown->asking->declares = true;
    const int failure = sqlite3_declare_vtab(database, text.c_str());
    seen->shown->asking->declares = false;
    if (failure != SQLITE_OK) {
        delete seen;
        return failure;
    }
    sqlite3_vtab_config(database, SQLITE_VTAB_INNOCUOUS);
    *result = &seen->vtab;
    return SQLITE_OK;
}

int disconnect(sqlite3_vtab* vtab) {
    delete reinterpret_cast<Seen*>(vtab);
    return SQLITE_OK;
}

std::optional<Relation> relationOf(unsigned char operation) {
    switch (operation) {
        case SQLITE_INDEX_CONSTRAINT_EQ:
            return Relation::Equal;
        case SQLITE_INDEX_CONSTRAINT_LT:
            return Relation::Less;
        case SQLITE_INDEX_CONSTRAINT_LE:
            return Relation::AtMost;
        case SQLITE_INDEX_CONSTRAINT_GT:
            return Relation::Greater;
        case SQLITE_INDEX_CONSTRAINT_GE:
            return Relation::AtLeast;
        default:
            return std::nullopt;
    }
}

bool isOfUse(const Column& column, Relation relation, sqlite3_index_info* info, int at) {
    if (column.gain == Gain::None) return false;
    if (column.kind == Kind::Text &&
        (relation != Relation::Equal || std::string_view(sqlite3_vtab_collation(info, at)) != "BINARY"))
        return false;
    // For a list of values the table would be read once for each of them.
    return column.gain == Gain::Direct || sqlite3_vtab_in(info, at, -1) == 0;
}

/// Whether the value of a condition is known before the first row is asked for, so that the table is gone
/// through once.
bool isConstant(sqlite3_index_info* info, int at) {
    const unsigned char operation = info->aConstraint[at].op;
    if (operation == SQLITE_INDEX_CONSTRAINT_ISNULL || operation == SQLITE_INDEX_CONSTRAINT_ISNOTNULL)
        return true;
    sqlite3_value* value = nullptr;
    return info->aConstraint[at].usable != 0 && sqlite3_vtab_rhs_value(info, at, &value) == SQLITE_OK;
}

/// How a table hands over its rows.
enum class Order : char { AsTheyCome = 0, Grouped = '!', Sorted = '#' };

/// Where equal rows are wanted together, as by GROUP BY and DISTINCT, those of keys with few values are
/// gathered group by group. All others are sorted here, since SQLite would do that in memory; but who wants
/// the first rows in some order, or only the smallest value, keeps only these.
Order orderFor(const Shown& shown, sqlite3_index_info* info) {
    if (info->nOrderBy == 0) return Order::AsTheyCome;
    for (int i = 0; i < info->nConstraint; ++i)
        if (!isConstant(info, i)) return Order::AsTheyCome;
    bool isOfFewValues = true;
    for (int i = 0; i < info->nOrderBy; ++i) {
        const int column = info->aOrderBy[i].iColumn;
        if (column < 0) return Order::AsTheyCome;
        if (shown.table->columns()[static_cast<std::size_t>(column)].kind == Kind::Real)
            isOfFewValues = false;
    }
    if (sqlite3_vtab_distinct(info) != 0) return isOfFewValues ? Order::Grouped : Order::Sorted;
    const Asking& asking = *shown.asking;
    const bool isForAll =
        asking.has("order") && !asking.has("limit") && !asking.has("min") && !asking.has("max");
    return isForAll ? Order::Sorted : Order::AsTheyCome;
}

/// How many rows are wanted of those with the largest values in a column, as by ORDER BY … DESC LIMIT 20.
/// SQLite tells of LIMIT where it has no other conditions than these, which tables have to know exactly, so
/// that they can tell which rows these are.
std::optional<Question::Largest> largestFor(const Shown& shown, sqlite3_index_info* info) {
    if (info->nOrderBy != 1 || info->aOrderBy[0].desc == 0 || info->aOrderBy[0].iColumn < 0 ||
        sqlite3_vtab_distinct(info) != 0)
        return std::nullopt;
    std::uint64_t count = 0;
    bool hasLimit = false;
    for (int i = 0; i < info->nConstraint; ++i) {
        const auto& constraint = info->aConstraint[i];
        const bool isLimit = constraint.op == SQLITE_INDEX_CONSTRAINT_LIMIT;
        if (isLimit || constraint.op == SQLITE_INDEX_CONSTRAINT_OFFSET) {
            sqlite3_value* value = nullptr;
            if (sqlite3_vtab_rhs_value(info, i, &value) != SQLITE_OK || sqlite3_value_int64(value) < 0)
                return std::nullopt;
            count += static_cast<std::uint64_t>(sqlite3_value_int64(value));
            hasLimit = hasLimit || isLimit;
            continue;
        }
        if (constraint.op != SQLITE_INDEX_CONSTRAINT_EQ || constraint.usable == 0 || constraint.iColumn < 0)
            return std::nullopt;
        const Column& column = shown.table->columns()[static_cast<std::size_t>(constraint.iColumn)];
        if (!column.isExact || !isOfUse(column, Relation::Equal, info, i)) return std::nullopt;
    }
    if (!hasLimit) return std::nullopt;
    return Question::Largest{static_cast<std::size_t>(info->aOrderBy[0].iColumn), count};
}

/// Tells which conditions `filter` wants, as `columns;column:relation;…` in hexadecimal numbers, and then
/// by which columns rows are grouped or sorted, as `!column+` or `!column-`, with `#` where they are sorted;
/// or of which column how many largest values are wanted, as `$column:count`.
int plan(sqlite3_vtab* vtab, sqlite3_index_info* info) {
    return guarded(vtab, [&] {
        const Shown& shown = *reinterpret_cast<Seen*>(vtab)->shown;
        const Table& table = *shown.table;
        double rows = std::max(1.0, table.size());
        std::string text = fmt::format("{:x}", info->colUsed);
        int arguments = 0;
        for (int i = 0; i < info->nConstraint; ++i) {
            const auto& constraint = info->aConstraint[i];
            const auto relation = relationOf(constraint.op);
            if (constraint.usable == 0 || !relation || constraint.iColumn < 0) continue;
            const auto at = static_cast<std::size_t>(constraint.iColumn);
            const Column& column = table.columns()[at];
            if (!isOfUse(column, *relation, info, i)) continue;
            info->aConstraintUsage[i].argvIndex = ++arguments;
            text += fmt::format(";{:x}:{:x}", at, static_cast<unsigned>(*relation));
            const bool isEqual = *relation == Relation::Equal;
            rows /= isEqual && column.gain == Gain::Direct ? 50 : isEqual ? 10 : 2;
        }
        if (const Order order = orderFor(shown, info); order != Order::AsTheyCome) {
            for (int i = 0; i < info->nOrderBy; ++i)
                text += fmt::format("{}{:x}{}", static_cast<char>(order), info->aOrderBy[i].iColumn,
                                    info->aOrderBy[i].desc != 0 ? '-' : '+');
            info->orderByConsumed = 1;
        } else if (const auto largest = largestFor(shown, info)) {
            text += fmt::format("${:x}:{:x}", largest->column, largest->count);
        }
        info->estimatedCost = std::max(1.0, rows);
        info->estimatedRows = static_cast<sqlite3_int64>(std::max(1.0, rows));
        info->idxStr = sqlite3_mprintf("%s", text.c_str());
        info->needToFreeIdxStr = 1;
        if (info->idxStr == nullptr) throw std::bad_alloc();
    });
}

int open(sqlite3_vtab* /*vtab*/, sqlite3_vtab_cursor** result) {
    const auto cursor = new (std::nothrow) SeenCursor;
    if (cursor == nullptr) return SQLITE_NOMEM;
    *result = &cursor->cursor;
    return SQLITE_OK;
}

int close(sqlite3_vtab_cursor* cursor) {
    delete reinterpret_cast<SeenCursor*>(cursor);
    return SQLITE_OK;
}

/// Numbers for columns of numbers, texts for those of texts; SQLite compares all others by itself.
std::optional<Condition> conditionOf(const Column& column, std::size_t at, Relation relation,
                                     sqlite3_value* value) {
    const int type = sqlite3_value_type(value);
    if (column.kind == Kind::Text) {
        if (type != SQLITE_TEXT) return std::nullopt;
        const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
        const auto size = static_cast<std::size_t>(sqlite3_value_bytes(value));
        return Condition{at, relation, std::string(text == nullptr ? "" : text, text == nullptr ? 0 : size)};
    }
    if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) return std::nullopt;
    return Condition{at, relation, sqlite3_value_double(value)};
}

int filter(sqlite3_vtab_cursor* cursor, int /*number*/, const char* text, int /*count*/,
           sqlite3_value** values) {
    return guarded(cursor->pVtab, [&] {
        auto& self = *reinterpret_cast<SeenCursor*>(cursor);
        const Shown& shown = *reinterpret_cast<Seen*>(cursor->pVtab)->shown;
        Table& table = *shown.table;
        char* at = nullptr;
        bool isExact = true;  ///< the table knows all conditions
        Question question;
        question.columns = std::strtoull(text, &at, 16);
        for (std::size_t i = 0; *at == ';'; ++i) {
            const std::size_t column = std::strtoull(at + 1, &at, 16);
            const auto relation = static_cast<Relation>(std::strtoul(at + 1, &at, 16));
            if (auto condition = conditionOf(table.columns()[column], column, relation, values[i]))
                question.conditions.push_back(std::move(*condition));
            else
                isExact = false;
        }
        if (*at == '$') {
            Question::Largest largest;
            largest.column = std::strtoull(at + 1, &at, 16);
            largest.count = std::strtoull(at + 1, &at, 16);
            if (isExact) question.largest = largest;
        }
        const auto order = static_cast<Order>(*at);
        RowOrder wanted;
        while (*at != '\0') {
            const std::size_t column = std::strtoull(at + 1, &at, 16);
            wanted.keys.push_back({column, *at++ == '-'});
        }
        wanted.columns = question.columns;
        wanted.folder = shown.run->folder();
        wanted.mostInMemory = std::min<std::uint64_t>(wanted.mostInMemory, shown.asking->memory / 2);
        question.isWhole =
            order != Order::AsTheyCome || shown.asking->has("order") || !shown.asking->has("limit");
        self.rows.reset();
        self.rows = table.ask(std::move(question));
        if (order == Order::Grouped)
            self.rows = groupedRows(std::move(self.rows), std::move(wanted), shown.run->stopped());
        else if (order == Order::Sorted)
            self.rows = sortedRows(std::move(self.rows), std::move(wanted), shown.run->stopped());
        self.isAtEnd = !self.rows->next();
    });
}

int advance(sqlite3_vtab_cursor* cursor) {
    return guarded(cursor->pVtab, [&] {
        auto& self = *reinterpret_cast<SeenCursor*>(cursor);
        ++self.number;
        self.isAtEnd = !self.rows->next();
    });
}

int isAtEnd(sqlite3_vtab_cursor* cursor) {
    return reinterpret_cast<SeenCursor*>(cursor)->isAtEnd ? 1 : 0;
}

int rowNumber(sqlite3_vtab_cursor* cursor, sqlite3_int64* number) {
    *number = reinterpret_cast<SeenCursor*>(cursor)->number;
    return SQLITE_OK;
}

int valueOf(sqlite3_vtab_cursor* cursor, sqlite3_context* to, int column) {
    return guarded(cursor->pVtab, [&] {
        const Value value =
            reinterpret_cast<SeenCursor*>(cursor)->rows->value(static_cast<std::size_t>(column));
        if (const auto* whole = std::get_if<std::int64_t>(&value))
            sqlite3_result_int64(to, *whole);
        else if (const auto* number = std::get_if<double>(&value))
            sqlite3_result_double(to, *number);
        else if (const auto* text = std::get_if<std::string_view>(&value))
            sqlite3_result_text64(to, text->data(), text->size(), SQLITE_TRANSIENT, SQLITE_UTF8);
        else
            sqlite3_result_null(to);
    });
}

/// Without a way to create one: each table is there by its name, and is never written.
const sqlite3_module* moduleOfTables() {
    static const sqlite3_module kModule = [] {
        sqlite3_module module{};
        module.iVersion = 2;
        module.xConnect = &connect;
        module.xBestIndex = &plan;
        module.xDisconnect = &disconnect;
        module.xOpen = &open;
        module.xClose = &close;
        module.xFilter = &filter;
        module.xNext = &advance;
        module.xEof = &isAtEnd;
        module.xColumn = &valueOf;
        module.xRowid = &rowNumber;
        return module;
    }();
    return &kModule;
}

/// What a statement may do: read, and call functions that only compute.
int authorize(void* asking, int action, const char* /*first*/, const char* second, const char* /*database*/,
              const char* /*trigger*/) {
    if (static_cast<const Asking*>(asking)->declares) return SQLITE_OK;
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

std::set<std::string> wordsOf(const std::string& text) {
    std::set<std::string> words;
    std::string word;
    for (const char each : text + ' ') {
        if (std::isalpha(static_cast<unsigned char>(each)) != 0)
            word += static_cast<char>(std::tolower(static_cast<unsigned char>(each)));
        else if (!word.empty())
            words.insert(std::exchange(word, {}));
    }
    return words;
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
    std::deque<Shown> shown;
    Asking asking;
    std::unique_ptr<sqlite3, CloseDatabase> database;

    explicit State(Run& of) : run(of) {}
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
    for (const auto& table : run.tables()) {
        shown.push_back({table.get(), &run, &asking});
        if (sqlite3_create_module_v2(opened, table->name(), moduleOfTables(), &shown.back(), nullptr) !=
            SQLITE_OK)
            throw Error(std::string("SQLite takes no table ") + table->name());
    }
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
    sqlite3_set_authorizer(opened, &authorize, &asking);
    constexpr int kInstructions = 10'000;
    sqlite3_progress_handler(
        opened, kInstructions,
        [](void* flag) { return static_cast<std::atomic<bool>*>(flag)->load() ? 1 : 0; }, &run.stopped());
}

Statement Database::State::prepare(const std::string& text) {
    if (text.find('\0') != std::string::npos) throw Error("the statement has a zero byte");
    sqlite3_stmt* made = nullptr;
    const char* rest = nullptr;
    const int code =
        sqlite3_prepare_v2(database.get(), text.c_str(), static_cast<int>(text.size() + 1), &made, &rest);
    Statement statement(made);
    const std::string message = sqlite3_errmsg(database.get());
    if (code == SQLITE_AUTH || message.ends_with("may not be modified"))
        throw Error("only SELECT is allowed, which reads the tables: " + message);
    if (code != SQLITE_OK) throw Error(advice(message));
    if (!statement) throw Error(std::string("there is no statement; ") + kListTables);
    if (!isBlank(rest)) throw Error("one statement at a time: what follows the first ';' must go");
    if (sqlite3_stmt_readonly(made) == 0 || sqlite3_column_count(made) == 0)
        throw Error("only SELECT is allowed, which reads the tables");
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
    for (const Shown& each : shown)
        if (each.failure) std::rethrow_exception(each.failure);
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
    for (Shown& each : state_->shown) each.failure = nullptr;
    state_->asking.words = wordsOf(text);
    state_->asking.memory = limits.memory;
    const Alarm alarm(state_->run.stopped(), limits.time);
    const Statement statement = state_->prepare(text);
    const int count = sqlite3_column_count(statement.get());
    std::vector<AnswerColumn> columns;
    for (int i = 0; i < count; ++i) {
        const char* const name = sqlite3_column_name(statement.get(), i);
        columns.push_back({name == nullptr ? "" : name, kindOf(sqlite3_column_decltype(statement.get(), i))});
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

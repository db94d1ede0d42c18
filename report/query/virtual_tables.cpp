// SPDX-License-Identifier: BSD-3-Clause
#include "report/query/virtual_tables.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <deque>
#include <exception>
#include <new>
#include <set>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/stopped.h"
#include "report/query/kept_rows.h"

namespace holos::query {

namespace {

/// What tables know of the statement that is being answered.
struct Asking {
    bool declares = false;  ///< SQLite is being told the columns of a table: by a statement of ours
    std::set<std::string> words = {};  ///< of it, in small letters: more than its keywords
    bool has(const char* word) const { return words.contains(word); }
    std::uint64_t memory = 0;  ///< bytes that it may take
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
        text +=
            fmt::format("{}\"{}\" {}", text.back() == '(' ? "" : ", ", column.name, typeName(column.kind));
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

std::set<std::string> wordsIn(const std::string& text) {
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

}  // namespace

struct VirtualTables::State {
    Run& run;
    Asking asking;
    std::deque<Shown> shown;

    explicit State(Run& of) : run(of) {}
};

VirtualTables::VirtualTables(Run& run) : state_(std::make_unique<State>(run)) {}

VirtualTables::~VirtualTables() = default;

void VirtualTables::addTo(sqlite3* database) {
    for (const auto& table : state_->run.tables()) {
        state_->shown.push_back({table.get(), &state_->run, &state_->asking});
        if (sqlite3_create_module_v2(database, table->name(), moduleOfTables(), &state_->shown.back(),
                                     nullptr) != SQLITE_OK)
            throw Error(std::string("SQLite takes no table ") + table->name());
    }
}

bool VirtualTables::isDeclaring() const {
    return state_->asking.declares;
}

void VirtualTables::expect(const std::string& statement, std::uint64_t memory) {
    for (Shown& each : state_->shown) each.failure = nullptr;
    state_->asking.words = wordsIn(statement);
    state_->asking.memory = memory;
}

void VirtualTables::rethrowFailure() const {
    for (const Shown& each : state_->shown)
        if (each.failure) std::rethrow_exception(each.failure);
}

std::optional<Kind> VirtualTables::kindOf(const char* type) {
    if (type == nullptr) return std::nullopt;
    // SQLite writes usual types in capital letters, however they were declared.
    for (const Kind kind : {Kind::Integer, Kind::Real, Kind::Text})
        if (sqlite3_stricmp(typeName(kind), type) == 0) return kind;
    return std::nullopt;
}

}  // namespace holos::query

// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>

#include "base/csv.h"
#include "base/json.h"
#include "base/temporary_folder.h"
#include "cli/choice.h"
#include "cli/command.h"
#include "cli/parquet_table.h"
#include "cli/terminal/terminal.h"
#include "report/query/database.h"

namespace holos::cli {

using namespace query;

namespace {

enum class QueryFormat : unsigned char { Text, Csv, Json, Parquet };
constexpr auto wordsOf(QueryFormat) {
    return std::array{std::pair{"text", QueryFormat::Text}, std::pair{"csv", QueryFormat::Csv},
                      std::pair{"json", QueryFormat::Json}, std::pair{"parquet", QueryFormat::Parquet}};
}

struct QueryOptions {
    std::filesystem::path file;
    std::string statement;
    QueryFormat format = QueryFormat::Text;
    std::uint64_t memory = Limits{}.memory;
    double time = static_cast<double>(Limits{}.time.count());  ///< nanoseconds
    unsigned threads = 0;
    bool noIndex = false;
};

/// Numbers as short as they may be; bytes that are no text are shown as such.
std::string cellText(const Cell& cell) {
    if (const auto* whole = std::get_if<std::int64_t>(&cell)) return std::to_string(*whole);
    if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{:.9g}", *number);
    if (const auto* text = std::get_if<std::string>(&cell)) return printable(*text);
    return "";
}

bool isNumber(const Cell& cell) {
    return std::holds_alternative<std::int64_t>(cell) || std::holds_alternative<double>(cell);
}

/// Columns as wide as the first rows need; later ones that are longer push the rest aside.
class TextAnswer final : public Answer {
  public:
    void begin(const std::vector<AnswerColumn>& columns) override {
        widths_.assign(columns.size(), 0);
        std::vector<Cell> heading;
        for (const AnswerColumn& column : columns) heading.emplace_back(column.name);
        isRight_.assign(columns.size(), true);
        first_.push_back(std::move(heading));
    }
    void row(const std::vector<Cell>& cells) override {
        if (!first_.empty()) {
            first_.push_back(cells);
            if (first_.size() > kFirst) printFirst();
            return;
        }
        printRow(cells);
    }
    void end() override { printFirst(); }

  private:
    static constexpr std::size_t kFirst = 500;

    void printFirst() {
        for (std::size_t row = 0; row < first_.size(); ++row)
            for (std::size_t i = 0; i < widths_.size(); ++i) {
                widths_[i] = std::max(widths_[i], cellText(first_[row][i]).size());
                if (row > 0 && std::holds_alternative<std::string>(first_[row][i])) isRight_[i] = false;
            }
        for (const auto& row : std::exchange(first_, {})) printRow(row);
    }
    void printRow(const std::vector<Cell>& cells) {
        std::string line;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const bool isLast = i + 1 == cells.size();
            const std::size_t width = isLast && !isRight_[i] ? 0 : widths_[i];
            line += isRight_[i] ? fmt::format("{:>{}}", cellText(cells[i]), width)
                                : fmt::format("{:<{}}", cellText(cells[i]), width);
            if (!isLast) line += "  ";
        }
        print(line + '\n');
    }

    std::vector<std::size_t> widths_;
    std::vector<bool> isRight_;  ///< columns of numbers
    std::vector<std::vector<Cell>> first_;
};

class CsvAnswer final : public Answer {
  public:
    void begin(const std::vector<AnswerColumn>& columns) override {
        std::vector<Cell> heading;
        for (const AnswerColumn& column : columns) heading.emplace_back(column.name);
        row(heading);
    }
    void row(const std::vector<Cell>& cells) override {
        std::string line;
        for (const Cell& cell : cells) {
            if (!line.empty() || &cell != cells.data()) line += ',';
            if (const auto* number = std::get_if<double>(&cell))
                line += csvField(*number);
            else if (isNumber(cell))
                line += cellText(cell);
            else if (const auto* text = std::get_if<std::string>(&cell))
                line += csvField(*text);
        }
        print(line + '\n');
    }
    void end() override {}
};

/// Columns of equal names get a number.
std::vector<std::string> differentNames(const std::vector<AnswerColumn>& columns) {
    std::vector<std::string> names;
    std::set<std::string> taken;
    for (const AnswerColumn& column : columns) {
        std::string name = column.name;
        for (int number = 2; !taken.insert(name).second; ++number)
            name = fmt::format("{}:{}", column.name, number);
        names.push_back(std::move(name));
    }
    return names;
}

/// An object for each row, with the columns as members.
class JsonAnswer final : public Answer {
  public:
    void begin(const std::vector<AnswerColumn>& columns) override {
        names_ = differentNames(columns);
        print("{\"columns\": " + jsonText(nlohmann::json(names_)) + ",\n\"rows\": [");
    }
    void row(const std::vector<Cell>& cells) override {
        nlohmann::ordered_json object = nlohmann::ordered_json::object();
        for (std::size_t i = 0; i < cells.size(); ++i)
            object[names_[i]] = std::visit(
                [](const auto& value) -> nlohmann::ordered_json {
                    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>)
                        return nullptr;
                    else
                        return value;
                },
                cells[i]);
        print((std::exchange(isFirst_, false) ? "\n" : ",\n") + jsonText(object));
    }
    void end() override { print(isFirst_ ? "]}\n" : "\n]}\n"); }

  private:
    std::vector<std::string> names_;
    bool isFirst_ = true;
};

/// What an expression gives is known from its first rows, which are kept until then.
class ParquetAnswer final : public Answer {
  public:
    void begin(const std::vector<AnswerColumn>& columns) override {
        names_ = differentNames(columns);
        for (const AnswerColumn& column : columns) kinds_.push_back(column.kind);
    }
    void row(const std::vector<Cell>& cells) override {
        if (table_) return add(cells);
        first_.push_back(cells);
        if (first_.size() == kFirst) open();
    }
    void end() override {
        if (!table_) open();
        table_->finish();
    }

  private:
    static constexpr std::size_t kFirst = 100'000;

    /// The kind of a table's column, or else text if there is any, or numbers with fractions if there are
    /// any. What UNION adds to a table may be of any kind.
    Kind kindInFirst(std::size_t column) const {
        std::optional<Kind> kind = kinds_[column];
        for (const auto& row : first_) {
            const Cell& cell = row[column];
            if (kind == Kind::Text || std::holds_alternative<std::string>(cell)) return Kind::Text;
            if (std::holds_alternative<double>(cell)) kind = Kind::Real;
            if (std::holds_alternative<std::int64_t>(cell) && !kind) kind = Kind::Integer;
        }
        return kind.value_or(Kind::Text);
    }
    void open() {
        std::vector<ParquetTable::Column> columns;
        for (std::size_t at = 0; at < names_.size(); ++at) {
            kinds_[at] = kindInFirst(at);
            columns.push_back({names_[at], inParquet(*kinds_[at])});
        }
        table_.emplace(columns, [](std::string_view bytes) { print(std::string(bytes)); });
        for (const auto& row : std::exchange(first_, {})) add(row);
    }
    static ParquetTable::Kind inParquet(Kind kind) {
        switch (kind) {
            case Kind::Integer:
                return ParquetTable::Kind::Integer;
            case Kind::Real:
                return ParquetTable::Kind::Real;
            case Kind::Text:
                return ParquetTable::Kind::Text;
        }
        return {};
    }
    void add(const std::vector<Cell>& row) {
        std::vector<std::string> numbers;  // as texts
        numbers.reserve(row.size());
        std::vector<ParquetTable::Cell> cells;
        for (std::size_t at = 0; at < row.size(); ++at) {
            const Cell& cell = row[at];
            const auto* whole = std::get_if<std::int64_t>(&cell);
            const auto* text = std::get_if<std::string>(&cell);
            if (std::holds_alternative<std::monostate>(cell))
                cells.emplace_back();
            else if (kinds_[at] == Kind::Text)
                cells.emplace_back(std::string_view(text ? *text : numbers.emplace_back(cellText(cell))));
            else if (kinds_[at] == Kind::Real && !text)
                cells.emplace_back(whole ? static_cast<double>(*whole) : std::get<double>(cell));
            else if (whole)
                cells.emplace_back(*whole);
            else
                throw Error(fmt::format(
                    "column \"{}\" begins with numbers, and has \"{}\" later; write CAST({} AS {})",
                    names_[at], cellText(cell), names_[at], text ? "TEXT" : "REAL"));
        }
        table_->add(cells);
    }

    std::vector<std::string> names_;
    std::vector<std::optional<Kind>> kinds_;
    std::vector<std::vector<Cell>> first_;
    std::optional<ParquetTable> table_;
};

std::unique_ptr<Answer> answerAs(QueryFormat format) {
    using Made = std::unique_ptr<Answer>;
    return inFormat(
        format, []() -> Made { return std::make_unique<TextAnswer>(); },
        []() -> Made { return std::make_unique<CsvAnswer>(); },
        []() -> Made { return std::make_unique<JsonAnswer>(); },
        []() -> Made { return std::make_unique<ParquetAnswer>(); });
}

void listAsText(const Tables& tables) {
    for (const auto& table : tables) {
        print(fmt::format("{}: {}\n", table->name(), table->meaning()));
        for (const Column& column : table->columns())
            print(fmt::format("  {:<18} {:<8} {}\n", column.name, typeName(column.kind), column.meaning));
    }
}

/// The tables and columns, as if they were an answer.
void listTables(const Tables& tables, QueryFormat format) {
    if (format == QueryFormat::Text) return listAsText(tables);
    const auto answer = answerAs(format);
    answer->begin(
        {{"table", Kind::Text}, {"column", Kind::Text}, {"type", Kind::Text}, {"meaning", Kind::Text}});
    for (const auto& table : tables)
        for (const Column& column : table->columns())
            answer->row({std::string(table->name()), std::string(column.name),
                         std::string(typeName(column.kind)), std::string(column.meaning)});
    answer->end();
}

void runQuery(const QueryOptions& options) {
    RunOptions reading;
    reading.threads = options.threads;
    reading.recordMemory = options.memory;
    reading.usesIndex = !options.noIndex;
    reading.recordFolder = placeOfTemporaries();
    Run of(options.file, reading);
    Database database(of);
    if (options.statement.empty()) return listTables(database.tables(), options.format);
    const auto answer = answerAs(options.format);
    database.ask(options.statement,
                 {options.memory, std::chrono::nanoseconds(static_cast<std::int64_t>(options.time))},
                 *answer);
    for (const std::string& missing : of.damage()) complain("note: the answer is not complete: " + missing);
}

}  // namespace

void addQuery(Command& app) {
    const auto options = std::make_shared<QueryOptions>();
    Command command = app.command("query", "Ask a run in SQL: every call, message, wait and value");
    command
        .option("file", options->file, "Folder of a recording, its trace (.otf2), or an experiment (.cubex)")
        .required();
    command.option("sql", options->statement,
                   "The question: a SELECT. Without one, tables and columns are listed");
    addFormat(command, options->format, "How to print the answer");
    command.option("--time-limit TIME", options->time, "Give up after this time (default: 10min)").duration();
    command.option("--memory SIZE", options->memory, "Memory for sorting and grouping (default: 1G)").bytes();
    command
        .option("-j,--threads N", options->threads,
                "Threads that read the trace; 0: as many as the machine has processors")
        .showDefault();
    command.flag(
        "--no-index", options->noIndex,
        "Read the trace itself: neither use nor write traces.calls, the index of the calls of large traces");
    command.footer(
        "Questions can only read. Times are in seconds since the trace's start.\n"
        "Examples:\n"
        "  holos query run\n"
        "  holos query run \"SELECT * FROM calls WHERE process = 3 AND region = 'MPI_Send' AND iteration = 5 "
        "ORDER BY duration DESC LIMIT 20\"\n"
        "  holos query run \"SELECT kind, culprit, sum(duration) FROM waits GROUP BY 1, 2 ORDER BY 3 DESC\"");
    command.action([options] { runQuery(*options); });
}

}  // namespace holos::cli

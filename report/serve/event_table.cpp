// SPDX-License-Identifier: BSD-3-Clause
#include "report/serve/event_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "algebra/model/call_names.h"
#include "algebra/model/source_lines.h"
#include "base/error.h"
#include "base/temporary_folder.h"
#include "report/query/conditions.h"
#include "report/serve/views.h"

namespace holos::serve {

using namespace algebra;

namespace {

struct UsualColumns {
    std::string_view table;
    std::array<const char*, 9> columns;
};
constexpr std::array<UsualColumns, 4> kUsual{
    {{"calls",
      {"process", "thread", "region", "start", "duration", "own", "bytes_sent", "call_path", nullptr}},
     {"messages",
      {"sender", "receiver", "bytes", "send_time", "receive_time", "late_sender", "late_receiver", "tag",
       "receive_path"}},
     {"waits",
      {"process", "thread", "name", "region", "start", "duration", "culprit_process", "culprit_path",
       "call_path"}},
     {"readings", {"process", "thread", "time", "metric", "value", "unit", "call_path", nullptr, nullptr}}}};

/// The experiment of the part has nothing but its call paths and those above them, which have no calls of
/// their own there: what is below a chosen one is told by its text.
std::vector<std::string> textsOfPaths(const Part& part, const ShownExperiment& shown) {
    std::vector<std::string> texts;
    for (const std::string& key : part.callPaths)
        if (const auto node = shown.withKey(Tree::Calls, key))
            texts.push_back(callPathText(shown.experiment(), CallPathId(*node)));
    return texts;
}

std::string regionCondition(const Part& part, const Experiment& experiment, const query::Asked& table) {
    const auto has = [](const std::vector<std::string>& names, const std::string& name) {
        return names.empty() || std::ranges::find(names, name) != names.end();
    };
    return query::regionCondition(
        experiment,
        [&](const Region& region) {
            return has(part.regions, region.name) && has(part.kinds, belongingOf(region));
        },
        table);
}

}  // namespace

std::string statementOf(const EventQuestion& question, const query::Table& table,
                        const ShownExperiment& shown) {
    const Part part = partFrom(question.part);
    const query::Asked asked = query::askedOf(table);
    std::vector<std::string> conditions{query::typedCondition(question.filter, asked)};
    if (part.range) conditions.push_back(query::timeCondition(part.range->from, part.range->to, asked));
    if (!part.places.empty()) conditions.push_back(query::placeCondition(shown.experiment().system, asked));
    if (!part.callPaths.empty()) conditions.push_back(query::pathCondition(textsOfPaths(part, shown), asked));
    if (!part.regions.empty() || !part.kinds.empty())
        conditions.push_back(regionCondition(part, shown.experiment(), asked));
    std::vector<std::string> names;
    for (const char* name :
         std::ranges::find(kUsual, std::string_view(table.name()), &UsualColumns::table)->columns)
        if (name != nullptr) names.push_back(query::columnInSql(name));
    std::string statement = fmt::format("SELECT {} FROM {}", fmt::join(names, ", "), table.name());
    if (const std::string all = query::allOf(conditions); !all.empty()) statement += "\nWHERE " + all;
    if (question.order.empty()) return statement;
    if (asked.find(question.order) == nullptr)
        throw Error(fmt::format("{} has no column {}", table.name(), question.order));
    return statement + "\nORDER BY " + query::columnInSql(question.order) +
           (question.leastFirst ? "" : " DESC");
}

namespace {

/// What is kept of an answer: nobody scrolls further, and the sorting of so many needs little memory.
constexpr std::size_t kKeptRows = 10'000;
constexpr std::size_t kKeptAnswers = 8;
constexpr query::Limits kLimits{.memory = std::uint64_t{256} << 20, .time = std::chrono::minutes(1)};

/// The tables that tell of single events.
constexpr std::array<std::string_view, 4> kTables{"calls", "messages", "waits", "readings"};

const query::Table& tableNamed(const query::Tables& tables, std::string_view name) {
    if (std::ranges::find(kTables, name) != kTables.end())
        for (const auto& table : tables)
            if (table->name() == name) return *table;
    throw Error("table: expected calls, messages, waits or readings");
}

/// As experiments call it.
std::string_view unitFor(query::Unit unit) {
    if (unit == query::Unit::Duration || unit == query::Unit::Moment) return "sec";
    return unit == query::Unit::Bytes ? "bytes" : "";
}

nlohmann::ordered_json valueOf(const query::Cell& cell) {
    if (const auto* whole = std::get_if<std::int64_t>(&cell)) return *whole;
    if (const auto* number = std::get_if<double>(&cell))
        return std::isfinite(*number) ? nlohmann::ordered_json(*number) : nlohmann::ordered_json();
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    return nullptr;
}

}  // namespace

struct EventTables::Rows final : query::Answer {
    std::vector<std::string> columns;
    std::vector<std::vector<query::Cell>> cells;
    std::vector<std::string> damage;
    bool isAll = true;

    void begin(const std::vector<query::AnswerColumn>& all) override {
        for (const query::AnswerColumn& column : all) columns.push_back(column.name);
    }
    void row(const std::vector<query::Cell>& one) override {
        if (cells.size() < kKeptRows)
            cells.push_back(one);
        else
            isAll = false;
    }
    void end() override {}
};

EventTables::EventTables(const std::filesystem::path& trace)
    : trace_(trace), workshop_(std::make_unique<Workshop<const Rows>>(kKeptAnswers)) {}

EventTables::~EventTables() {
    workshop_->end();
    {
        const std::lock_guard lock(mutex_);
        if (run_) run_->stopped() = true;
    }
    workshop_.reset();
}

query::Database& EventTables::opened() {
    const std::lock_guard lock(mutex_);
    if (!database_) {
        query::RunOptions options{.threads = 1, .recordMemory = kLimits.memory};
        options.recordFolder = placeOfTemporaries();
        run_ = std::make_unique<query::Run>(trace_, options);
        database_ = std::make_unique<query::Database>(*run_);
    }
    return *database_;
}

nlohmann::ordered_json EventTables::tables() {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    const query::Tables& tables = opened().tables();
    for (const std::string_view name : kTables) {
        const query::Table& table = tableNamed(tables, name);
        nlohmann::ordered_json columns = nlohmann::ordered_json::array();
        for (const query::Column& column : table.columns())
            columns.push_back({{"name", column.name},
                               {"meaning", column.meaning},
                               {"unit", unitFor(query::unitOf(column))},
                               {"number", column.kind != query::Kind::Text}});
        list.push_back({{"name", name}, {"meaning", table.meaning()}, {"columns", std::move(columns)}});
    }
    return list;
}

nlohmann::ordered_json EventTables::rows(const EventQuestion& question, const ShownExperiment& shown,
                                         std::size_t from, std::size_t count, Moment until) {
    query::Database& database = opened();
    const std::string statement =
        statementOf(question, tableNamed(database.tables(), question.table), shown) + "\nLIMIT " +
        std::to_string(kKeptRows + 1);
    const auto answer = workshop_->take(
        statement,
        [this, &database, statement](const auto& tell) {
            tell(0.0);
            auto made = std::make_shared<Rows>();
            database.ask(statement, kLimits, *made);
            made->damage = run_->damage();
            return std::shared_ptr<const Rows>(std::move(made));
        },
        until);
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (std::size_t at = from; at < answer->cells.size() && at - from < count; ++at) {
        nlohmann::ordered_json row = nlohmann::ordered_json::array();
        for (const query::Cell& cell : answer->cells[at]) row.push_back(valueOf(cell));
        list.push_back(std::move(row));
    }
    return {{"columns", answer->columns},
            {"total", answer->cells.size()},
            {"isAll", answer->isAll},
            {"damage", answer->damage},
            {"rows", std::move(list)}};
}

}  // namespace holos::serve

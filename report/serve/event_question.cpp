// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>

#include "algebra/model/call_names.h"
#include "algebra/model/source_lines.h"
#include "base/error.h"
#include "report/serve/event_table.h"
#include "report/serve/part.h"

namespace holos::serve {

using namespace algebra;

namespace {

using query::Column;
using query::Table;

/// Above this a condition by names is longer than a statement may be.
constexpr std::size_t kMostNames = 20'000;

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

std::string inQuotes(std::string_view text) {
    std::string all = "'";
    for (const char each : text) all.append(each == '\'' ? 2 : 1, each);
    return all + '\'';
}

std::string column(std::string_view name) {
    return '"' + std::string(name) + '"';
}

const Column* find(const Table& table, std::string_view name) {
    const auto found =
        std::ranges::find_if(table.columns(), [&](const Column& each) { return name == each.name; });
    return found == table.columns().end() ? nullptr : &*found;
}

std::string joined(const std::vector<std::string>& conditions, std::string_view word) {
    if (conditions.empty()) return "";
    return '(' + fmt::format("{}", fmt::join(conditions, word)) + ')';
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0)
        text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
    return text;
}

/// What stands between commas, but not within double quotes.
std::vector<std::string_view> termsOf(std::string_view text) {
    std::vector<std::string_view> terms;
    bool isQuoted = false;
    std::size_t begin = 0;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        if (at < text.size() && text[at] == '"') isQuoted = !isQuoted;
        if (at < text.size() && (text[at] != ',' || isQuoted)) continue;
        if (const auto term = trimmed(text.substr(begin, at - begin)); !term.empty()) terms.push_back(term);
        begin = at + 1;
    }
    return terms;
}

/// The text stands for itself, somewhere in the column's.
std::string contains(std::string_view name, std::string_view text) {
    std::string pattern = "%";
    for (const char each : text) {
        if (each == '\\' || each == '%' || each == '_') pattern += '\\';
        pattern += each;
    }
    return column(name) + " LIKE " + inQuotes(pattern + '%') + " ESCAPE '\\'";
}

struct Unit {
    std::string_view suffix;
    double factor;
};
constexpr std::array<Unit, 5> kSeconds{{{"ns", 1e-9}, {"us", 1e-6}, {"µs", 1e-6}, {"ms", 1e-3}, {"s", 1.0}}};
constexpr std::array<Unit, 7> kBytes{{{"b", 1.0},
                                      {"k", 1024.0},
                                      {"kb", 1024.0},
                                      {"m", 1048576.0},
                                      {"mb", 1048576.0},
                                      {"g", 1073741824.0},
                                      {"gb", 1073741824.0}}};

std::optional<double> measuredIn(std::string_view text, const Column& column) {
    double number = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return std::nullopt;
    std::string suffix(trimmed(text.substr(static_cast<std::size_t>(end - text.data()))));
    if (suffix.empty()) return number;
    std::ranges::transform(suffix, suffix.begin(),
                           [](unsigned char each) { return each < 128 ? std::tolower(each) : each; });
    const auto in = [&](const auto& units) -> std::optional<double> {
        const auto found = std::ranges::find(units, suffix, &Unit::suffix);
        return found == units.end() ? std::nullopt : std::optional(number * found->factor);
    };
    return std::string_view(column.name).find("bytes") != std::string_view::npos ? in(kBytes) : in(kSeconds);
}

struct Compared {
    std::string_view name;
    std::string_view relation;
    std::string_view value;
};

std::optional<Compared> comparedIn(std::string_view term) {
    std::size_t end = 0;
    while (end < term.size() && ((term[end] >= 'a' && term[end] <= 'z') || term[end] == '_')) ++end;
    const std::string_view rest = trimmed(term.substr(end));
    for (const std::string_view relation : {"<=", ">=", "!=", "<>", "=", "<", ">", "~"})
        if (end > 0 && rest.starts_with(relation)) {
            std::string_view value = trimmed(rest.substr(relation.size()));
            if (value.size() > 1 && value.front() == '"' && value.back() == '"')
                value = value.substr(1, value.size() - 2);
            return Compared{term.substr(0, end), relation, value};
        }
    return std::nullopt;
}

std::string conditionOf(std::string_view term, const Table& table) {
    const auto compared = comparedIn(term);
    if (!compared) {
        std::vector<std::string> anywhere;
        for (const Column& each : table.columns())
            if (each.kind == query::Kind::Text) anywhere.push_back(contains(each.name, term));
        return joined(anywhere, " OR ");
    }
    const Column* named = find(table, compared->name);
    if (named == nullptr) throw Error(fmt::format("{} has no column {}", table.name(), compared->name));
    if (compared->relation == "~") return contains(named->name, compared->value);
    const std::string before = fmt::format("{} {} ", column(named->name), compared->relation);
    if (named->kind == query::Kind::Text) return before + inQuotes(compared->value);
    const auto number = measuredIn(compared->value, *named);
    if (!number)
        throw Error(fmt::format("{} is compared with a number, such as 0.5, 2 ms or 64k", named->name));
    return before + fmt::format("{:.17g}", *number);
}

/// Of one of these columns or the other; `@` stands for the column.
std::string anyOf(std::initializer_list<const char*> columns, const Table& table,
                  const std::string& condition) {
    std::vector<std::string> all;
    for (const char* name : columns) {
        if (find(table, name) == nullptr) continue;
        std::string one;
        for (const char each : condition) one += each == '\1' ? column(name) : std::string(1, each);
        all.push_back(std::move(one));
    }
    return joined(all, " OR ");
}

std::string timeCondition(const Part::Range& range, const Table& table) {
    const auto between = [&range](const char* from, const char* to) {
        return fmt::format("{} < {:.17g} AND {} > {:.17g}", from, range.to, to, range.from);
    };
    if (find(table, "end") != nullptr) return between("start", "\"end\"");
    if (find(table, "start") != nullptr) return between("start", "start + duration");
    if (find(table, "send_time") != nullptr) return between("send_time", "receive_time");
    return between("time", "time");
}

std::string placeCondition(const Experiment& experiment, const Table& table) {
    std::vector<std::string> pairs;
    for (const Location& location : experiment.system.locations)
        pairs.push_back(fmt::format("({},{})", experiment.system[location.process].rank, location.rank));
    if (pairs.size() > kMostNames)
        throw Error("the table cannot be restricted to so many threads; choose fewer");
    return anyOf({"location", "sender_location", "receiver_location"}, table,
                 fmt::format("\1 IN (SELECT location FROM locations WHERE (process, thread) IN (VALUES {}))",
                             fmt::join(pairs, ",")));
}

/// The experiment of the part has nothing but its call paths and those above them, which have no calls of
/// their own there: what is below a chosen one is told by its text.
std::string pathCondition(const Part& part, const ShownExperiment& shown, const Table& table) {
    std::vector<std::string> wanted;
    for (const std::string& key : part.callPaths) {
        const auto node = shown.withKey(Tree::Calls, key);
        if (!node) continue;
        const std::string text = callPathText(shown.experiment(), CallPathId(*node));
        // Letters, not bytes: as SQLite counts them.
        wanted.push_back(fmt::format("\1 = {0} OR substr(\1, 1, length({1})) = {1}", inQuotes(text),
                                     inQuotes(text + '/')));
    }
    return anyOf({"call_path", "send_path", "receive_path"}, table, joined(wanted, " OR "));
}

std::string regionCondition(const Part& part, const ShownExperiment& shown, const Table& table) {
    const Experiment& experiment = shown.experiment();
    const auto isWanted = [&part](const Region& region) {
        const auto has = [](const std::vector<std::string>& names, const std::string& name) {
            return names.empty() || std::ranges::find(names, name) != names.end();
        };
        return has(part.regions, region.name) && has(part.kinds, belongingOf(region));
    };
    std::vector<std::string> names;
    const bool hasRegion = find(table, "region") != nullptr;
    if (hasRegion)
        for (const Region& region : experiment.regions) {
            if (isWanted(region)) names.push_back(inQuotes(region.name));
        }
    else
        for (const CallPathId path : experiment.callTree.ids())
            if (isWanted(experiment.regionOf(path)))
                names.push_back(inQuotes(callPathText(experiment, path)));
    if (names.size() > kMostNames)
        throw Error("the table cannot be restricted to so many call paths; choose fewer");
    const std::string condition = fmt::format("\1 IN ({})", fmt::join(names, ","));
    return hasRegion ? anyOf({"region"}, table, condition)
                     : anyOf({"call_path", "send_path", "receive_path"}, table, condition);
}

}  // namespace

std::string statementOf(const EventQuestion& question, const Table& table, const ShownExperiment& shown) {
    const Part part = partFrom(question.part);
    std::vector<std::string> conditions;
    for (const std::string_view term : termsOf(question.filter))
        conditions.push_back(conditionOf(term, table));
    if (part.range) conditions.push_back(timeCondition(*part.range, table));
    if (!part.places.empty()) conditions.push_back(placeCondition(shown.experiment(), table));
    if (!part.callPaths.empty()) conditions.push_back(pathCondition(part, shown, table));
    if (!part.regions.empty() || !part.kinds.empty())
        conditions.push_back(regionCondition(part, shown, table));
    std::erase(conditions, "");
    std::vector<std::string> names;
    for (const char* name :
         std::ranges::find(kUsual, std::string_view(table.name()), &UsualColumns::table)->columns)
        if (name != nullptr) names.push_back(column(name));
    std::string statement = fmt::format("SELECT {} FROM {}", fmt::join(names, ", "), table.name());
    if (!conditions.empty()) statement += fmt::format("\nWHERE {}", fmt::join(conditions, " AND "));
    if (question.order.empty()) return statement;
    if (find(table, question.order) == nullptr)
        throw Error(fmt::format("{} has no column {}", table.name(), question.order));
    return statement + "\nORDER BY " + column(question.order) + (question.leastFirst ? "" : " DESC");
}

}  // namespace holos::serve

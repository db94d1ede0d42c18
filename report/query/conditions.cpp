// SPDX-License-Identifier: BSD-3-Clause
#include "report/query/conditions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <span>
#include <utility>

#include "algebra/model/call_names.h"
#include "base/error.h"
#include "base/number.h"
#include "base/text.h"

namespace holos::query {

namespace {

/// Above this a condition by names is longer than a statement may be.
constexpr std::size_t kMostNames = 20'000;

struct NamedUnit {
    std::string_view column;
    Unit unit;
};
constexpr std::array kUnits{NamedUnit{"start", Unit::Moment},
                            NamedUnit{"end", Unit::Moment},
                            NamedUnit{"time", Unit::Moment},
                            NamedUnit{"send_time", Unit::Moment},
                            NamedUnit{"receive_time", Unit::Moment},
                            NamedUnit{"duration", Unit::Duration},
                            NamedUnit{"own", Unit::Duration},
                            NamedUnit{"late_sender", Unit::Duration},
                            NamedUnit{"late_receiver", Unit::Duration},
                            NamedUnit{"seconds", Unit::Duration},
                            NamedUnit{"culprit_time", Unit::Duration},
                            NamedUnit{"bytes", Unit::Bytes},
                            NamedUnit{"bytes_sent", Unit::Bytes},
                            NamedUnit{"bytes_received", Unit::Bytes}};

bool isOfWord(char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_';
}

std::string joined(const std::vector<std::string>& conditions, std::string_view word) {
    const std::string all = fmt::format("{}", fmt::join(conditions, word));
    return conditions.size() < 2 ? all : '(' + all + ')';
}

/// True of texts of the column that have `text` in them, whose `%` and `_` mean nothing special.
std::string contains(std::string_view column, std::string_view text) {
    std::string pattern = "%";
    for (const char each : text) {
        if (each == '\\' || each == '%' || each == '_') pattern += '\\';
        pattern += each;
    }
    return columnInSql(column) + " LIKE " + inQuotes(pattern + '%') + " ESCAPE '\\'";
}

struct Suffix {
    std::string_view text;
    double factor;
};
constexpr std::array kSeconds{Suffix{"ns", 1e-9}, Suffix{"us", 1e-6}, Suffix{"µs", 1e-6}, Suffix{"ms", 1e-3},
                              Suffix{"s", 1.0}};
constexpr std::array kSizes{Suffix{"b", 1.0},          Suffix{"k", 1024.0},     Suffix{"kb", 1024.0},
                            Suffix{"m", 1048576.0},    Suffix{"mb", 1048576.0}, Suffix{"g", 1073741824.0},
                            Suffix{"gb", 1073741824.0}};

/// A number with its unit, in what the column is in.
std::optional<double> measuredIn(std::string_view text, Unit unit) {
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto number = takeLeadingNumber<double>(text);
    if (!number) return std::nullopt;
    const std::string suffix = lowerCase(trimmed(text));
    if (suffix.empty()) return number;
    const bool isTime = unit == Unit::Duration || unit == Unit::Moment;
    const std::span<const Suffix> suffixes =
        isTime ? std::span<const Suffix>(kSeconds) : std::span<const Suffix>(kSizes);
    const auto found = std::ranges::find(suffixes, suffix, &Suffix::text);
    return found == suffixes.end() ? std::nullopt : std::optional(*number * found->factor);
}

/// With all its digits.
std::string inSql(double number) {
    return fmt::format("{:.17g}", number);
}

struct Compared {
    std::string column;
    std::string_view relation;
    std::string_view value;
};

/// Nothing where the term is a text alone.
std::optional<Compared> comparedIn(std::string_view term) {
    const bool isQuoted = term.starts_with('"');
    std::string_view rest = isQuoted ? term.substr(1) : term;
    const auto end = static_cast<std::size_t>(std::ranges::find_if_not(rest, isOfWord) - rest.begin());
    const std::string_view column = rest.substr(0, end);
    rest.remove_prefix(end);
    if (isQuoted && rest.starts_with('"')) rest.remove_prefix(1);
    rest = trimmed(rest);
    for (const std::string_view relation : {"<=", ">=", "!=", "<>", "=", "<", ">", "~"}) {
        if (column.empty() || !rest.starts_with(relation) || rest.size() == relation.size()) continue;
        std::string_view value = trimmed(rest.substr(relation.size()));
        if (value.size() > 1 && value.starts_with('"') && value.ends_with('"'))
            value = value.substr(1, value.size() - 2);
        return Compared{std::string(column), relation, value};
    }
    return std::nullopt;
}

std::string conditionOf(std::string_view term, const Asked& table) {
    const auto compared = comparedIn(term);
    const Asked::Column* const named = compared ? table.find(lowerCase(compared->column)) : nullptr;
    if (named == nullptr) {
        if (compared && compared->relation != "~")
            throw Error(fmt::format("{} has no column {}", table.name, compared->column));
        std::vector<std::string> anywhere;
        for (const Asked::Column& each : table.columns)
            if (each.unit == Unit::Text) anywhere.push_back(contains(each.name, term));
        if (anywhere.empty())
            throw Error(fmt::format("{} has no texts; name a column, as in {} = 1", table.name,
                                    table.columns.front().name));
        return joined(anywhere, " OR ");
    }
    if (compared->relation == "~") return contains(named->name, compared->value);
    const std::string before = fmt::format("{} {} ", columnInSql(named->name), compared->relation);
    if (named->unit == Unit::Text) return before + inQuotes(compared->value);
    if (const auto number = measuredIn(compared->value, named->unit)) return before + inSql(*number);
    throw Error(fmt::format("{} is compared with a number, such as {}", named->name,
                            named->unit == Unit::Bytes ? "64k or 100" : "2 ms or 0.5"));
}

/// Of one of these columns or the other; `\1` stands for the column.
std::string anyOf(std::initializer_list<std::string_view> columns, const Asked& table,
                  std::string_view condition) {
    std::vector<std::string> all;
    for (const std::string_view name : columns) {
        if (table.find(name) == nullptr) continue;
        std::string one;
        for (const char each : condition) one += each == '\1' ? columnInSql(name) : std::string(1, each);
        all.push_back(std::move(one));
    }
    return joined(all, " OR ");
}

std::string anyPath(const Asked& table, std::string_view condition) {
    return anyOf({"call_path", "send_path", "receive_path"}, table, condition);
}

}  // namespace

Unit unitOfColumn(std::string_view name) {
    const std::size_t open = name.find('(');
    const bool isWithin = open != name.npos && name.ends_with(')');
    const std::string_view own = isWithin ? name.substr(open + 1, name.size() - open - 2) : name;
    const auto found = std::ranges::find(kUnits, own, &NamedUnit::column);
    return found == kUnits.end() ? Unit::Number : found->unit;
}

Unit unitOf(const Column& column) {
    return column.kind == Kind::Text ? Unit::Text : unitOfColumn(column.name);
}

const Asked::Column* Asked::find(std::string_view column) const {
    const auto found = std::ranges::find(columns, column, &Column::name);
    return found == columns.end() ? nullptr : &*found;
}

Asked askedOf(const Table& table) {
    Asked asked{table.name(), {}};
    for (const Column& column : table.columns()) asked.columns.push_back({column.name, unitOf(column)});
    return asked;
}

std::string inQuotes(std::string_view text) {
    std::string all = "'";
    for (const char each : text) all.append(each == '\'' ? 2 : 1, each);
    return all + '\'';
}

std::string columnInSql(std::string_view name) {
    const bool isPlain = !name.empty() && name != "end" && std::ranges::all_of(name, [](char letter) {
        return (letter >= 'a' && letter <= 'z') || letter == '_';
    });
    if (isPlain) return std::string(name);
    std::string all = "\"";
    for (const char each : name) all.append(each == '"' ? 2 : 1, each);
    return all + '"';
}

std::vector<std::string> termsOf(std::string_view text) {
    std::vector<std::string> terms;
    bool isQuoted = false;
    std::size_t begin = 0;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        if (at < text.size() && text[at] == '"') isQuoted = !isQuoted;
        if (at < text.size() && (text[at] != ',' || isQuoted)) continue;
        if (const auto term = trimmed(text.substr(begin, at - begin)); !term.empty())
            terms.emplace_back(term);
        begin = at + 1;
    }
    return terms;
}

std::string typedCondition(std::string_view text, const Asked& table) {
    std::vector<std::string> all;
    for (const std::string& term : termsOf(text)) all.push_back(conditionOf(term, table));
    return allOf(all);
}

std::string timeCondition(double from, double to, const Asked& table) {
    const auto between = [&](std::string_view begin, std::string_view end) {
        return fmt::format("{} < {} AND {} > {}", begin, inSql(to), end, inSql(from));
    };
    if (table.find("end") != nullptr) return between("start", "\"end\"");
    if (table.find("start") != nullptr) return between("start", "start + duration");
    if (table.find("send_time") != nullptr) return between("send_time", "receive_time");
    if (table.find("time") != nullptr) return between("time", "time");
    return {};
}

std::string placeCondition(const algebra::SystemTree& system, const Asked& table) {
    if (system.locations.size() > kMostNames)
        throw Error("the table cannot be restricted to so many threads; choose fewer");
    std::vector<std::string> pairs;
    for (const algebra::Location& location : system.locations)
        pairs.push_back(fmt::format("({}, {})", system[location.process].rank, location.rank));
    return anyOf({"location", "sender_location", "receiver_location"}, table,
                 fmt::format("\1 IN (SELECT location FROM locations WHERE (process, thread) IN (VALUES {}))",
                             fmt::join(pairs, ", ")));
}

std::string pathCondition(const std::vector<std::string>& callPaths, const Asked& table) {
    std::vector<std::string> wanted;
    for (const std::string& path : callPaths)  // letters, not bytes: as SQLite counts them
        wanted.push_back(fmt::format("(\1 = {0} OR substr(\1, 1, length({1})) = {1})", inQuotes(path),
                                     inQuotes(path + '/')));
    return anyPath(table, wanted.empty() ? "0" : joined(wanted, " OR "));
}

std::string regionCondition(const algebra::Experiment& experiment,
                            const std::function<bool(const algebra::Region&)>& isWanted, const Asked& table) {
    const bool hasRegion = table.find("region") != nullptr;
    std::vector<std::string> names;
    if (hasRegion) {
        for (const algebra::Region& region : experiment.regions)
            if (isWanted(region)) names.push_back(inQuotes(region.name));
    } else {
        for (const algebra::CallPathId path : experiment.callTree.ids())
            if (isWanted(experiment.regionOf(path)))
                names.push_back(inQuotes(callPathText(experiment, path)));
    }
    if (names.size() > kMostNames)
        throw Error("the table cannot be restricted to so many call paths; choose fewer");
    const std::string condition = fmt::format("\1 IN ({})", fmt::join(names, ", "));
    return hasRegion ? anyOf({"region"}, table, condition) : anyPath(table, condition);
}

std::string allOf(const std::vector<std::string>& conditions) {
    std::vector<std::string> some;
    for (const std::string& condition : conditions)
        if (!condition.empty()) some.push_back(condition);
    return fmt::format("{}", fmt::join(some, " AND "));
}

}  // namespace holos::query

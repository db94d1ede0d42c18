// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace holos::query {

/// Nothing, a whole number, a number, or a text that is valid until the cursor moves on.
using Value = std::variant<std::monostate, std::int64_t, double, std::string_view>;

enum class Kind : unsigned char { Integer, Real, Text };

/// As people and SQLite call it: `integer`, `real`, `text`.
constexpr const char* typeName(Kind kind) {
    switch (kind) {
        case Kind::Integer:
            return "integer";
        case Kind::Real:
            return "real";
        case Kind::Text:
            return "text";
    }
    return "";
}

/// What a condition on a column saves.
enum class Gain : unsigned char {
    None,
    Fewer,   ///< fewer rows are handed over
    Direct,  ///< others are not even looked for, so that each value of a list may be asked for by itself
};

struct Column {
    const char* name;
    Kind kind;
    Gain gain;
    const char* meaning;
    /// Of the rows that are handed over, all have the value that they have to be equal to.
    bool isExact = false;
};

enum class Relation : unsigned char { Equal, Less, AtMost, Greater, AtLeast };

/// What is compared with a column: a number, or a text.
struct Condition {
    std::size_t column = 0;
    Relation relation = Relation::Equal;
    std::variant<double, std::string> value;
};

/// What is asked of a table: rows for which all conditions hold. Others may come, too.
struct Question {
    std::vector<Condition> conditions;
    std::uint64_t columns = ~std::uint64_t{0};  ///< one bit for each that is wanted
    bool isWhole = false;                       ///< all rows of the answer will be taken
    /// Of the rows for which the conditions hold, only so many are wanted: those with the largest values in a
    /// column. Others may be left out, but not of equal values.
    struct Largest {
        std::size_t column = 0;
        std::uint64_t count = 0;
    };
    std::optional<Largest> largest = {};

    bool wants(std::size_t column) const { return (columns >> column & 1U) != 0; }
    /// The least and the largest number that the column may have; infinite where it may be any.
    double least(std::size_t column) const;
    double most(std::size_t column) const;
    bool mayBe(std::size_t column, double number) const {
        return number >= least(column) && number <= most(column);
    }
    /// Null where it may be any.
    const std::string* text(std::size_t column) const;
    bool mayBe(std::size_t column, std::string_view value) const {
        const std::string* const wanted = text(column);
        return wanted == nullptr || *wanted == value;
    }
};

inline double Question::least(std::size_t column) const {
    double least = -std::numeric_limits<double>::infinity();
    for (const Condition& each : conditions)
        if (const auto* number = std::get_if<double>(&each.value); number != nullptr && each.column == column)
            if (each.relation == Relation::Equal || each.relation == Relation::Greater ||
                each.relation == Relation::AtLeast)
                least = std::max(least, *number);
    return least;
}

inline double Question::most(std::size_t column) const {
    double most = std::numeric_limits<double>::infinity();
    for (const Condition& each : conditions)
        if (const auto* number = std::get_if<double>(&each.value); number != nullptr && each.column == column)
            if (each.relation == Relation::Equal || each.relation == Relation::Less ||
                each.relation == Relation::AtMost)
                most = std::min(most, *number);
    return most;
}

inline const std::string* Question::text(std::size_t column) const {
    for (const Condition& each : conditions)
        if (each.column == column && each.relation == Relation::Equal)
            if (const auto* wanted = std::get_if<std::string>(&each.value)) return wanted;
    return nullptr;
}

/// Goes along the rows of an answer.
class Cursor {
  public:
    Cursor() = default;
    virtual ~Cursor() = default;
    Cursor(const Cursor&) = delete;
    Cursor& operator=(const Cursor&) = delete;

    /// On to the next row, at first to the first one; false behind the last.
    virtual bool next() = 0;
    virtual Value value(std::size_t column) const = 0;
};

/// A table that is never whole in memory.
class Table {
  public:
    Table() = default;
    virtual ~Table() = default;
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;

    virtual const char* name() const = 0;
    virtual const char* meaning() const = 0;
    virtual const std::vector<Column>& columns() const = 0;
    /// About how many rows it has: the one with more is read first where two are joined.
    virtual double size() const = 0;
    virtual std::unique_ptr<Cursor> ask(Question question) = 0;
};

using Tables = std::vector<std::unique_ptr<Table>>;

}  // namespace holos::query

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "algebra/model/experiment.h"
#include "report/query/table.h"

/// What people ask of a table of events without SQL: terms that they type, and the part of the run that they
/// look at.
namespace holos::query {

/// How the values of a column are read.
enum class Unit : unsigned char { Text, Number, Duration, Moment, Bytes };

/// By the name, also of `sum(duration)`. What has no other unit is a number.
Unit unitOfColumn(std::string_view name);
Unit unitOf(const Column& column);

/// A table as conditions know it.
struct Asked {
    struct Column {
        std::string name;
        Unit unit;
    };
    std::string name;
    std::vector<Column> columns;

    /// Null: it has none of this name.
    const Column* find(std::string_view column) const;
};
Asked askedOf(const Table& table);

/// A text as SQL has it.
std::string inQuotes(std::string_view text);
/// A column as SQL has it, quoted where its name is a keyword.
std::string columnInSql(std::string_view name);

/// The terms of what was typed, which stand between commas, but not within double quotes.
std::vector<std::string> termsOf(std::string_view text);

/// Of what was typed, the condition in SQL; empty where that is nothing. Terms hold at once. A term is a
/// column, a relation (`= != < <= > >= ~`, the last for a part of a text) and a value (`1 ms`, `64k`,
/// `MPI_Send`); or a text alone, which stands somewhere in the row. Throws `holos::Error` that names what is
/// not understood.
std::string typedCondition(std::string_view text, const Asked& table);

/// Rows that are there at some time between, in seconds. Here and below: empty where the table has nothing to
/// do with it.
std::string timeCondition(double from, double to, const Asked& table);

/// Rows of the threads of this system. Throws `holos::Error` where they are too many for a statement.
std::string placeCondition(const algebra::SystemTree& system, const Asked& table);

/// Rows of these call paths (`callPathText`) with what they call.
std::string pathCondition(const std::vector<std::string>& callPaths, const Asked& table);

/// Rows of calls of these regions. Throws `holos::Error` where they are too many for a statement.
std::string regionCondition(const algebra::Experiment& experiment,
                            const std::function<bool(const algebra::Region&)>& isWanted, const Asked& table);

/// All that are not empty.
std::string allOf(const std::vector<std::string>& conditions);

}  // namespace holos::query

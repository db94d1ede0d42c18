// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "algebra/model/experiment.h"
#include "gui/models/filter.h"
#include "report/query/conditions.h"

namespace holos::gui {

using EventUnit = query::Unit;

/// A column of a table of events, as `report/query` describes it.
struct EventColumn {
    QString name;
    QString meaning;
    EventUnit unit = EventUnit::Number;
};

struct EventTable {
    QString name;
    QString meaning;
    std::vector<EventColumn> columns;

    const EventColumn* find(const QString& column) const;
};

/// All tables of a run, in their order.
std::vector<EventTable> eventTables(const query::Tables& tables);

/// What is asked for. Names are those of the tables and their columns.
struct EventQuestion {
    QString table = u"calls"_qs;
    QStringList columns = {};  ///< in sight, in this order; empty: the usual ones of the table
    QString order = {};        ///< a column of the answer; empty: as the table has them
    bool largestFirst = true;
    QString filter = {};  ///< as it was typed: `MPI_Send, duration > 1 ms`
    QStringList groups = {};
    QString measure = {};  ///< the column of which there are sums and a histogram; empty: none
    QString sql = {};      ///< a statement that was typed stands for all of this but the measure

    friend bool operator==(const EventQuestion&, const EventQuestion&) = default;
};

/// For links: `waits;filter:duration%20%3E%201%20ms`.
QString linkOf(const EventQuestion& question);
/// What it names of a question; nothing where that is none.
std::optional<EventQuestion> eventQuestionFrom(const QString& link);

/// Columns, order and measure that a table has when nobody chose any.
EventQuestion usualQuestion(const EventTable& table);

/// A condition in SQL, or why the text is none. Both are empty where nothing is asked.
struct EventCondition {
    QString sql;
    QString problem;
};

/// The terms of what was typed, which stand between commas, but not within double quotes.
QStringList termsOf(const QString& text);
/// Of what was typed, as `query::typedCondition` understands it.
EventCondition typedCondition(const QString& text, const EventTable& table);

/// Of the part of the run that all views show; empty where the table has nothing to do with it.
/// `experiment`: of that part.
EventCondition partCondition(const Filter& part, const algebra::Experiment& experiment,
                             const EventTable& table);

/// Asks the messages of a part of the run who sent to whom: sender, receiver (processes), messages, bytes,
/// and how long receivers and senders waited. Messages count where they were sent from the part, waiting
/// counts where it is in the part, as metrics do; of threads both ends have to be there. `experiment`: of
/// that part.
EventCondition trafficStatement(const Filter& part, const algebra::Experiment& experiment);

/// The statements of a question.
struct EventStatements {
    QString rows;    ///< what the user sees, and may change
    QString led;     ///< `rows` with the columns that lead to a place, at the end
    QString spread;  ///< the measure of all rows; empty: nothing is measured
};
EventStatements statementsOf(const EventQuestion& question, const EventTable& table,
                             const QString& conditions);
/// The column that the rows of an answer are in order of: the one that they are sorted by, or of those that
/// come thread by thread the thread. Empty: there is none.
QString indexColumnOf(const EventQuestion& question, const EventTable& table);
/// The name of a column in a statement.
QString columnInSql(const QString& name);
/// Of one that was typed: as a part of ours, of which windows can be asked.
EventStatements statementsOf(const QString& typed, const QString& measure);

/// How a column of an answer is read: by its name, also of `sum(duration)`.
EventUnit unitOfColumn(const QString& name);

/// Where a row of an answer leads, as far as its columns tell.
struct EventPlace {
    std::optional<std::size_t> location;  ///< of the trace
    QString callPath;
    std::optional<PartOfTime> time;
};
EventPlace placeOf(const QStringList& columns, const std::vector<query::Value>& row);

}  // namespace holos::gui

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "gui/models/filter.h"
#include "gui/models/iterations/iteration_reader.h"
#include "gui/models/quantity.h"
#include "gui/models/tree_model.h"

namespace holos::gui {

/// Rows of iterations that follow each other; the last one is one of them. None where the first is −1.
struct IterationRows {
    int first = -1;
    int last = -1;

    bool isEmpty() const { return first < 0; }
    friend bool operator==(const IterationRows&, const IterationRows&) = default;
};

/// The iterations of a run's outermost loop, a row each: when they begin, how long they are, how long of it
/// they wait, and what makes those that are odd differ. Beside them may stand those of another run, by their
/// numbers.
class IterationModel : public QAbstractTableModel {
  public:
    /// Whether the row is of an iteration that is odd.
    static constexpr int OddRole = TreeModel::FoundRole + 1;
    enum class Column : unsigned char { Number, Begin, Time, Waits, Other, Difference, Reasons };

    /// `other`: null for one run. Both null: there are no rows.
    void setRuns(IterationReader::Known own, IterationReader::Known other, const QString& nameOfOther);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    bool isOf(const IterationReader::Known& own, const IterationReader::Known& other) const {
        return own_ == own && other_ == (own_ ? other : nullptr);
    }
    bool isOfTwo() const { return other_ != nullptr; }
    /// In seconds; `other` where that run has such an iteration, `waits` only of the own one.
    double time(int row) const { return own_->times.seconds[static_cast<std::size_t>(row)]; }
    double waits(int row) const;
    std::optional<double> other(int row) const;
    bool isOdd(int row) const { return oddOf(row) != nullptr; }
    PartOfTime range(const IterationRows& rows) const;
    /// The rows that are this range, as exactly as links tell.
    IterationRows rowsOf(const PartOfTime& range) const;

    /// What all of them are, in words.
    QString text() const;
    /// What one of them is, and what several are together.
    QString textOf(int row) const;
    QString textOf(const IterationRows& rows) const;

  private:
    const query::OddIteration* oddOf(int row) const;
    double difference(int row) const;
    std::optional<double> valueOf(int row, Column column) const;
    QString cell(int row, Column column) const;

    IterationReader::Known own_;
    IterationReader::Known other_;
    QString nameOfOther_;
    query::IterationComparison all_;
    QuantityFormat format_;                        ///< of all times in the table
    std::vector<const query::OddIteration*> odd_;  ///< by row
    std::vector<Column> columns_;
};

}  // namespace holos::gui

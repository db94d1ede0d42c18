// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QAbstractItemModel>
#include <QPointer>
#include <optional>
#include <vector>

#include "gui/models/row_tree.h"
#include "gui/models/shown_values.h"
#include "gui/models/value_cache.h"

namespace holos::gui {

/// A tree of names with one value each, as views show it, and what else can be said of a row. The three panes
/// differ only in where names and values come from. Rows, their values and their scale are objects of their
/// own, which can be asked; what changes them goes through the model, which tells the views.
///
/// A view tells the model what it expands (`setExpanded`), because the values depend on it. Most changes
/// concern all rows; `dataChanged` tells of those that can be seen: the top level and what is below expanded
/// nodes.
class TreeModel : public QAbstractItemModel, protected RowValues {
  public:
    /// Columns behind the value are shown on request.
    enum Column {
        NameColumn,
        ValueColumn,
        InclusiveColumn,
        ExclusiveColumn,
        ShareColumn,
        VisitsColumn,
        DeltaColumn,  ///< what the other experiment has less
        kColumns
    };
    enum Role {
        ValueRole = Qt::UserRole,  ///< double, in the experiment's unit; NaN: undefined
        ShareRole,       ///< double, −1 … 1: the value relative to the largest visible magnitude
        SignedRole,      ///< bool: negative values are visible in the group, colours must diverge
        UnitRole,        ///< QString, for the number in the value column
        NotationsRole,   ///< QStringList, the number from the longest way to write it to the shortest
        IncompleteRole,  ///< bool: the `~` metrics
        ShownNameRole,   ///< QString: the name for reading, which may leave out parts of a long one
        FoundRole,       ///< bool: the name contains the text searched for
    };

    /// The cache must outlive the model.
    explicit TreeModel(ValueCache& cache);

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    /// Of a column behind the value, in menus.
    static QString titleOfColumn(int column);
    static NodeId nodeOf(const QModelIndex& index) { return NodeId(index.internalId()); }
    /// Invalid for a node that re-rooting left out.
    QModelIndex indexOf(NodeId node, int column = NameColumn) const;

    const RowTree& rows() const { return rows_; }
    const ShownValues& values() const { return values_; }
    const ValueScale& scale() const { return scale_; }

    /// Shows the node and what is below it alone, everything collapsed; nothing: the whole tree again.
    void reroot(std::optional<NodeId> node);
    void setExpanded(const QModelIndex& index, bool expanded);
    /// Expands these, too.
    void expand(const std::vector<NodeId>& nodes);
    void setAllExpanded(bool expanded);
    /// The largest value comes first among those that stand below one row; or the order of the experiment.
    /// Metrics of several units stay in theirs.
    void setLargestFirst(bool largestFirst);
    void setMode(ValueMode mode);
    void setDigits(Digits digits);
    /// The rows that somebody sees now. True where that may change how values are written.
    bool setInSight(Chosen<NodeId> nodes);
    /// The row that percentages of the selection relate to.
    void setSelected(const QModelIndex& index);
    void setOwnRange(std::optional<OwnRange> range);
    /// Colours and units become those of both models together; null: of this one alone. The other one has to
    /// be told, too.
    void shareScaleWith(TreeModel* other);
    /// As `RowTree::find`.
    std::vector<NodeId> find(const QString& text);

  protected:
    ValueCache& cache() const { return cache_; }

    /// Adds a node below `parent`, or a root. Only between construction and first use.
    NodeId addNode(const QString& name, std::optional<NodeId> parent) { return rows_.add(name, parent); }

    /// The value of a row includes what is below it, whether it is expanded or not.
    void showInclusive() { rows_.showInclusive(); }

    /// After anything that values depend on: asks for new values and tells the views.
    void valuesChanged();

    /// How often the row was called; nothing where that means nothing.
    virtual std::optional<double> visits(NodeId) const { return std::nullopt; }
    /// The inclusive value in the experiment with which this one is compared; NaN: there is none.
    virtual double valueThere(NodeId node) const = 0;
    /// Forgets what was asked of that.
    virtual void forgetThere() {}
    virtual QString shownName(NodeId node) const { return rows_.nameOf(node); }
    virtual QString toolTip(NodeId node) const = 0;

  private:
    bool isPending(NodeId node) const;
    bool isPendingIn(NodeId node, int column) const;
    QString writtenNumber(NodeId node) const;
    QString writtenWithUnit(NodeId node) const;
    QString unitText(NodeId node) const;
    QStringList notations(NodeId node) const;
    double numberIn(NodeId node, int column) const;
    QStringList textsIn(NodeId node, int column) const;
    QVariant moreData(const QModelIndex& index, int role) const;
    QStringList deltaTexts(NodeId node, double delta) const;
    void forget();
    void tellViews(const QList<int>& roles);
    void arrange();
    void arrangeBelow(std::optional<NodeId> parent);

    ValueCache& cache_;
    RowTree rows_;
    ShownValues values_;
    ValueScale scale_;
    bool largestFirst_ = false;
    QPointer<TreeModel> other_;  ///< that shares the scale
};

}  // namespace holos::gui

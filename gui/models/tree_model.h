// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QAbstractItemModel>
#include <QPointer>
#include <map>
#include <optional>
#include <vector>

#include "gui/models/quantity.h"
#include "gui/models/value_cache.h"
#include "gui/models/value_mode.h"

namespace holos::gui {

/// A tree of names with one value each, shown inclusive while a node is collapsed and exclusive while it is
/// expanded (the KOJAK paper, section 3.1). The three panes differ only in where names and values come from.
///
/// A view tells the model what it expands (`setExpanded`), because the values depend on it. Most changes
/// concern all rows; `dataChanged` tells of those that can be seen: the top level and what is below expanded
/// nodes. Shares, which colours and bars show, are relative to the largest value now visible in the node's
/// group; units and decimals follow the rows in sight.
class TreeModel : public QAbstractItemModel {
  public:
    enum Column { NameColumn, ValueColumn, kColumns };
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

    /// What the colours of a node's group mean, for the legend. The ends are as they are written: values, or
    /// fractions where percentages are shown.
    struct Range {
        double from = 0.0;
        double to = 0.0;
        bool diverging = false;
        QuantityFormat format;
        bool isEmpty() const { return from == to; }
    };
    /// Ends of the colour scale that somebody chose.
    struct OwnRange {
        double from = 0.0;
        double to = 0.0;
    };

    explicit TreeModel(ValueCache& cache);

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    int nodeOf(const QModelIndex& index) const { return static_cast<int>(index.internalId()); }
    /// Invalid for a node that re-rooting left out.
    QModelIndex indexOf(int node, int column = NameColumn) const;

    /// Shows the node and what is below it alone, everything collapsed; nothing: the whole tree again.
    void reroot(std::optional<int> node);
    bool isRerooted() const { return cut_.has_value(); }

    const std::vector<int>& roots() const { return roots_; }
    const std::vector<int>& childrenOf(int node) const { return rows_[node].children; }
    std::optional<int> parentOf(int node) const;

    bool isExpanded(int node) const { return rows_[node].expanded; }
    void setExpanded(const QModelIndex& index, bool expanded);
    void setAllExpanded(bool expanded);
    /// The extent in which a node's value is shown.
    algebra::Extent extentOf(int node) const;

    void setMode(ValueMode mode);
    ValueMode mode() const { return mode_; }
    void setDigits(Digits digits);
    Digits digits() const { return digits_; }
    /// The rows that somebody sees now: the largest of their values decides with which unit and how many
    /// decimals all are written. Empty: all rows that are not hidden in a collapsed one. True where that may
    /// change how values are written.
    bool setInSight(std::vector<int> nodes);
    /// The row that percentages of the selection relate to.
    void setSelected(const QModelIndex& index);
    /// Colours for values (or fractions) between these ends; nothing: between 0 and the largest visible one.
    void setOwnRange(std::optional<OwnRange> range);
    const std::optional<OwnRange>& ownRange() const { return ownRange_; }
    /// Colours and units become those of both models together, group by group, as far as units are the same;
    /// null: of this one alone. The other one has to be told, too.
    void shareScaleWith(TreeModel* other);
    /// Two numbers with anything but digits between them; nothing when it is not that or an empty range.
    static std::optional<OwnRange> ownRangeFrom(const QString& text);

    /// Marks the names that the regular expression `text` matches somewhere (any case); what is none is taken
    /// literally. Returns the matching nodes in the order of the tree.
    std::vector<int> find(const QString& text);

    /// The node's value with all digits, its unit, and what percentage of what it is.
    QString describe(int node) const;
    /// True when the node with everything below it is zero, or less than this part of what percentages relate
    /// to. Never where values may be negative and cancel out.
    bool isBelow(int node, double part) const;

    const QString& fullName(int node) const { return rows_[node].name; }
    /// The names from the root to the node.
    QString pathOf(int node) const;
    Range rangeOf(int node) const;

    /// Names the node for those who reopen the same file: percent-encoded names from the root, between `/`;
    /// `;2` marks the second of siblings with one name.
    QString rowName(int node) const;
    std::optional<int> rowNamed(const QString& rowName) const;
    /// The nodes that are expanded, ascending.
    std::vector<int> expandedNodes() const;
    int nodeCount() const { return static_cast<int>(rows_.size()); }
    /// What is not hidden in a collapsed node, from top to bottom.
    std::vector<int> visibleNodes() const;
    /// The unit of `ValueRole`.
    QString fileUnitOf(int node) const { return QString::fromStdString(metricOf(node).unit); }
    int depthOf(int node) const { return rows_[node].depth; }

  protected:
    ValueCache& cache() const { return cache_; }

    /// Adds a node below `parent`, or a root. Only between construction and first use.
    int addNode(const QString& name, std::optional<int> parent);
    std::optional<int> selected() const { return selected_; }

    /// After anything that values depend on: asks for new values and tells the views.
    void valuesChanged();

    virtual QString shownName(int node) const { return fullName(node); }
    virtual double value(int node, algebra::Extent extent) const = 0;
    /// 100 percent for the node in the mode `Percent`.
    virtual double percentBase(int node) const = 0;
    /// 100 percent for the node in the mode `OfMetric`.
    virtual double metricBase(int node) const = 0;
    virtual algebra::MetricId metricIdOf(int node) const = 0;
    /// Nodes of a group share one scale. A group is named by one of its nodes.
    virtual int groupOf(int node) const = 0;
    /// True when groups have to be found by name in another model.
    virtual bool hasSeveralGroups() const { return false; }
    virtual QString toolTip(int node) const = 0;

    /// 100 percent for the node in the present mode.
    double base(int node) const;
    /// False where values are written as they are.
    bool percentApplies(int node) const;

  private:
    struct Row {
        int parent = -1;
        int position = 0;
        int depth = 0;
        bool expanded = false;
        bool found = false;
        std::vector<int> children;
        QString name;
    };
    struct Group {
        double largest = 0.0;
        double smallest = 0.0;
        double smallestInclusive = 0.0;
    };

    const algebra::Metric& metricOf(int node) const;
    double shownValue(int node) const;
    double rounded(int node, double exact) const;
    double quantity(int node) const;
    double largestPeer(int node) const;
    QuantityFormat formatFor(int node, double largest) const;
    QuantityFormat formatOf(int node) const;
    double largestInSight(int node) const;
    double sharedLargestInSight(int node) const;
    Writing writingOf(int node) const;
    QString valueText(int node) const;
    QString writtenWithUnit(int node) const;
    QString unitText(int node) const;
    double share(int node) const;
    void updateGroups() const;
    void tellViews(const QList<int>& roles);
    QString segmentOf(int node) const;
    void note(int node) const;
    const Group& group(int node) const;
    std::optional<int> sharedNode(int node) const;
    /// The group, with that of the model that shares the scale.
    Group sharedGroup(int node) const;
    bool isSigned() const { return cache_.isSigned() || (other_ && other_->cache_.isSigned()); }

    ValueCache& cache_;
    std::vector<Row> rows_;
    std::vector<int> roots_;
    ValueMode mode_ = ValueMode::Absolute;
    Digits digits_;
    /// A row that stands at the top, and what stands there otherwise.
    struct Cut {
        int node = 0;
        Row row;
        std::vector<int> roots;
    };
    std::optional<Cut> cut_;
    std::optional<int> selected_;
    std::optional<OwnRange> ownRange_;
    QPointer<TreeModel> other_;                            ///< that shares the scale
    mutable std::map<std::pair<int, int>, double> peers_;  ///< by group and depth
    mutable std::vector<Group> groups_;                    ///< by the node that names the group
    mutable bool groupsKnown_ = false;
    std::vector<int> inSight_;
    mutable std::map<int, double> largestInSight_;  ///< by group; filled when it is asked for first
};

}  // namespace holos::gui

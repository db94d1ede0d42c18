// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "algebra/model/queries.h"
#include "base/chosen.h"
#include "gui/models/menu_choice.h"
#include "gui/models/quantity.h"
#include "gui/models/row_tree.h"
#include "gui/models/value_cache.h"

namespace holos::gui {

/// How values are written in all panes: as they are, or as a percentage of something.
enum class ValueMode : unsigned char {
    Absolute,
    Percent,      ///< each pane of what is chosen in the pane before it (the KOJAK paper, section 3.1)
    OfRoot,       ///< of the root of the metric's hierarchy, over the whole program
    OfMetric,     ///< of the selected metric, over the whole program
    OfSelection,  ///< of the selected row of the same pane
    OfPeers,      ///< of the largest visible value on the same level
    PeerRange,    ///< between the smallest and the largest visible value on the same level
    External,     ///< of the root of the metric's hierarchy in another experiment
};

using ValueModeText = MenuChoice<ValueMode>;

/// All modes, in the order of their declaration.
std::span<const ValueModeText> valueModes();

/// Where the values of a tree's rows come from, and what they relate to.
class RowValues {
  public:
    virtual ~RowValues() = default;

    virtual double value(NodeId node, algebra::Extent extent) const = 0;
    virtual algebra::MetricId metricIdOf(NodeId node) const = 0;
    /// 100 percent for the node in the mode `Percent`.
    virtual double percentBase(NodeId node) const = 0;
    /// 100 percent for the node in the mode `OfMetric`.
    virtual double metricBase(NodeId node) const = 0;
    /// Nodes of a group share one scale. A group is named by one of its nodes.
    virtual NodeId groupOf(NodeId node) const = 0;
    /// Whether the node is compared with those beside it.
    virtual bool isPeer(NodeId) const { return true; }
    /// What the colours of a collapsed root relate to beside its own value: the run's time, where it is a
    /// time; nothing: its own value alone.
    virtual std::optional<double> whole(NodeId) const { return std::nullopt; }
    /// True when groups have to be found by name in another model.
    virtual bool hasSeveralGroups() const { return false; }
};

/// What the rows of a tree are worth in the mode that is chosen: inclusive while a node is collapsed and
/// exclusive while it is expanded (the KOJAK paper, section 3.1), as it is or as a part of something.
class ShownValues {
  public:
    /// All of these must outlive the object.
    ShownValues(const RowTree& rows, const RowValues& source, ValueCache& cache)
        : rows_(rows), source_(source), cache_(cache) {}

    ValueMode mode() const { return mode_; }
    void setMode(ValueMode mode) { mode_ = mode; }
    Digits digits() const { return digits_; }
    void setDigits(Digits digits) { digits_ = digits; }
    /// The row that percentages of the selection relate to.
    std::optional<NodeId> selected() const { return selected_; }
    void setSelected(std::optional<NodeId> node) { selected_ = node; }
    /// After anything that values depend on.
    void forget() { peers_.reset(); }

    const algebra::Metric& metricOf(NodeId node) const;
    /// As it is shown, in the experiment's unit.
    double value(NodeId node) const;
    /// 100 percent for the node.
    double base(NodeId node) const;
    /// What is taken from the node's value before it is related to `base`.
    double origin(NodeId node) const;
    /// False where values are written as they are.
    bool percentApplies(NodeId node) const;
    /// What colours compare: the value as it is written, but for the sign of what it relates to.
    double part(NodeId node) const;
    /// With everything below it, in the experiment's unit.
    double inclusive(NodeId node) const;
    /// Without what is below it.
    double exclusive(NodeId node) const;
    /// The inclusive value without `other`; nothing but rounding is zero.
    double beyond(NodeId node, double other) const;
    /// True when the node with everything below it is zero, or less than this part of what percentages relate
    /// to. Never where values may be negative and cancel out.
    bool isBelow(NodeId node, double part) const;
    /// How the node's value is written beside others of up to `largest`, which is one as `part` gives it.
    QuantityFormat format(NodeId node, double largest) const;
    /// A value of the node in its unit, whatever the mode, beside others of its kind; the longest way to
    /// write it first.
    QStringList absoluteTexts(NodeId node, double value) const;
    /// The node's value with all digits, its unit, and what percentage of what it is.
    QString describe(NodeId node) const;

  private:
    double rounded(NodeId node, double exact) const;
    /// Rows of one group on one level.
    struct Peers {
        double largest = 0.0;  ///< magnitude
        /// Of those that are not expanded, which show what they have.
        std::optional<double> from = {};
        double to = 0.0;
    };
    const Peers& peersOf(NodeId node) const;

    const RowTree& rows_;
    const RowValues& source_;
    ValueCache& cache_;
    ValueMode mode_ = ValueMode::Absolute;
    Digits digits_;
    std::optional<NodeId> selected_;
    /// By group and depth.
    mutable std::optional<std::map<std::pair<NodeId, int>, Peers>> peers_;
};

/// Ends of a colour scale that somebody chose, as values are written: values, or fractions where percentages
/// are shown.
struct OwnRange {
    double from = 0.0;
    double to = 0.0;
};

/// Two numbers with anything but digits between them; nothing when it is not that or an empty range.
std::optional<OwnRange> ownRangeFrom(const QString& text);

/// What the colours of a group of rows mean, for the legend. The ends are as they are written.
struct ScaleRange {
    double from = 0.0;
    double to = 0.0;
    bool diverging = false;
    QuantityFormat format;
    bool isEmpty() const { return from == to; }
};

/// One scale for the rows of a group: colours and bars relate to the largest value that is visible, units and
/// decimals to the largest one in sight. While a root is collapsed, its scale reaches to the whole that it is
/// a part of (`RowValues::whole`), in absolute values.
class ValueScale {
  public:
    /// All of these must outlive the object.
    ValueScale(const RowTree& rows, const RowValues& source, const ShownValues& values, ValueCache& cache)
        : rows_(rows), source_(source), values_(values), cache_(cache) {}

    /// Between these ends; nothing: between 0 and the largest visible value.
    void setOwnRange(std::optional<OwnRange> range) { ownRange_ = range; }
    /// The rows that somebody sees now; all are those that are not hidden in a collapsed one. False where
    /// nothing changes.
    bool setInSight(Chosen<NodeId> nodes);
    /// This scale and the partner have the same colours and units, group by group, as far as units are the
    /// same. Null: there is none.
    void setPartner(const ValueScale* partner) { partner_ = partner; }
    /// After anything that values depend on.
    void forget();

    ScaleRange rangeOf(NodeId node) const;
    /// −1 … 1: where the node's value stands on the scale; NaN where there is none.
    double share(NodeId node) const;
    Writing writingOf(NodeId node) const;

  private:
    struct Group {
        double largest = 0.0;
        double smallest = 0.0;
        double smallestInclusive = 0.0;
    };

    void note(NodeId node) const;
    void updateGroups() const;
    const Group& group(NodeId node) const;
    std::optional<NodeId> partnersNode(NodeId node) const;
    Group sharedGroup(NodeId node) const;
    std::optional<double> wholeOf(NodeId node) const;
    bool isSigned() const { return cache_.isSigned() || (partner_ && partner_->cache_.isSigned()); }
    double largestInSight(NodeId node) const;
    double sharedLargestInSight(NodeId node) const;

    const RowTree& rows_;
    const RowValues& source_;
    const ShownValues& values_;
    ValueCache& cache_;
    const ValueScale* partner_ = nullptr;
    std::optional<OwnRange> ownRange_;
    mutable std::optional<std::vector<Group>> groups_;  ///< by the node that names the group
    Chosen<NodeId> inSight_ = kAll;
    mutable std::map<NodeId, double> largestInSight_;  ///< by group; filled when it is asked for first
};

}  // namespace holos::gui

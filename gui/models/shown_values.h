// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <utility>

#include "algebra/model/queries.h"
#include "gui/models/quantity.h"
#include "gui/models/row_tree.h"
#include "gui/models/value_cache.h"
#include "gui/models/value_mode.h"

namespace holos::gui {

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

}  // namespace holos::gui

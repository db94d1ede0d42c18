// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "base/chosen.h"
#include "gui/models/shown_values.h"

namespace holos::gui {

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
    /// Both have the same colours and units, group by group, as far as units are the same; null: none.
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

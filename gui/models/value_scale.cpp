// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/value_scale.h"

#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <limits>

namespace holos::gui {

using algebra::Extent;

namespace {
/// Negative values of this relative size are no reason for diverging colours.
constexpr double kNoise = 1e-9;
}  // namespace

std::optional<OwnRange> ownRangeFrom(const QString& text) {
    static const QRegularExpression number(u"[-\u2212]?\\d+(\\.\\d+)?([eE][-+]?\\d+)?"_qs);
    auto found = number.globalMatch(text);
    std::vector<double> ends;
    while (found.hasNext()) ends.push_back(found.next().captured().replace(QChar(0x2212), u'-').toDouble());
    if (ends.size() != 2 || !(ends[0] < ends[1])) return std::nullopt;
    return OwnRange{ends[0], ends[1]};
}

bool ValueScale::setInSight(Chosen<NodeId> nodes) {
    if (nodes == inSight_) return false;
    inSight_ = std::move(nodes);
    largestInSight_.clear();
    return true;
}

void ValueScale::forget() {
    groups_.reset();
    inSight_ = kAll;  // other rows may have moved into sight
    largestInSight_.clear();
}

void ValueScale::note(NodeId node) const {
    const double shown = values_.part(node);
    if (!std::isfinite(shown)) return;
    Group& mine = (*groups_)[source_.groupOf(node).index()];
    mine.largest = std::max(mine.largest, std::abs(shown));
    mine.smallest = std::min(mine.smallest, shown);
    if (rows_.extentOf(node) == Extent::Inclusive)
        mine.smallestInclusive = std::min(mine.smallestInclusive, shown);
}

void ValueScale::updateGroups() const {
    groups_.emplace(rows_.size());
    for (const NodeId node : rows_.visible()) note(node);
    for (const Group& group : *groups_)
        if (group.smallestInclusive < -kNoise * group.largest) cache_.noteSigned();
}

const ValueScale::Group& ValueScale::group(NodeId node) const {
    if (!groups_) updateGroups();
    return (*groups_)[source_.groupOf(node).index()];
}

/// A node of the partner's group that shares the scale with the node's group here.
std::optional<NodeId> ValueScale::partnersNode(NodeId node) const {
    if (partner_ == nullptr || partner_->rows_.size() == 0) return std::nullopt;
    const auto there = source_.hasSeveralGroups()
                           ? partner_->rows_.withKey(rows_.keyOf(source_.groupOf(node)))
                           : std::optional(NodeId(0));
    const bool comparable = there && partner_->values_.metricOf(*there).unit == values_.metricOf(node).unit;
    return comparable ? there : std::nullopt;
}

/// The group, with that of the partner.
ValueScale::Group ValueScale::sharedGroup(NodeId node) const {
    Group both = group(node);
    if (const auto there = partnersNode(node)) {
        const Group& theirs = partner_->group(*there);
        both.largest = std::max(both.largest, theirs.largest);
        both.smallest = std::min(both.smallest, theirs.smallest);
    }
    return both;
}

/// Of the node's group, of the rows in sight; 0 where none of them is in sight, or all rows count.
double ValueScale::largestInSight(NodeId node) const {
    if (largestInSight_.empty())
        for (const NodeId seen : inSight_.given()) {
            const double here = std::abs(values_.part(seen));
            double& largest = largestInSight_[source_.groupOf(seen)];
            if (std::isfinite(here)) largest = std::max(largest, here);
        }
    const auto known = largestInSight_.find(source_.groupOf(node));
    return known == largestInSight_.end() ? 0.0 : known->second;
}

/// With what is in sight of the partner.
double ValueScale::sharedLargestInSight(NodeId node) const {
    const auto there = partnersNode(node);
    return std::max(largestInSight(node), there ? partner_->largestInSight(*there) : 0.0);
}

Writing ValueScale::writingOf(NodeId node) const {
    const double seen = sharedLargestInSight(node);
    return {values_.format(node, seen > 0.0 ? seen : sharedGroup(node).largest),
            values_.percentApplies(node) ? values_.base(node) : 1.0, values_.origin(node)};
}

double ValueScale::share(NodeId node) const {
    const double here = values_.part(node);
    const ScaleRange range = rangeOf(node);
    if (!std::isfinite(here) || range.isEmpty()) return std::numeric_limits<double>::quiet_NaN();
    if (range.diverging) return std::clamp(here / std::abs(range.to), -1.0, 1.0);
    return std::clamp((here - range.from) / (range.to - range.from), 0.0, 1.0);
}

std::optional<double> ValueScale::wholeOf(NodeId node) const {
    const NodeId root = source_.groupOf(node);
    const bool isAlone = rows_.childrenOf(root).empty() || rows_.extentOf(root) == Extent::Inclusive;
    return isAlone && values_.mode() == ValueMode::Absolute ? source_.whole(root) : std::nullopt;
}

ScaleRange ValueScale::rangeOf(NodeId node) const {
    Group mine = sharedGroup(node);
    const bool negative = isSigned() || mine.smallest < -kNoise * mine.largest;
    if (!negative && mine.largest > 0.0) mine.largest = std::max(mine.largest, wholeOf(node).value_or(0.0));
    const QuantityFormat format = values_.format(node, mine.largest);
    if (!ownRange_ && !negative) return {0.0, mine.largest, false, format};
    if (ownRange_ && ownRange_->from >= 0.0) return {ownRange_->from, ownRange_->to, false, format};
    const double reach =
        ownRange_ ? std::max(std::abs(ownRange_->from), std::abs(ownRange_->to)) : mine.largest;
    // Percentages of a negative whole have the opposite sign of the values that the colours show.
    const double sign = values_.percentApplies(node) && values_.base(node) < 0.0 ? -1.0 : 1.0;
    return {-sign * reach, sign * reach, true, format};
}

}  // namespace holos::gui

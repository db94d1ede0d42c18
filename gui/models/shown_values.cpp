// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/shown_values.h"

#include <QRegularExpression>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace holos::gui {

using algebra::Extent;

namespace {

constexpr std::array kModes{
    ValueModeText{ValueMode::Absolute, "absolute", "Absolute", "Values in their units"},
    ValueModeText{
        ValueMode::Percent, "percent", "Percent",
        "Metrics: of the root of their hierarchy; call paths: of the metric; system: of the call paths"},
    ValueModeText{ValueMode::OfRoot, "root", "Percent of the root",
                  "Of the root of the metric's hierarchy, over the whole program"},
    ValueModeText{ValueMode::OfMetric, "metric", "Percent of the metric",
                  "Of the selected metric, over the whole program"},
    ValueModeText{ValueMode::OfSelection, "selection", "Percent of the selected row",
                  "Of the selected row of the same pane"},
    ValueModeText{ValueMode::OfPeers, "peers", "Percent of the largest peer",
                  "Of the largest visible value on the same level"},
    ValueModeText{ValueMode::PeerRange, "distribution", "Peer distribution",
                  "From 0 for the smallest to 100 for the largest value on the same level"},
    ValueModeText{ValueMode::External, "external", "Percent of another experiment",
                  "Of the root of the metric's hierarchy in another experiment"},
};

}  // namespace

std::span<const ValueModeText> valueModes() {
    return kModes;
}

namespace {

/// Where a difference of sums is nothing, rounding leaves this part of the sums.
constexpr double kRounding = 1e-13;

}  // namespace

const algebra::Metric& ShownValues::metricOf(NodeId node) const {
    return cache_.experiment().metrics[source_.metricIdOf(node)];
}

/// What is exclusive is a difference of sums, of which the whole metric is the largest.
double ShownValues::rounded(NodeId node, double exact) const {
    if (exact == 0.0 || std::abs(exact) <= kRounding * std::abs(source_.percentBase(node))) return 0.0;
    if (isWhole(metricOf(node))) return exact;
    return std::abs(exact) <= kRounding * std::abs(cache_.metric({source_.metricIdOf(node)})) ? 0.0 : exact;
}

double ShownValues::value(NodeId node) const {
    return rounded(node, source_.value(node, rows_.extentOf(node)));
}

double ShownValues::inclusive(NodeId node) const {
    return rounded(node, source_.value(node, Extent::Inclusive));
}

double ShownValues::exclusive(NodeId node) const {
    const bool isAll = rows_.childrenOf(node).empty() && !rows_.isInclusive();
    return rounded(node, source_.value(node, isAll ? Extent::Inclusive : Extent::Exclusive));
}

double ShownValues::beyond(NodeId node, double other) const {
    return rounded(node, source_.value(node, Extent::Inclusive) - other);
}

bool ShownValues::isBelow(NodeId node, double part) const {
    if (!algebra::isSumOfParts(metricOf(node)) || cache_.isSigned()) return false;
    const double here = std::abs(inclusive(node));
    return here == 0.0 || here < part * std::abs(source_.percentBase(node));
}

double ShownValues::base(NodeId node) const {
    switch (mode_) {
        case ValueMode::OfRoot:
            return cache_.metric({cache_.rootOf(source_.metricIdOf(node))});
        case ValueMode::OfMetric:
            return source_.metricBase(node);
        case ValueMode::OfSelection:
            return selected_ && source_.groupOf(*selected_) == source_.groupOf(node)
                       ? value(*selected_)
                       : source_.percentBase(node);
        case ValueMode::OfPeers:
            return peersOf(node).largest;
        case ValueMode::PeerRange: {
            const Peers& peers = peersOf(node);
            if (rows_.extentOf(node) == Extent::Exclusive) return peers.largest;
            // Where all are equal, nobody has more than the smallest.
            const double width = peers.to - peers.from.value_or(peers.to);
            return width > 0.0 ? width : 1.0;
        }
        case ValueMode::External:
            return cache_.external(source_.metricIdOf(node));
        default:
            return source_.percentBase(node);
    }
}

const ShownValues::Peers& ShownValues::peersOf(NodeId node) const {
    if (!peers_) {
        peers_.emplace();
        for (const NodeId seen : rows_.visible()) {
            const double here = inclusive(seen);
            if (!std::isfinite(here) || !source_.isPeer(seen)) continue;
            Peers& peers = (*peers_)[{source_.groupOf(seen), rows_.depthOf(seen)}];
            peers.largest = std::max(peers.largest, std::abs(here));
            if (rows_.extentOf(seen) == Extent::Exclusive) continue;
            peers.to = peers.from ? std::max(peers.to, here) : here;
            peers.from = std::min(peers.from.value_or(here), here);
        }
    }
    return (*peers_)[{source_.groupOf(node), rows_.depthOf(node)}];
}

double ShownValues::origin(NodeId node) const {
    const bool isPeer = mode_ == ValueMode::PeerRange && rows_.extentOf(node) == Extent::Inclusive;
    return isPeer && percentApplies(node) ? peersOf(node).from.value_or(0.0) : 0.0;
}

double ShownValues::part(NodeId node) const {
    return (value(node) - origin(node)) / (percentApplies(node) ? std::abs(base(node)) : 1.0);
}

bool ShownValues::percentApplies(NodeId node) const {
    const auto& metric = metricOf(node);
    return mode_ != ValueMode::Absolute && metric.origin != algebra::Origin::Ratio &&
           metric.valueType != algebra::ValueType::MinDouble &&
           metric.valueType != algebra::ValueType::MaxDouble;
}

QuantityFormat ShownValues::format(NodeId node, double largest) const {
    const auto& metric = metricOf(node);
    const QString unit = QString::fromStdString(metric.unit);
    if (percentApplies(node)) return QuantityFormat::percent(digits_, largest);
    if (metric.origin == algebra::Origin::Ratio) return QuantityFormat::ratio(unit, digits_);
    return QuantityFormat::absolute(unit, largest, isWhole(metric), digits_);
}

QStringList ShownValues::absoluteTexts(NodeId node, double value) const {
    const auto& metric = metricOf(node);
    const QString unit = QString::fromStdString(metric.unit);
    if (metric.origin == algebra::Origin::Ratio) return QuantityFormat::ratio(unit, digits_).texts(value);
    return QuantityFormat::absolute(unit, std::abs(source_.percentBase(node)), isWhole(metric), digits_)
        .texts(value);
}

QString ShownValues::describe(NodeId node) const {
    const auto& metric = metricOf(node);
    const double shown = value(node);
    if (std::isnan(shown) && cache_.isReading(source_.metricIdOf(node)))
        return u"The value is still being read"_qs;
    QString text = exactQuantity(shown, QString::fromStdString(metric.unit));
    if (mode_ == ValueMode::PeerRange) return text;
    const double whole = base(node);
    if (metric.origin != algebra::Origin::Ratio && whole != 0.0 && std::isfinite(shown / whole))
        text += u"  ·  %1 of %2"_qs.arg(percentage(shown / whole, digits_),
                                        exactQuantity(whole, QString::fromStdString(metric.unit), 4));
    return text;
}

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

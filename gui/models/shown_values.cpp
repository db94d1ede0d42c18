// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/shown_values.h"

#include <algorithm>
#include <cmath>

namespace holos::gui {

using algebra::Extent;

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
    if (!isSummable(metricOf(node)) || cache_.isSigned()) return false;
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
    QString text = exactQuantity(shown, QString::fromStdString(metric.unit));
    if (mode_ == ValueMode::PeerRange) return text;
    const double whole = base(node);
    if (metric.origin != algebra::Origin::Ratio && whole != 0.0 && std::isfinite(shown / whole))
        text += u"  ·  %1 of %2"_qs.arg(percentage(shown / whole, digits_),
                                        exactQuantity(whole, QString::fromStdString(metric.unit), 4));
    return text;
}

}  // namespace holos::gui

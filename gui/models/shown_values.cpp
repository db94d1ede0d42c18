// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/shown_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace holos::gui {

using algebra::Extent;

namespace {
/// Where a difference of sums is nothing, rounding leaves this part of the sums.
constexpr double kRounding = 1e-13;
}  // namespace

const algebra::Metric& ShownValues::metricOf(int node) const {
    return cache_.experiment().metrics[source_.metricIdOf(node)];
}

/// What is exclusive is a difference of sums, of which the whole metric is the largest.
double ShownValues::rounded(int node, double exact) const {
    if (exact == 0.0 || std::abs(exact) <= kRounding * std::abs(source_.percentBase(node))) return 0.0;
    if (isWhole(metricOf(node))) return exact;
    return std::abs(exact) <= kRounding * std::abs(cache_.metric({source_.metricIdOf(node)})) ? 0.0 : exact;
}

double ShownValues::value(int node) const {
    return rounded(node, source_.value(node, rows_.extentOf(node)));
}

bool ShownValues::isBelow(int node, double part) const {
    if (!isSummable(metricOf(node)) || cache_.isSigned()) return false;
    const double here = std::abs(rounded(node, source_.value(node, Extent::Inclusive)));
    return here == 0.0 || here < part * std::abs(source_.percentBase(node));
}

double ShownValues::base(int node) const {
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
            return largestPeer(node);
        case ValueMode::External:
            return cache_.external(source_.metricIdOf(node));
        default:
            return source_.percentBase(node);
    }
}

double ShownValues::largestPeer(int node) const {
    if (!peers_) {
        peers_.emplace();
        for (const int seen : rows_.visible()) {
            const double here = std::abs(rounded(seen, source_.value(seen, Extent::Inclusive)));
            double& largest = (*peers_)[{source_.groupOf(seen), rows_.depthOf(seen)}];
            if (std::isfinite(here)) largest = std::max(largest, here);
        }
    }
    const auto known = peers_->find({source_.groupOf(node), rows_.depthOf(node)});
    return known == peers_->end() ? std::numeric_limits<double>::quiet_NaN() : known->second;
}

double ShownValues::part(int node) const {
    return value(node) / (percentApplies(node) ? std::abs(base(node)) : 1.0);
}

bool ShownValues::percentApplies(int node) const {
    const auto& metric = metricOf(node);
    return mode_ != ValueMode::Absolute && metric.origin != algebra::Origin::Ratio &&
           metric.valueType != algebra::ValueType::MinDouble &&
           metric.valueType != algebra::ValueType::MaxDouble;
}

QuantityFormat ShownValues::format(int node, double largest) const {
    const auto& metric = metricOf(node);
    const QString unit = QString::fromStdString(metric.unit);
    if (percentApplies(node)) return QuantityFormat::percent(digits_, largest);
    if (metric.origin == algebra::Origin::Ratio) return QuantityFormat::ratio(unit, digits_);
    return QuantityFormat::absolute(unit, largest, isWhole(metric), digits_);
}

QString ShownValues::describe(int node) const {
    const auto& metric = metricOf(node);
    const double shown = value(node);
    QString text = exactQuantity(shown, QString::fromStdString(metric.unit));
    const double whole = base(node);
    if (metric.origin != algebra::Origin::Ratio && whole != 0.0 && std::isfinite(shown / whole))
        text += u"  ·  %1 of %2"_qs.arg(percentage(shown / whole, digits_),
                                        exactQuantity(whole, QString::fromStdString(metric.unit), 4));
    return text;
}

}  // namespace holos::gui

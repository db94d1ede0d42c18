// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/tree_model.h"

#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gui/models/plain_text.h"

namespace holos::gui {

using algebra::Extent;

namespace {

/// Negative values of this relative size are no reason for diverging colours.
constexpr double kNoise = 1e-9;
/// Where a difference of sums is nothing, rounding leaves this part of the sums.
constexpr double kRounding = 1e-13;

}  // namespace

TreeModel::TreeModel(ValueCache& cache) : cache_(cache) {
    // Queued: it is found out while values are being asked for.
    connect(&cache, &ValueCache::becameSigned, this, &TreeModel::valuesChanged, Qt::QueuedConnection);
}

int TreeModel::addNode(const QString& name, std::optional<int> parent) {
    const int node = nodeCount();
    auto& siblings = parent ? rows_[*parent].children : roots_;
    Row row;
    row.parent = parent.value_or(-1);
    row.position = static_cast<int>(siblings.size());
    row.depth = parent ? rows_[*parent].depth + 1 : 0;
    row.name = onOneLine(name);
    siblings.push_back(node);
    rows_.push_back(std::move(row));
    return node;
}

std::optional<int> TreeModel::parentOf(int node) const {
    return rows_[node].parent < 0 ? std::nullopt : std::optional(rows_[node].parent);
}

QModelIndex TreeModel::index(int row, int column, const QModelIndex& parent) const {
    if (column < 0 || column >= kColumns || row < 0 || parent.column() > 0) return {};
    const auto& siblings = parent.isValid() ? childrenOf(nodeOf(parent)) : roots_;
    if (row >= static_cast<int>(siblings.size())) return {};
    return createIndex(row, column, static_cast<quintptr>(siblings[row]));
}

void TreeModel::reroot(std::optional<int> node) {
    beginResetModel();
    if (cut_) {
        rows_[cut_->node].parent = cut_->row.parent;
        rows_[cut_->node].position = cut_->row.position;
        roots_ = std::move(cut_->roots);
        cut_.reset();
    }
    if (node) {
        Row& top = rows_[*node];
        cut_ = Cut{*node, top, std::exchange(roots_, {*node})};
        top.parent = -1;
        top.position = 0;
    }
    for (Row& row : rows_) row.expanded = false;
    selected_.reset();
    groupsKnown_ = false;
    inSight_.clear();
    largestInSight_.clear();
    endResetModel();
}

QModelIndex TreeModel::indexOf(int node, int column) const {
    if (cut_) {
        int top = node;
        while (rows_[top].parent >= 0) top = rows_[top].parent;
        if (top != cut_->node) return {};
    }
    return createIndex(rows_[node].position, column, static_cast<quintptr>(node));
}

QModelIndex TreeModel::parent(const QModelIndex& child) const {
    if (!child.isValid()) return {};
    const auto up = parentOf(nodeOf(child));
    return up ? indexOf(*up) : QModelIndex();
}

int TreeModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) return static_cast<int>(roots_.size());
    return parent.column() == NameColumn ? static_cast<int>(childrenOf(nodeOf(parent)).size()) : 0;
}

int TreeModel::columnCount(const QModelIndex&) const {
    return kColumns;
}

QVariant TreeModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const int node = nodeOf(index);
    switch (role) {
        case Qt::DisplayRole:
            return index.column() == NameColumn ? rows_[node].name : valueText(node);
        case Qt::TextAlignmentRole:
            if (index.column() == ValueColumn) return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
            return {};
        case Qt::ToolTipRole:
            return asToolTip(toolTip(node));
        case ShownNameRole:
            return shownName(node);
        case Qt::AccessibleTextRole:
            return index.column() == NameColumn ? shownName(node) : writtenWithUnit(node);
        case ValueRole:
            return shownValue(node);
        case ShareRole:
            return share(node);
        case SignedRole:
            return rangeOf(node).diverging;
        case UnitRole:
            return unitText(node);
        case NotationsRole:
            return metricOf(node).isVoid ? QStringList() : writingOf(node).notations(shownValue(node));
        case IncompleteRole:
            return metricOf(node).incomplete;
        case FoundRole:
            return rows_[node].found;
        default:
            return {};
    }
}

QVariant TreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    return section == NameColumn ? u"Name"_qs : u"Value"_qs;
}

Extent TreeModel::extentOf(int node) const {
    return rows_[node].expanded && !rows_[node].children.empty() ? Extent::Exclusive : Extent::Inclusive;
}

/// What is exclusive is a difference of sums, of which the whole metric is the largest.
double TreeModel::rounded(int node, double exact) const {
    if (exact == 0.0 || std::abs(exact) <= kRounding * std::abs(percentBase(node))) return 0.0;
    if (isWhole(metricOf(node))) return exact;
    return std::abs(exact) <= kRounding * std::abs(cache_.metric({metricIdOf(node)})) ? 0.0 : exact;
}

double TreeModel::shownValue(int node) const {
    return rounded(node, value(node, extentOf(node)));
}

bool TreeModel::isBelow(int node, double part) const {
    if (!isSummable(metricOf(node)) || cache_.isSigned()) return false;
    const double here = std::abs(rounded(node, value(node, Extent::Inclusive)));
    return here == 0.0 || here < part * std::abs(percentBase(node));
}

void TreeModel::setExpanded(const QModelIndex& index, bool expanded) {
    if (!index.isValid() || rows_[nodeOf(index)].expanded == expanded) return;
    rows_[nodeOf(index)].expanded = expanded;
    valuesChanged();
}

void TreeModel::setAllExpanded(bool expanded) {
    for (Row& row : rows_) row.expanded = expanded && !row.children.empty();
    valuesChanged();
}

void TreeModel::setMode(ValueMode mode) {
    if (mode == mode_) return;
    mode_ = mode;
    valuesChanged();
}

void TreeModel::setDigits(Digits digits) {
    if (digits == digits_) return;
    digits_ = digits;
    valuesChanged();
}

bool TreeModel::setInSight(std::vector<int> nodes) {
    if (nodes == inSight_) return false;
    inSight_ = std::move(nodes);
    largestInSight_.clear();
    if (other_) tellViews({});
    return true;
}

void TreeModel::setSelected(const QModelIndex& index) {
    const auto now = index.isValid() ? std::optional(nodeOf(index)) : std::nullopt;
    if (now == selected_) return;
    selected_ = now;
    if (mode_ == ValueMode::OfSelection || mode_ == ValueMode::OfMetric) valuesChanged();
}

void TreeModel::setOwnRange(std::optional<OwnRange> range) {
    ownRange_ = range;
    valuesChanged();
}

std::optional<TreeModel::OwnRange> TreeModel::ownRangeFrom(const QString& text) {
    static const QRegularExpression number(u"[-\u2212]?\\d+(\\.\\d+)?([eE][-+]?\\d+)?"_qs);
    auto found = number.globalMatch(text);
    std::vector<double> ends;
    while (found.hasNext()) ends.push_back(found.next().captured().replace(QChar(0x2212), u'-').toDouble());
    if (ends.size() != 2 || !(ends[0] < ends[1])) return std::nullopt;
    return OwnRange{ends[0], ends[1]};
}

void TreeModel::valuesChanged() {
    groupsKnown_ = false;
    inSight_.clear();  // other rows may have moved into sight
    largestInSight_.clear();
    tellViews({});
}

/// A change of all rows that can be seen. The top level comes first; one signal is for the children of one
/// node, and nobody has asked for those of a collapsed node yet.
void TreeModel::tellViews(const QList<int>& roles) {
    std::vector<const std::vector<int>*> open{&roots_};
    for (std::size_t at = 0; at < open.size(); ++at) {
        const std::vector<int>& siblings = *open[at];
        if (siblings.empty()) continue;
        Q_EMIT dataChanged(indexOf(siblings.front(), NameColumn), indexOf(siblings.back(), ValueColumn),
                           roles);
        for (const int node : siblings)
            if (isExpanded(node) && !childrenOf(node).empty()) open.push_back(&childrenOf(node));
    }
}

std::vector<int> TreeModel::find(const QString& text) {
    QRegularExpression pattern(text, QRegularExpression::CaseInsensitiveOption);
    if (!pattern.isValid()) pattern.setPattern(QRegularExpression::escape(text));
    std::vector<int> found;
    std::vector<int> open(roots_.rbegin(), roots_.rend());
    while (!open.empty()) {
        const int node = open.back();
        open.pop_back();
        Row& row = rows_[node];
        row.found = !text.isEmpty() && row.name.contains(pattern);
        if (row.found) found.push_back(node);
        open.insert(open.end(), row.children.rbegin(), row.children.rend());
    }
    tellViews({FoundRole});
    return found;
}

QString TreeModel::pathOf(int node) const {
    QStringList names;
    for (std::optional<int> at = node; at; at = parentOf(*at)) names.prepend(rows_[*at].name);
    return names.join(u" / "_qs);
}

const algebra::Metric& TreeModel::metricOf(int node) const {
    return cache_.experiment().metrics[metricIdOf(node)];
}

double TreeModel::base(int node) const {
    switch (mode_) {
        case ValueMode::OfRoot:
            return cache_.metric({cache_.rootOf(metricIdOf(node))});
        case ValueMode::OfMetric:
            return metricBase(node);
        case ValueMode::OfSelection:
            return selected_ && groupOf(*selected_) == groupOf(node) ? shownValue(*selected_)
                                                                     : percentBase(node);
        case ValueMode::OfPeers:
            return largestPeer(node);
        case ValueMode::External:
            return cache_.external(metricIdOf(node));
        default:
            return percentBase(node);
    }
}

double TreeModel::largestPeer(int node) const {
    if (!groupsKnown_) updateGroups();
    const auto known = peers_.find({groupOf(node), rows_[node].depth});
    return known == peers_.end() ? std::numeric_limits<double>::quiet_NaN() : known->second;
}

/// What colours compare: the value as it is written, but for the sign of what it relates to.
double TreeModel::quantity(int node) const {
    return shownValue(node) / (percentApplies(node) ? std::abs(base(node)) : 1.0);
}

bool TreeModel::percentApplies(int node) const {
    const auto& metric = metricOf(node);
    return mode_ != ValueMode::Absolute && metric.origin != algebra::Origin::Ratio &&
           metric.valueType != algebra::ValueType::MinDouble &&
           metric.valueType != algebra::ValueType::MaxDouble;
}

QuantityFormat TreeModel::formatFor(int node, double largest) const {
    const auto& metric = metricOf(node);
    const QString unit = QString::fromStdString(metric.unit);
    if (percentApplies(node)) return QuantityFormat::percent(digits_, largest);
    if (metric.origin == algebra::Origin::Ratio) return QuantityFormat::ratio(unit, digits_);
    return QuantityFormat::absolute(unit, largest, isWhole(metric), digits_);
}

QuantityFormat TreeModel::formatOf(int node) const {
    const double seen = sharedLargestInSight(node);
    return formatFor(node, seen > 0.0 ? seen : sharedGroup(node).largest);
}

Writing TreeModel::writingOf(int node) const {
    return {formatOf(node), percentApplies(node) ? base(node) : 1.0};
}

QString TreeModel::valueText(int node) const {
    return metricOf(node).isVoid ? QString() : writingOf(node).number(shownValue(node));
}

QString TreeModel::writtenWithUnit(int node) const {
    return metricOf(node).isVoid ? QString() : writingOf(node).text(shownValue(node));
}

QString TreeModel::unitText(int node) const {
    const Writing writing = writingOf(node);
    const double part = writing.part(shownValue(node));
    return part == 0.0 || !std::isfinite(part) ? QString() : writing.format.unit();
}

QString TreeModel::describe(int node) const {
    const auto& metric = metricOf(node);
    const double shown = shownValue(node);
    QString text = exactQuantity(shown, QString::fromStdString(metric.unit));
    const double whole = base(node);
    if (metric.origin != algebra::Origin::Ratio && whole != 0.0 && std::isfinite(shown / whole))
        text += u"  ·  %1 of %2"_qs.arg(percentage(shown / whole, digits_),
                                        exactQuantity(whole, QString::fromStdString(metric.unit), 4));
    return text;
}

std::vector<int> TreeModel::visibleNodes() const {
    std::vector<int> visible;
    std::vector<int> open(roots_.rbegin(), roots_.rend());
    while (!open.empty()) {
        const int node = open.back();
        open.pop_back();
        visible.push_back(node);
        if (isExpanded(node)) open.insert(open.end(), childrenOf(node).rbegin(), childrenOf(node).rend());
    }
    return visible;
}

void TreeModel::note(int node) const {
    const double shown = quantity(node);
    if (!std::isfinite(shown)) return;
    Group& mine = groups_[groupOf(node)];
    mine.largest = std::max(mine.largest, std::abs(shown));
    mine.smallest = std::min(mine.smallest, shown);
    if (extentOf(node) == Extent::Inclusive) mine.smallestInclusive = std::min(mine.smallestInclusive, shown);
}

void TreeModel::updateGroups() const {
    groupsKnown_ = true;  // quantities may relate to peers, which are known first
    groups_.assign(rows_.size(), {});
    peers_.clear();
    const std::vector<int> visible = visibleNodes();
    if (mode_ == ValueMode::OfPeers) {
        for (const int node : visible) {
            const double here = std::abs(rounded(node, value(node, Extent::Inclusive)));
            double& largest = peers_[{groupOf(node), rows_[node].depth}];
            if (std::isfinite(here)) largest = std::max(largest, here);
        }
    }
    for (const int node : visible) note(node);
    for (const Group& group : groups_)
        if (group.smallestInclusive < -kNoise * group.largest) cache_.noteSigned();
}

const TreeModel::Group& TreeModel::group(int node) const {
    if (!groupsKnown_) updateGroups();
    return groups_[groupOf(node)];
}

void TreeModel::shareScaleWith(TreeModel* other) {
    if (other_ == other) return;
    if (other_) disconnect(other_, &QAbstractItemModel::dataChanged, this, nullptr);
    other_ = other;
    if (other != nullptr)
        connect(other, &QAbstractItemModel::dataChanged, this,
                [this](const QModelIndex& first, const QModelIndex&, const QList<int>& roles) {
                    // Once for all its rows, and not when it answers a change of ours.
                    if (!first.parent().isValid() && !roles.contains(ShareRole)) tellViews({ShareRole});
                });
    valuesChanged();
}

/// A node of the group there that shares the scale with the node's group here.
std::optional<int> TreeModel::sharedNode(int node) const {
    if (!other_ || other_->rows_.empty()) return std::nullopt;
    const auto there = hasSeveralGroups() ? other_->rowNamed(rowName(groupOf(node))) : std::optional(0);
    const bool comparable = there && other_->metricOf(*there).unit == metricOf(node).unit;
    return comparable ? there : std::nullopt;
}

TreeModel::Group TreeModel::sharedGroup(int node) const {
    Group both = group(node);
    if (const auto there = sharedNode(node)) {
        const Group& theirs = other_->group(*there);
        both.largest = std::max(both.largest, theirs.largest);
        both.smallest = std::min(both.smallest, theirs.smallest);
    }
    return both;
}

/// Of the node's group; 0 where nothing of it is in sight.
double TreeModel::largestInSight(int node) const {
    if (largestInSight_.empty())
        for (const int seen : inSight_) {
            const double here = std::abs(quantity(seen));
            double& largest = largestInSight_[groupOf(seen)];
            if (std::isfinite(here)) largest = std::max(largest, here);
        }
    const auto known = largestInSight_.find(groupOf(node));
    return known == largestInSight_.end() ? 0.0 : known->second;
}

/// With what is in sight of the model that shares the scale.
double TreeModel::sharedLargestInSight(int node) const {
    const auto there = sharedNode(node);
    return std::max(largestInSight(node), there ? other_->largestInSight(*there) : 0.0);
}

double TreeModel::share(int node) const {
    const double here = quantity(node);
    const Range range = rangeOf(node);
    if (!std::isfinite(here) || range.isEmpty()) return std::numeric_limits<double>::quiet_NaN();
    if (range.diverging) return std::clamp(here / std::abs(range.to), -1.0, 1.0);
    return std::clamp((here - range.from) / (range.to - range.from), 0.0, 1.0);
}

TreeModel::Range TreeModel::rangeOf(int node) const {
    const Group mine = sharedGroup(node);
    const bool negative = isSigned() || mine.smallest < -kNoise * mine.largest;
    const QuantityFormat format = formatFor(node, mine.largest);
    if (!ownRange_ && !negative) return {0.0, mine.largest, false, format};
    if (ownRange_ && ownRange_->from >= 0.0) return {ownRange_->from, ownRange_->to, false, format};
    const double reach =
        ownRange_ ? std::max(std::abs(ownRange_->from), std::abs(ownRange_->to)) : mine.largest;
    // Percentages of a negative whole have the opposite sign of the values that the colours show.
    const double sign = percentApplies(node) && base(node) < 0.0 ? -1.0 : 1.0;
    return {-sign * reach, sign * reach, true, format};
}

}  // namespace holos::gui

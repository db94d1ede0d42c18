// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/tree_model.h"

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "gui/models/counterpart.h"
#include "gui/models/plain_text.h"

namespace holos::gui {

TreeModel::TreeModel(ValueCache& cache)
    : cache_(cache), values_(rows_, *this, cache), scale_(rows_, *this, values_, cache) {
    // Queued: it is found out while values are being asked for.
    connect(&cache, &ValueCache::becameSigned, this, &TreeModel::valuesChanged, Qt::QueuedConnection);
    connect(&cache, &ValueCache::counterpartChanged, this, [this] {
        forgetThere();
        tellViews({});
        Q_EMIT headerDataChanged(Qt::Horizontal, DeltaColumn, DeltaColumn);
    });
}

QModelIndex TreeModel::index(int row, int column, const QModelIndex& parent) const {
    if (column < 0 || column >= kColumns || row < 0 || parent.column() > 0) return {};
    const auto& siblings = parent.isValid() ? rows_.childrenOf(nodeOf(parent)) : rows_.roots();
    if (row >= static_cast<int>(siblings.size())) return {};
    return createIndex(row, column, quintptr{siblings[static_cast<std::size_t>(row)].index()});
}

QModelIndex TreeModel::indexOf(NodeId node, int column) const {
    if (!rows_.contains(node)) return {};
    return createIndex(rows_.positionOf(node), column, quintptr{node.index()});
}

QModelIndex TreeModel::parent(const QModelIndex& child) const {
    if (!child.isValid()) return {};
    const auto up = rows_.parentOf(nodeOf(child));
    return up ? indexOf(*up) : QModelIndex();
}

int TreeModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) return static_cast<int>(rows_.roots().size());
    return parent.column() == NameColumn ? static_cast<int>(rows_.childrenOf(nodeOf(parent)).size()) : 0;
}

int TreeModel::columnCount(const QModelIndex&) const {
    return kColumns;
}

QVariant TreeModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const NodeId node = nodeOf(index);
    if (index.column() > ValueColumn) return moreData(index, role);
    switch (role) {
        case Qt::DisplayRole:
            return index.column() == NameColumn ? rows_.nameOf(node) : writtenNumber(node);
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
            return values_.value(node);
        case ShareRole:
            return scale_.share(node);
        case SignedRole:
            return scale_.rangeOf(node).diverging;
        case UnitRole:
            return unitText(node);
        case NotationsRole:
            return notations(node);
        case IncompleteRole:
            return values_.metricOf(node).incomplete;
        case FoundRole:
            return rows_.isFound(node);
        default:
            return {};
    }
}

QVariant TreeModel::moreData(const QModelIndex& index, int role) const {
    const NodeId node = nodeOf(index);
    switch (role) {
        case Qt::DisplayRole:
        case Qt::AccessibleTextRole:
            return textsIn(node, index.column()).value(0);
        case Qt::TextAlignmentRole:
            return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
        case ValueRole:
            return numberIn(node, index.column());
        case NotationsRole:
            return textsIn(node, index.column());
        default:
            return {};
    }
}

QVariant TreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole && section != NameColumn)
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    const Counterpart* other = cache_.counterpart();
    if (section == DeltaColumn && other != nullptr) {
        if (role == Qt::DisplayRole) return u"Δ "_qs + onOneLine(other->name());
        if (role == Qt::ToolTipRole)
            return asToolTip(u"How much more (+) or less (−) it is here than in %1"_qs.arg(other->name()));
        if (role == Qt::AccessibleTextRole) return u"Delta to "_qs + other->name();
    }
    if (role != Qt::DisplayRole) return {};
    if (section == NameColumn) return u"Name"_qs;
    if (section == ValueColumn) return rows_.isInclusive() ? titleOfColumn(InclusiveColumn) : u"Value"_qs;
    return titleOfColumn(section);
}

QString TreeModel::titleOfColumn(int column) {
    static constexpr std::array kTitles{"Inclusive", "Exclusive", "Share", "Visits", "Delta"};
    return QString::fromLatin1(kTitles[static_cast<std::size_t>(column - InclusiveColumn)]);
}

/// NaN where there is none.
double TreeModel::numberIn(NodeId node, int column) const {
    switch (column) {
        case InclusiveColumn:
            return values_.inclusive(node);
        case ExclusiveColumn:
            return values_.exclusive(node);
        case ShareColumn:
            return values_.inclusive(node) / percentBase(node);
        case DeltaColumn:
            return values_.beyond(node, valueThere(node));
        default:
            return visits(node).value_or(std::numeric_limits<double>::quiet_NaN());
    }
}

/// From the longest way to write it to the shortest.
QStringList TreeModel::textsIn(NodeId node, int column) const {
    if (values_.metricOf(node).isVoid) return {};
    const double number = numberIn(node, column);
    if (std::isnan(number) && isPendingIn(node, column)) return {QString(kPending)};
    if (column == VisitsColumn)
        return std::isnan(number) ? QStringList()
                                  : QuantityFormat::absolute(u"occ"_qs, number, true).notations(number);
    if (column == DeltaColumn) return deltaTexts(node, number);
    if (column != ShareColumn) return values_.absoluteTexts(node, number);
    const bool isPart = values_.metricOf(node).origin != algebra::Origin::Ratio && std::isfinite(number);
    return isPart ? QStringList{percentage(number, values_.digits())} : QStringList{QString(kUndefined)};
}

/// With a sign, so that nobody takes it for a value.
QStringList TreeModel::deltaTexts(NodeId node, double delta) const {
    if (cache_.counterpart() == nullptr) return {};
    QStringList texts = values_.absoluteTexts(node, delta);
    if (delta > 0.0)
        for (QString& text : texts) text.prepend(u'+');
    return texts;
}

/// Its value is being read: asking for it begins that.
bool TreeModel::isPending(NodeId node) const {
    return std::isnan(values_.value(node)) && cache_.isReading(metricIdOf(node));
}

/// What a column after the value rests on is being read.
bool TreeModel::isPendingIn(NodeId node, int column) const {
    if (column == VisitsColumn) {
        const auto visits = cache_.experiment().findMetric("visits");
        return visits && cache_.isReading(*visits);
    }
    const Counterpart* other = cache_.counterpart();
    return cache_.isReading(metricIdOf(node)) ||
           (column == DeltaColumn && other != nullptr && other->isReading(metricIdOf(node)));
}

QString TreeModel::writtenNumber(NodeId node) const {
    if (isPending(node)) return kPending;
    return values_.metricOf(node).isVoid ? QString() : scale_.writingOf(node).number(values_.value(node));
}

QString TreeModel::writtenWithUnit(NodeId node) const {
    if (isPending(node)) return kPending;
    return values_.metricOf(node).isVoid ? QString() : scale_.writingOf(node).text(values_.value(node));
}

QStringList TreeModel::notations(NodeId node) const {
    if (isPending(node)) return {QString(kPending)};
    return values_.metricOf(node).isVoid ? QStringList()
                                         : scale_.writingOf(node).notations(values_.value(node));
}

QString TreeModel::unitText(NodeId node) const {
    const Writing writing = scale_.writingOf(node);
    const double part = writing.part(values_.value(node));
    return part == 0.0 || !std::isfinite(part) ? QString() : writing.format.unit();
}

void TreeModel::reroot(std::optional<NodeId> node) {
    beginResetModel();
    rows_.reroot(node);
    values_.setSelected(std::nullopt);
    forget();
    arrangeBelow(std::nullopt);  // rows that come back may be in the order of before
    endResetModel();
}

void TreeModel::setExpanded(const QModelIndex& index, bool expanded) {
    if (index.isValid() && rows_.setExpanded(nodeOf(index), expanded)) valuesChanged();
}

void TreeModel::expand(const std::vector<NodeId>& nodes) {
    bool changed = false;
    for (const NodeId node : nodes) changed = rows_.setExpanded(node, true) || changed;
    if (changed) valuesChanged();
}

void TreeModel::setAllExpanded(bool expanded) {
    rows_.setAllExpanded(expanded);
    valuesChanged();
}

void TreeModel::setLargestFirst(bool largestFirst) {
    if (largestFirst == largestFirst_) return;
    largestFirst_ = largestFirst;
    arrange();
}

/// By what rows have with everything below them, so that opening one moves none.
void TreeModel::arrangeBelow(std::optional<NodeId> parent) {
    if (!largestFirst_) {
        rows_.arrange(parent, std::less<>());
        return;
    }
    if (!parent && hasSeveralGroups()) return;
    std::map<NodeId, double> sizes;
    for (const NodeId node : parent ? rows_.childrenOf(*parent) : rows_.roots()) {
        const double size = std::abs(values_.inclusive(node));
        sizes[node] = std::isfinite(size) ? size : -1.0;
    }
    rows_.arrange(parent, [&sizes](NodeId one, NodeId other) { return sizes[one] > sizes[other]; });
}

/// Arranges rows that can be seen; or, in the order of the experiment, all.
void TreeModel::arrange() {
    std::vector<std::optional<NodeId>> parents{std::nullopt};
    for (const NodeId node : rows_.ids())
        if (!rows_.childrenOf(node).empty() && (rows_.isExpanded(node) || !largestFirst_))
            parents.emplace_back(node);
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    for (const auto& parent : parents) arrangeBelow(parent);
    QModelIndexList after;
    for (const QModelIndex& index : before) after << indexOf(nodeOf(index), index.column());
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, VerticalSortHint);
}

void TreeModel::setMode(ValueMode mode) {
    if (mode == values_.mode()) return;
    values_.setMode(mode);
    valuesChanged();
}

void TreeModel::setDigits(Digits digits) {
    // Compared as optionals, gcc looks at the numbers that are not there, and valgrind reports that.
    constexpr int kNone = -1;
    if (digits.value_or(kNone) == values_.digits().value_or(kNone)) return;
    values_.setDigits(digits);
    valuesChanged();
}

bool TreeModel::setInSight(Chosen<NodeId> nodes) {
    if (!scale_.setInSight(std::move(nodes))) return false;
    if (other_) tellViews({});
    return true;
}

void TreeModel::setSelected(const QModelIndex& index) {
    const auto now = index.isValid() ? std::optional(nodeOf(index)) : std::nullopt;
    if (now == values_.selected()) return;
    values_.setSelected(now);
    const ValueMode mode = values_.mode();
    if (mode == ValueMode::OfSelection || mode == ValueMode::OfMetric) valuesChanged();
}

void TreeModel::setOwnRange(std::optional<OwnRange> range) {
    scale_.setOwnRange(range);
    valuesChanged();
}

void TreeModel::forget() {
    values_.forget();
    scale_.forget();
}

void TreeModel::valuesChanged() {
    forget();
    if (largestFirst_) arrange();
    tellViews({});
}

/// A change of all rows that can be seen. The top level comes first; one signal is for the children of one
/// node, and nobody has asked for those of a collapsed node yet.
void TreeModel::tellViews(const QList<int>& roles) {
    std::vector<const std::vector<NodeId>*> open{&rows_.roots()};
    for (std::size_t at = 0; at < open.size(); ++at) {
        const std::vector<NodeId>& siblings = *open[at];
        if (siblings.empty()) continue;
        Q_EMIT dataChanged(indexOf(siblings.front(), NameColumn), indexOf(siblings.back(), kColumns - 1),
                           roles);
        for (const NodeId node : siblings)
            if (rows_.isExpanded(node) && !rows_.childrenOf(node).empty())
                open.push_back(&rows_.childrenOf(node));
    }
}

std::vector<NodeId> TreeModel::find(const QString& text) {
    std::vector<NodeId> found = rows_.find(text);
    tellViews({FoundRole});
    return found;
}

void TreeModel::shareScaleWith(TreeModel* other) {
    if (other_ == other) return;
    if (other_) disconnect(other_, nullptr, this, nullptr);
    other_ = other;
    scale_.setPartner(other == nullptr ? nullptr : &other->scale_);
    if (other != nullptr) {
        connect(other, &QAbstractItemModel::dataChanged, this,
                [this](const QModelIndex& first, const QModelIndex&, const QList<int>& roles) {
                    // Once for all its rows, and not when it answers a change of ours.
                    if (!first.parent().isValid() && !roles.contains(ShareRole)) tellViews({ShareRole});
                });
        connect(other, &QObject::destroyed, this, [this] { scale_.setPartner(nullptr); });
    }
    valuesChanged();
}

}  // namespace holos::gui

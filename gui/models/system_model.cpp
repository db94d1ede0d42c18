// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/system_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "algebra/model/queries.h"
#include "algebra/model/statistics.h"
#include "gui/models/counterpart.h"

namespace holos::gui {

using namespace algebra;

namespace {
constexpr qsizetype kMostAttributes = 16;
/// All have one metric.
constexpr NodeId kAnyRow;

/// Of what is no thread.
QString kindText(Location::Type type) {
    if (type == Location::Type::Metric) return u"Carries counters or samples: no thread, in no mean"_qs;
    if (type == Location::Type::AcceleratorStream) return u"Stream of an accelerator: no thread"_qs;
    return {};
}
}  // namespace

QStringList attributeLines(const Attributes& attributes) {
    QStringList lines;
    for (const auto& [name, value] : attributes) {
        if (lines.size() == kMostAttributes) {
            lines << u"…"_qs;
            break;
        }
        lines << u"%1: %2"_qs.arg(QString::fromStdString(name), QString::fromStdString(value));
    }
    return lines;
}

SystemModel::SystemModel(ValueCache& cache)
    : TreeModel(cache), nodes_(cache.experiment().system.locations.size()) {
    const SystemTree& system = cache.experiment().system;
    const LocationGroups threads = locationsByProcess(system);
    std::vector<NodeId> nodes;
    for (const SystemNodeId id : system.nodes.ids()) {
        const auto parent = system.nodes.parent(id);
        nodes.push_back(
            add(id, system.nodes[id].name, parent ? std::optional(nodes[parent->index()]) : std::nullopt));
    }
    for (std::size_t at = 0; at < system.processes.size(); ++at)
        addProcess(ProcessId(at), threads[at], nodes[system.processes[at].node.index()]);
}

NodeId SystemModel::add(Item item, const std::string& name, std::optional<NodeId> parent) {
    if (const auto* location = std::get_if<LocationId>(&item))
        nodes_[location->index()] = NodeId(rows().size());
    items_.push_back(item);
    return addNode(QString::fromStdString(name), parent);
}

void SystemModel::addProcess(ProcessId id, const std::vector<LocationId>& threads, NodeId parent) {
    const SystemTree& system = cache().experiment().system;
    if (threads.size() == 1) {
        add(threads.front(), system[id].name, parent);
        return;
    }
    const NodeId node = add(id, system[id].name, parent);
    for (const LocationId thread : threads) add(thread, system[thread].name, node);
}

void SystemModel::setContext(MetricChoice metric, ChosenPaths paths) {
    metric_ = metric;
    paths_ = std::move(paths);
    inclusive_.clear();
    forgetThere();
    valuesChanged();
}

std::vector<LocationId> SystemModel::locationsBelow(NodeId node) const {
    const SystemTree& system = cache().experiment().system;
    const Item& item = items_[node.index()];
    if (const auto* id = std::get_if<SystemNodeId>(&item)) return locationsOf(system, *id);
    if (const auto* id = std::get_if<ProcessId>(&item)) return locationsOf(system, *id);
    return {std::get<LocationId>(item)};
}

void SystemModel::compute() const {
    own_ = cache().locations(metric_, paths_);
    compared_ = onlyCompared(*own_, comparedLocations(cache().experiment().system, *own_));
    const bool sums = isSumOfParts(cache().experiment().metrics[metric_.metric]);
    inclusive_.assign(items_.size(), sums ? std::optional(0.0) : std::nullopt);
    base_ = cache().total(metric_, paths_);
    for (std::size_t at = items_.size(); at-- > 0;) {
        if (const auto* location = std::get_if<LocationId>(&items_[at]))
            inclusive_[at] = (*own_)[location->index()];
        if (const auto parent = rows().parentOf(NodeId(at)); parent && sums)
            *inclusive_[parent->index()] += *inclusive_[at];
    }
}

double SystemModel::inclusive(NodeId node) const {
    if (inclusive_.empty()) compute();
    auto& value = inclusive_[node.index()];
    if (!value) {
        const auto below = locationsBelow(node);
        value =
            below.empty() ? std::numeric_limits<double>::quiet_NaN() : cache().total(metric_, paths_, below);
    }
    return *value;
}

double SystemModel::value(NodeId node, Extent extent) const {
    if (extent == Extent::Inclusive) return inclusive(node);
    return isSumOfParts(cache().experiment().metrics[metric_.metric])
               ? 0.0
               : std::numeric_limits<double>::quiet_NaN();
}

double SystemModel::valueThere(NodeId node) const {
    Counterpart* other = cache().counterpart();
    if (other == nullptr) return std::numeric_limits<double>::quiet_NaN();
    // What only the other one has is below the root, too.
    if (node == NodeId(0) && cache().experiment().system.nodes.roots().size() == 1)
        return other->total(metric_, paths_, kAll);
    const std::vector<LocationId> below = locationsBelow(node);
    if (!isSumOfParts(cache().experiment().metrics[metric_.metric]))
        return other->total(metric_, paths_, below);
    if (there_.empty()) there_ = other->locations(metric_, paths_);
    double sum = 0.0;
    for (const LocationId location : below) sum += there_[location.index()];
    return sum;
}

double SystemModel::percentBase(NodeId) const {
    if (inclusive_.empty()) compute();
    return base_;
}

double SystemModel::metricBase(NodeId) const {
    return cache().metric(metric_);
}

MetricId SystemModel::metricIdOf(NodeId) const {
    return metric_.metric;
}

bool SystemModel::isPeer(NodeId node) const {
    const auto* location = std::get_if<LocationId>(&items_[node.index()]);
    return location == nullptr || std::isfinite(comparedValues()[location->index()]);
}

QModelIndex SystemModel::largestLocation() const {
    std::optional<NodeId> largest;
    double magnitude = -1.0;
    for (const NodeId node : rows().ids()) {
        if (!std::holds_alternative<LocationId>(items_[node.index()])) continue;
        const double here = std::abs(value(node, Extent::Inclusive));
        if (here > magnitude) {
            magnitude = here;
            largest = node;
        }
    }
    return largest ? indexOf(*largest) : QModelIndex();
}

QModelIndex SystemModel::indexOfLocation(LocationId location) const {
    return indexOf(nodes_[location.index()]);
}

QModelIndex SystemModel::indexOfLocations(const std::vector<LocationId>& locations) const {
    if (locations.empty()) return {};
    const QModelIndex first = indexOfLocation(locations.front());
    const QModelIndex above = first.parent();
    return locations.size() > 1 && above.isValid() && locationsAt(above) == locations ? above : first;
}

QString SystemModel::namesOf(const std::vector<LocationId>& locations) const {
    const QModelIndex row = indexOfLocations(locations);
    if (!row.isValid() || locationsAt(row) != locations) {
        const SystemTree& system = cache().experiment().system;
        const auto threads =
            std::ranges::count_if(locations, [&](LocationId each) { return isThread(system[each]); });
        return threads > 0 ? counted(static_cast<std::uint64_t>(threads), u"thread"_qs, u"threads"_qs)
                           : counted(locations.size(), u"location"_qs, u"locations"_qs);
    }
    const QString name = row.data().toString();
    const Item& above =
        row.parent().isValid() ? items_[nodeOf(row.parent()).index()] : items_[nodeOf(row).index()];
    return std::holds_alternative<ProcessId>(above) && row.parent().isValid()
               ? row.parent().data().toString() + u", "_qs + name
               : name;
}

std::vector<LocationId> SystemModel::locationsAt(const QModelIndex& index) const {
    return locationsBelow(nodeOf(index));
}

const std::vector<double>& SystemModel::locationValues() const {
    if (inclusive_.empty()) compute();
    return *own_;
}

const std::vector<double>& SystemModel::comparedValues() const {
    if (inclusive_.empty()) compute();
    return compared_;
}

Writing SystemModel::locationWriting(bool averages) const {
    double largest = 0.0;
    double smallest = std::numeric_limits<double>::infinity();
    for (const double value : comparedValues()) {
        if (!std::isfinite(value)) continue;
        largest = std::max(largest, std::abs(value));
        smallest = std::min(smallest, value);
    }
    if (values().percentApplies(kAnyRow) && values().mode() == ValueMode::PeerRange)
        return {QuantityFormat::percent(values().digits()), largest > smallest ? largest - smallest : 1.0,
                std::isfinite(smallest) ? smallest : 0.0};
    if (values().percentApplies(kAnyRow)) {
        const double whole = values().mode() == ValueMode::OfPeers ? largest : values().base(kAnyRow);
        return {QuantityFormat::percent(values().digits(), largest / std::abs(whole)), whole};
    }
    const Metric& metric = cache().experiment().metrics[metric_.metric];
    const QString unit = QString::fromStdString(metric.unit);
    if (metric.origin == Origin::Ratio) return {QuantityFormat::ratio(unit, values().digits())};
    return {QuantityFormat::absolute(unit, largest, isWhole(metric) && !averages, values().digits())};
}

std::vector<double> SystemModel::valuesOf(const LocationGroups& groups) const {
    const std::vector<double>& own = locationValues();
    if (!isSumOfParts(cache().experiment().metrics[metric_.metric]))
        return cache().groups(metric_, groups, paths_);
    std::vector<double> sums;
    for (const auto& locations : groups) {
        double& sum = sums.emplace_back(0.0);
        for (const LocationId location : locations) sum += own[location.index()];
    }
    return sums;
}

const Attributes& SystemModel::attributesOf(LocationId location) const {
    return cache().experiment().system[location].attributes;
}

QString SystemModel::whyNothingIsCompared() const {
    const bool haveOthers =
        std::ranges::any_of(locationValues(), [](double value) { return std::isfinite(value); });
    return cache().insteadOfValues(
        metric_.metric,
        haveOthers
            ? u"No thread has a value of this metric. The tree and the table show those of other locations"_qs
            : u"No thread has a value of this metric"_qs);
}

QString SystemModel::toolTip(NodeId node) const {
    const SystemTree& system = cache().experiment().system;
    QStringList lines{rows().pathOf(node)};
    if (const auto* id = std::get_if<SystemNodeId>(&items_[node.index()])) {
        const SystemNode& place = system.nodes[*id];
        if (!place.description.empty()) lines << QString::fromStdString(place.description);
        lines += attributeLines(place.attributes);
    } else if (const auto* process = std::get_if<ProcessId>(&items_[node.index()])) {
        lines += attributeLines(system[*process].attributes);
    } else {
        const LocationId location = std::get<LocationId>(items_[node.index()]);
        if (const QString kind = kindText(system[location].type); !kind.isEmpty()) lines << kind;
        lines += attributeLines(attributesOf(location));
    }
    lines << values().describe(node);
    return lines.join(u'\n');
}

LocationModel::LocationModel(ValueCache& cache, const SystemModel& system) : cache_(cache), system_(system) {}

int LocationModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(values_.size());
}

int LocationModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

void LocationModel::update() {
    writing_ = system_.locationWriting();
    compared_ = system_.comparedValues();
    const Statistics spread = statisticsOf(compared_);
    mean_ = spread.count == 0 ? 0.0 : spread.mean;
    const bool first = values_.empty();
    if (first) beginResetModel();
    values_ = system_.locationValues();
    if (first) endResetModel();
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, ValueColumn), index(rowCount() - 1, DeviationColumn));
}

bool LocationModel::hasSeveralNodes() const {
    const auto& processes = cache_.experiment().system.processes;
    return std::ranges::any_of(
        processes, [&](const Process& process) { return process.node != processes.front().node; });
}

QVariant LocationModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    if (role == Qt::DisplayRole) return text(index);
    if (role == kSortRole) return sortKey(index);
    if (role == Qt::TextAlignmentRole && index.column() >= ValueColumn)
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

QString LocationModel::text(const QModelIndex& index) const {
    const SystemTree& system = cache_.experiment().system;
    const Location& location = system.locations[static_cast<std::size_t>(index.row())];
    const Process& process = system[location.process];
    const double value = values_[static_cast<std::size_t>(index.row())];
    switch (index.column()) {
        case NodeColumn:
            return QString::fromStdString(system.nodes[process.node].name);
        case ProcessColumn:
            return QString::fromStdString(process.name);
        case ThreadColumn:
            return QString::fromStdString(location.name);
        case ValueColumn:
            return isPending(value) ? QString(kPending) : writing_.text(value);
        default:
            if (isPending(value)) return kPending;
            return mean_ == 0.0 || std::isnan(comparedAt(index.row()))
                       ? QString(kUndefined)
                       : percentage((value - mean_) / std::abs(mean_), system_.values().digits());
    }
}

bool LocationModel::isPending(double value) const {
    return std::isnan(value) && system_.isReading();
}

QVariant LocationModel::sortKey(const QModelIndex& index) const {
    const SystemTree& system = cache_.experiment().system;
    const Location& location = system.locations[static_cast<std::size_t>(index.row())];
    switch (index.column()) {
        case ProcessColumn:
            return static_cast<qlonglong>(system[location.process].rank);
        case ThreadColumn:
            return static_cast<qlonglong>(location.rank);
        case NodeColumn:
            return text(index);
        case DeviationColumn:
            return (comparedAt(index.row()) - mean_) / std::abs(mean_);
        default:
            return values_[static_cast<std::size_t>(index.row())];
    }
}

bool LocationModel::isBefore(int column, int row, int other) const {
    if (column == ValueColumn || column == DeviationColumn) {
        const auto& values = column == ValueColumn ? values_ : compared_;
        const double mine = values[static_cast<std::size_t>(row)];
        const double theirs = values[static_cast<std::size_t>(other)];
        return std::isnan(mine) ? !std::isnan(theirs) : mine < theirs;
    }
    return QVariant::compare(sortKey(index(row, column)), sortKey(index(other, column))) ==
           QPartialOrdering::Less;
}

QVariant LocationModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static const std::array kTitles{u"Node"_qs, u"Process"_qs, u"Thread"_qs, u"Value"_qs, u"From mean"_qs};
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= kColumns)
        return {};
    return kTitles[static_cast<std::size_t>(section)];
}

}  // namespace holos::gui

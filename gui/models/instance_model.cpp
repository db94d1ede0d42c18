// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/instance_model.h"

#include <algorithm>
#include <set>

#include "algebra/model/call_names.h"
#include "gui/models/plain_text.h"
#include "gui/models/quantity.h"

namespace holos::gui {

using namespace algebra;

namespace {

/// Of instances from long to short.
QuantityFormat formatOf(const std::vector<WaitInstance>& instances, Digits digits) {
    const double longest = instances.empty() ? 0.0 : instances.front().wait;
    return QuantityFormat::absolute(u"sec"_qs, longest, false, digits);
}

}  // namespace

InstanceModel::InstanceModel(const Experiment& experiment)
    : experiment_(experiment), shortNames_(shortNamesOf(experiment)), all_(instancesOf(experiment)) {
    for (const WaitInstance& instance : all_)
        if (const auto [known, isNew] = paths_.try_emplace(instance.callPath); isNew)
            known->second = callPathNamed(experiment_, instance.callPath);
    std::ranges::stable_sort(all_, std::ranges::greater(), &WaitInstance::wait);
    for (std::size_t at = 0; at < all_.size(); ++at) shown_.push_back(at);
    format_ = formatOf(all_, digits_);
}

void InstanceModel::setDigits(Digits digits) {
    if (digits == digits_) return;
    digits_ = digits;
    format_ = formatOf(all_, digits_);
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, WaitColumn), index(rowCount() - 1, WaitColumn));
}

void InstanceModel::setWholeNames(bool whole) {
    if (whole == wholeNames_) return;
    wholeNames_ = whole;
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, CallPathColumn), index(rowCount() - 1, CallPathColumn));
}

int InstanceModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

int InstanceModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

QString InstanceModel::callPathName(int row, bool fromRoot) const {
    const std::optional<CallPathId> path = callPathOf(at(row));
    if (!path) return QString::fromStdString(at(row).callPath);
    if (fromRoot)
        return QString::fromStdString(wholeNames_ ? callPathText(experiment_, *path)
                                                  : callPathText(experiment_, *path, shortNames_));
    const std::string& name = experiment_.regionOf(*path).name;
    return QString::fromStdString(
        callText(wholeNames_ ? name : shortNames_.of(name), experiment_.callTree[*path]));
}

QString InstanceModel::text(int row, int column) const {
    const WaitInstance& instance = at(row);
    switch (column) {
        case WaitColumn:
            return format_.text(instance.wait);
        case MetricColumn: {
            const auto metric = experiment_.findMetric(instance.metric);
            return QString::fromStdString(metric ? experiment_.metrics[*metric].displayName
                                                 : instance.metric);
        }
        case LocationColumn:
            return QString::fromStdString(instance.location);
        case CallPathColumn:
            return callPathName(row, false);
        case BeginColumn:
            return momentText(instance.begin);
        default:
            return {};
    }
}

QVariant InstanceModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const WaitInstance& instance = at(index.row());
    if (role == Qt::DisplayRole) return text(index.row(), index.column());
    if (role == Qt::TextAlignmentRole && (index.column() == WaitColumn || index.column() == BeginColumn))
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        QString tip = callPathName(index.row(), true);
        if (!instance.awaited.empty()) tip += u"\nwaits for "_qs + QString::fromStdString(instance.awaited);
        return asToolTip(tip);
    }
    return {};
}

QVariant InstanceModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    static const QStringList kNames{u"Waits"_qs, u"Who"_qs, u"Pattern"_qs, u"Where"_qs, u"Since"_qs};
    return kNames.value(section);
}

void InstanceModel::setMetric(MetricId metric) {
    std::set<std::string> names;
    std::vector<MetricId> open{metric};
    while (!open.empty()) {
        const MetricId at = open.back();
        open.pop_back();
        names.insert(experiment_.metrics[at].uniqueName);
        const auto& children = experiment_.metrics.children(at);
        open.insert(open.end(), children.begin(), children.end());
    }
    std::vector<std::size_t> of, every;
    for (std::size_t at = 0; at < all_.size(); ++at) {
        every.push_back(at);
        if (names.contains(all_[at].metric)) of.push_back(at);
    }
    std::vector<std::size_t>& wanted = of.empty() ? every : of;
    if (wanted == shown_) return;
    beginResetModel();
    shown_ = std::move(wanted);
    endResetModel();
}

int InstanceModel::rowOf(CallPathId path) const {
    for (int row = 0; row < rowCount(); ++row)
        if (callPathOf(at(row)) == path) return row;
    return -1;
}

std::optional<CallPathId> InstanceModel::callPathOf(const WaitInstance& instance) const {
    const auto known = paths_.find(instance.callPath);
    return known == paths_.end() ? std::nullopt : known->second;
}

}  // namespace holos::gui

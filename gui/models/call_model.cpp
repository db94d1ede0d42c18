// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/call_model.h"

#include <algorithm>
#include <cmath>

namespace holos::gui {

using namespace algebra;

namespace {

/// The part of the whole that makes a call path a hot spot.
constexpr double kHot = 0.01;

QString place(const std::string& file, std::int64_t line) {
    const QString name = QString::fromStdString(file);
    return line < 0 ? name : name + u':' + QString::number(line);
}

double sizeOf(CallPathId path, const std::vector<double>& values) {
    const double size = std::abs(values[path.index()]);
    return std::isfinite(size) ? size : 0.0;
}

/// The first of equal ones.
std::optional<CallPathId> largestOf(const std::vector<CallPathId>& paths, const std::vector<double>& values) {
    const auto found =
        std::ranges::max_element(paths, {}, [&values](CallPathId path) { return sizeOf(path, values); });
    return found == paths.end() ? std::nullopt : std::optional(*found);
}

}  // namespace

CallModel::CallModel(ValueCache& cache) : ProgramModel(cache) {
    const Experiment& experiment = cache.experiment();
    for (const CallPathId path : experiment.callTree.ids()) {
        const auto parent = experiment.callTree.parent(path);
        addNode(callName(experiment, path), parent ? std::optional(NodeId(parent->index())) : std::nullopt);
    }
}

CallPathId CallModel::pathAt(const QModelIndex& index) const {
    return CallPathId(nodeOf(index).index());
}

QModelIndex CallModel::indexOfPath(CallPathId path) const {
    return indexOf(NodeId(path.index()));
}

std::vector<CallPathChoice> CallModel::choices(const QModelIndex& index) const {
    return {{pathAt(index), rows().extentOf(nodeOf(index))}};
}

std::vector<CallPathId> CallModel::hotSpots() const {
    const std::vector<double>& own = pathValues(Extent::Exclusive);
    const auto size = [&own](CallPathId path) { return std::abs(own[path.index()]); };
    double whole = 0.0;
    for (const double value : own)
        if (std::isfinite(value)) whole += std::abs(value);
    std::vector<CallPathId> found;
    for (const CallPathId path : cache().experiment().callTree.ids())
        if (size(path) > 0.0 && size(path) >= kHot * whole) found.push_back(path);
    std::ranges::stable_sort(found, [&](CallPathId a, CallPathId b) { return size(a) > size(b); });
    return found;
}

/// Sums may cancel out where values are negative, so a call path without any is gone through, too.
std::optional<CallPathId> CallModel::hottest() const {
    const CallTree& calls = cache().experiment().callTree;
    const std::vector<double>& inclusive = pathValues(Extent::Inclusive);
    const std::vector<double>& own = pathValues(Extent::Exclusive);
    std::optional<CallPathId> end = largestOf(calls.roots(), inclusive);
    while (end) {
        const auto next = largestOf(calls.children(*end), inclusive);
        if (!next || sizeOf(*next, inclusive) == 0.0 || sizeOf(*next, inclusive) < sizeOf(*end, own)) break;
        end = next;
    }
    return end && sizeOf(*end, inclusive) > 0.0 ? end : std::nullopt;
}

void CallModel::setNotes(const PathNotes& notes) {
    if (notes == notes_) return;
    notes_ = notes;
    noted_.clear();
    for (const auto& [key, text] : notes)
        if (const auto node = rows().withKey(key)) noted_.emplace(*node, text);
    if (!cache().experiment().metrics.empty()) valuesChanged();
}

QString CallModel::shownName(NodeId node) const {
    const QString name = ProgramModel::shownName(node);
    return noted_.contains(node) ? name + u" ⚑"_qs : name;
}

double CallModel::value(NodeId node, Extent extent) const {
    return pathValues(extent)[node.index()];
}

std::vector<CallPathChoice> CallModel::everythingOf(NodeId node) const {
    return {{CallPathId(node.index()), Extent::Inclusive}};
}

QString CallModel::toolTip(NodeId node) const {
    const Experiment& experiment = cache().experiment();
    const CallPathId path(node.index());
    const CallPath& call = experiment.callTree[path];
    const Region& region = experiment.regionOf(path);
    QString text = rows().pathOf(node);
    if (const auto note = noted_.find(node); note != noted_.end()) text = note->second + u"\n\n"_qs + text;
    if (!region.module.empty()) text += u"\nDefined in "_qs + place(region.module, region.beginLine);
    if (!call.module.empty() || call.line >= 0) text += u"\nCalled at "_qs + place(call.module, call.line);
    return text + u'\n' + values().describe(node);
}

}  // namespace holos::gui

// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/csv.h"

#include <cmath>

namespace holos::gui {

namespace {

constexpr int kAllDigits = 17;

QString quoted(QString text) {
    return u'"' + text.replace(u'"', u"\"\""_qs) + u'"';
}

}  // namespace

QString visibleRowsAsCsv(const TreeModel& model) {
    QString table = u"level,name,value,unit,shown\n"_qs;
    for (const int node : model.visibleNodes()) {
        const QModelIndex at = model.indexOf(node);
        const double value = at.data(TreeModel::ValueRole).toDouble();
        const QString shown = at.siblingAtColumn(TreeModel::ValueColumn).data().toString() + u' ' +
                              at.data(TreeModel::UnitRole).toString();
        table += u"%1,%2,%3,%4,%5\n"_qs.arg(
            QString::number(model.depthOf(node)), quoted(at.data().toString()),
            std::isnan(value) ? QString() : QString::number(value, 'g', kAllDigits),
            quoted(model.fileUnitOf(node)), quoted(shown.trimmed()));
    }
    return table;
}

}  // namespace holos::gui

// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/csv.h"

#include <cmath>

namespace holos::gui {

namespace {

constexpr int kAllDigits = 17;

}  // namespace

QString csvField(QString text) {
    return u'"' + text.replace(u'"', u"\"\""_qs) + u'"';
}

QString visibleRowsAsCsv(const TreeModel& model) {
    QString table = u"level,name,value,unit,shown\n"_qs;
    for (const int node : model.visibleNodes()) {
        const QModelIndex at = model.indexOf(node);
        const double value = at.data(TreeModel::ValueRole).toDouble();
        const QString shown = at.siblingAtColumn(TreeModel::ValueColumn).data().toString() + u' ' +
                              at.data(TreeModel::UnitRole).toString();
        table += u"%1,%2,%3,%4,%5\n"_qs.arg(
            QString::number(model.depthOf(node)), csvField(at.data().toString()),
            std::isnan(value) ? QString() : QString::number(value, 'g', kAllDigits),
            csvField(model.fileUnitOf(node)), csvField(shown.trimmed()));
    }
    return table;
}

}  // namespace holos::gui

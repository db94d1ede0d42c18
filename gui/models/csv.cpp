// SPDX-License-Identifier: BSD-3-Clause
#include "gui/models/csv.h"

#include "base/csv.h"

namespace holos::gui {

QString csvText(const QString& text) {
    return QString::fromStdString(csvField(text.toStdString()));
}

QString csvNumber(double value) {
    return QString::fromStdString(csvField(value));
}

QString visibleRowsAsCsv(const TreeModel& model) {
    QString table = u"level,name,value,unit,shown\n"_qs;
    for (const NodeId node : model.rows().visible()) {
        const QModelIndex at = model.indexOf(node);
        const QString shown = at.siblingAtColumn(TreeModel::ValueColumn).data().toString() + u' ' +
                              at.data(TreeModel::UnitRole).toString();
        const QStringList fields{QString::number(model.rows().depthOf(node)), csvText(at.data().toString()),
                                 csvNumber(at.data(TreeModel::ValueRole).toDouble()),
                                 csvText(QString::fromStdString(model.values().metricOf(node).unit)),
                                 csvText(shown.trimmed())};
        table += fields.join(u',') + u'\n';
    }
    return table;
}

QString tableAsCsv(const QAbstractItemModel& table) {
    QStringList fields;
    for (int column = 0; column < table.columnCount(); ++column)
        fields << csvText(table.headerData(column, Qt::Horizontal).toString());
    QString text = fields.join(u',') + u'\n';
    for (int row = 0; row < table.rowCount(); ++row) {
        fields.clear();
        for (int column = 0; column < table.columnCount(); ++column) {
            const QModelIndex at = table.index(row, column);
            const QVariant value = at.data(TreeModel::ValueRole);
            fields << (value.typeId() == QMetaType::Double ? csvNumber(value.toDouble())
                                                           : csvText(at.data().toString()));
        }
        text += fields.join(u',') + u'\n';
    }
    return text;
}

}  // namespace holos::gui

// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/parts/value_delegate.h"

#include <QApplication>
#include <QPainter>
#include <QTableView>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/models/tree_model.h"
#include "gui/views/parts/colors.h"
#include "gui/views/parts/fitting.h"

namespace holos::gui {

namespace {

constexpr int kCellGap = 6;
constexpr int kNameGap = 8;  ///< between the widest name and the bars
/// Bars have one quiet tone, a part of the scale's middle, so that digits stay readable; boxes have the
/// colours.
constexpr double kBarTone = 0.5;
constexpr double kBarStrength = 0.35;

QColor faint(const QPalette& palette) {
    return mixed(palette.color(QPalette::Text), palette.color(QPalette::Base), 0.5);
}

int unitWidth(const QFontMetrics& metrics, bool whole) {
    return metrics.horizontalAdvance(whole ? u"M occ."_qs : u"MM"_qs);
}

/// The prefix, which the number needs, and the rest only where there is room.
QString shortUnit(const QString& unit, const QFontMetrics& metrics) {
    const QString first = unit.section(kThinSpace, 0, 0);
    return metrics.horizontalAdvance(first) <= unitWidth(metrics, false) - 2 ? first : QString();
}

int boxSide(const QFontMetrics& metrics) {
    return metrics.ascent() - 1;
}

void paintBackground(QPainter* painter, const QStyleOptionViewItem& option) {
    QStyleOptionViewItem ground = option;
    ground.text.clear();
    const QStyle* style = option.widget ? option.widget->style() : QApplication::style();
    style->drawPrimitive(QStyle::PE_PanelItemViewItem, &ground, painter, option.widget);
}

/// The names of rows nearby that have the same parent.
QStringList siblings(const QModelIndex& index) {
    constexpr int kNearby = 100;
    QStringList names;
    const int end = std::min(index.row() + kNearby, index.model()->rowCount(index.parent()));
    for (int row = std::max(0, index.row() - kNearby); row < end; ++row)
        if (row != index.row())
            names << index.sibling(row, TreeModel::NameColumn).data(TreeModel::ShownNameRole).toString();
    return names;
}

}  // namespace

void ValueDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const {
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    item.state &= ~QStyle::State_HasFocus;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    paintBackground(painter, item);
    if (index.column() == TreeModel::NameColumn)
        paintName(painter, item, index);
    else if (index.column() == TreeModel::ValueColumn || bars_ == Bars::InEachColumn)
        paintValue(painter, item, index);
    else
        paintMore(painter, item, index);
    painter->restore();
}

void ValueDelegate::paintName(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const {
    const double share = index.data(TreeModel::ShareRole).toDouble();
    const int side = boxSide(option.fontMetrics);
    const QRectF box(option.rect.left() + 2.5, option.rect.center().y() - side * 0.5 + 0.5, side, side);
    painter->setPen(
        QPen(mixed(option.palette.color(QPalette::Base), option.palette.color(QPalette::Text), 0.28)));
    if (!std::isnan(share) && share != 0.0)
        painter->setBrush(
            colors_.on(option.palette).color(share, index.data(TreeModel::SignedRole).toBool()));
    painter->drawRoundedRect(box, 2, 2);

    QFont font = option.font;
    font.setItalic(index.data(TreeModel::IncompleteRole).toBool());
    font.setBold(index.data(TreeModel::FoundRole).toBool());
    const QFontMetrics metrics(font);
    const QRect text = option.rect.adjusted(side + kCellGap + 4, 0, -2, 0);
    const bool nothing = std::isnan(share) || share == 0.0;
    painter->setFont(font);
    painter->setPen(nothing ? faint(option.palette) : option.palette.color(QPalette::Text));
    const QVariant shown = index.data(TreeModel::ShownNameRole);
    const QString name = shown.isValid() ? shown.toString() : option.text;
    const bool fits = metrics.horizontalAdvance(name) <= text.width();
    painter->drawText(text, Qt::AlignVCenter | Qt::TextSingleLine,
                      fits ? name : elidedAmong(siblings(index), name, metrics, text.width()));
}

void ValueDelegate::paintValue(QPainter* painter, const QStyleOptionViewItem& option,
                               const QModelIndex& index) const {
    const double share = index.data(TreeModel::ShareRole).toDouble();
    const bool nothing = std::isnan(share) || share == 0.0;
    const QRect cell = option.rect.adjusted(kCellGap, 0, -kCellGap, 0);
    const bool wholeUnits = option.rect.width() >= valueWidth(option.fontMetrics, true);
    const int units = unitWidth(option.fontMetrics, wholeUnits);
    const QRect number(cell.left(), cell.top(), numberWidth(option.rect.width(), option.fontMetrics),
                       cell.height());
    if (!nothing) {
        const QColor full =
            colors_.on(option.palette)
                .color(std::copysign(kBarTone, share), index.data(TreeModel::SignedRole).toBool());
        const QColor color = mixed(option.palette.color(QPalette::Base), full, kBarStrength);
        const QRectF bar(cell.left(), cell.top() + 2.0, std::abs(share) * (number.width() + 4),
                         cell.height() - 4.0);
        painter->setPen(Qt::NoPen);
        painter->setBrush(color);
        painter->drawRoundedRect(bar, 1.5, 1.5);
    }
    painter->setPen(nothing ? faint(option.palette) : option.palette.color(QPalette::Text));
    painter->drawText(number, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine,
                      numberIn(option.rect.width(), option.fontMetrics, index));
    painter->setPen(faint(option.palette));
    QString unit = index.data(TreeModel::UnitRole).toString();
    if (!wholeUnits) unit = shortUnit(unit, option.fontMetrics);
    const QRect place(number.right() + kCellGap + 1, cell.top(), units - 1, cell.height());
    painter->drawText(place, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                      option.fontMetrics.elidedText(unit, Qt::ElideRight, place.width()));
}

void ValueDelegate::paintMore(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const {
    const QRect cell = option.rect.adjusted(kCellGap, 0, -kCellGap, 0);
    const QStringList texts = index.data(TreeModel::NotationsRole).toStringList();
    const double value = index.data(TreeModel::ValueRole).toDouble();
    painter->setPen(value == 0.0 || std::isnan(value) ? faint(option.palette)
                                                      : option.palette.color(QPalette::Text));
    painter->drawText(cell, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine,
                      texts.isEmpty() ? QString() : fitting(texts, option.fontMetrics, cell.width()));
}

QSize ValueDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
    return {10, option.fontMetrics.height() + 5};
}

bool ValueDelegate::setDigits(Digits digits) {
    return std::exchange(digits_, digits) != digits;
}

int ValueDelegate::numberWidth(int width, const QFontMetrics& metrics) const {
    return width - 2 * kCellGap - unitWidth(metrics, width >= valueWidth(metrics, true));
}

QString ValueDelegate::numberIn(int width, const QFontMetrics& metrics, const QModelIndex& index) const {
    const QString text = index.data().toString();
    const int room = numberWidth(width, metrics);
    if (metrics.horizontalAdvance(text) <= room) return text;
    return fitting(index.data(TreeModel::NotationsRole).toStringList(), metrics, room);
}

int ValueDelegate::nameWidth(const QFontMetrics& metrics, const QModelIndex& index) const {
    const QString name = index.data(TreeModel::ShownNameRole).toString();
    return boxSide(metrics) + kCellGap + 4 + metrics.horizontalAdvance(name) + 2 + kNameGap;
}

int ValueDelegate::valueWidth(const QFontMetrics& metrics, bool wholeUnits) const {
    const QString decimals(std::max(kUsualDigits, digits_.value_or(kUsualDigits)) - 1, u'0');
    return metrics.horizontalAdvance(u"\u2212000. "_qs + decimals) + unitWidth(metrics, wholeUnits) +
           2 * kCellGap;
}

int ValueDelegate::leastWidth(const QFontMetrics& metrics, int column) {
    if (column == TreeModel::ValueColumn)
        return metrics.horizontalAdvance(u"\u22120.00"_qs) + unitWidth(metrics, false) + 2 * kCellGap;
    return metrics.horizontalAdvance(u"\u22120.00 ms"_qs) + 2 * kCellGap;
}

int ValueDelegate::moreWidth(const QFontMetrics& metrics, const QModelIndex& index) {
    return metrics.horizontalAdvance(index.data().toString()) + 2 * kCellGap;
}

void NumberDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const {
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    const QStyle* style = item.widget ? item.widget->style() : QApplication::style();
    const int margin = style->pixelMetric(QStyle::PM_FocusFrameHMargin, &item, item.widget) + 1;
    item.text = fitting({item.text}, item.fontMetrics, item.rect.width() - 2 * margin);
    style->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);
}

void growColumns(QTableView& table, std::initializer_list<int> columns) {
    for (const int column : columns) {
        const int needed = static_cast<const QAbstractItemView&>(table).sizeHintForColumn(column);
        if (needed > table.columnWidth(column)) table.setColumnWidth(column, needed);
    }
}

}  // namespace holos::gui

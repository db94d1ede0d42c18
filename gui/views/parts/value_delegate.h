// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QStyledItemDelegate>

#include "gui/models/quantity.h"

class QTableView;

namespace holos::gui {

class Colors;

/// Paints a row of a `TreeModel`: a colour box and the name, or the number with its unit over a bar.
/// What it paints comes from the model's roles alone.
class ValueDelegate : public QStyledItemDelegate {
  public:
    /// Which columns are values with bars; others have numbers alone.
    enum class Bars : unsigned char { InValueColumn, InEachColumn };
    /// `colors` must outlive the delegate.
    ValueDelegate(const Colors& colors, QObject* parent, Bars bars = Bars::InValueColumn)
        : QStyledItemDelegate(parent), colors_(colors), bars_(bars) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

    /// How many digits numbers have. True when they had others before.
    bool setDigits(Digits digits);
    /// The width that a value column needs in this font. A column without room for
    /// whole units shows their prefixes.
    int valueWidth(const QFontMetrics& metrics, bool wholeUnits) const;
    /// The width in which a column still has numbers of two or three digits.
    static int leastWidth(const QFontMetrics& metrics, int column);
    /// The width that the number of a cell behind the value needs.
    static int moreWidth(const QFontMetrics& metrics, const QModelIndex& index);
    /// The width that a row's name needs with the box before it.
    int nameWidth(const QFontMetrics& metrics, const QModelIndex& index) const;
    /// The number as it is written in a value column of this width.
    QString numberIn(int width, const QFontMetrics& metrics, const QModelIndex& index) const;

  private:
    void paintName(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    void paintValue(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    void paintMore(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;

    /// Left of the units.
    int numberWidth(int width, const QFontMetrics& metrics) const;

    const Colors& colors_;
    Bars bars_;
    Digits digits_;
};

/// Paints a number of a table whole, or the sign for what is left out: never a part of its digits.
class NumberDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

/// Makes these columns as wide as their numbers; none becomes narrower.
void growColumns(QTableView& table, std::initializer_list<int> columns);

}  // namespace holos::gui

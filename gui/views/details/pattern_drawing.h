// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <QTextObjectInterface>

#include "algebra/model/metric_guide.h"

class QTextCursor;

namespace holos::gui {

class Colors;

/// Draws pattern pictures as parts of a text: lanes below each other, time from left to right, the waiting in
/// the colour of large values.
class PatternDrawing : public QObject, public QTextObjectInterface {
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)
  public:
    /// For the text of this widget, whose font and palette it takes. The colours must outlive it.
    PatternDrawing(const Colors& colors, QWidget* owner);

    /// Puts a picture where the cursor is, in a document that `registerHandler` was called for.
    static void insert(QTextCursor& cursor, const algebra::Picture& picture);
    static constexpr int kObjectType = QTextFormat::UserObject + 1;

    QSizeF intrinsicSize(QTextDocument* document, int position, const QTextFormat& format) override;
    void drawObject(QPainter* painter, const QRectF& rect, QTextDocument* document, int position,
                    const QTextFormat& format) override;

  private:
    double laneHeight() const;
    double nameWidth(const algebra::Picture& picture) const;
    void paintLane(QPainter& painter, const QRectF& place, const algebra::Lane& lane) const;
    void paintArrow(QPainter& painter, QPointF from, QPointF to) const;

    const Colors& colors_;
    const QWidget& owner_;
};

}  // namespace holos::gui

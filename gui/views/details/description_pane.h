// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <QTextBrowser>
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

/// What the selected metric is: its name, where its values come from, a picture of its pattern, its
/// description and its formula.
class DescriptionPane : public QTextBrowser {
  public:
    /// The colours and the guide must outlive the pane.
    DescriptionPane(const Colors& colors, const algebra::MetricGuide& guide, QWidget* parent = nullptr);

    /// `reason` says why the metric has no values, `lack` what it lacks to be complete; empty when nothing.
    void describe(const algebra::Metric& metric, const QString& reason, const QString& lack);

  private:
    const algebra::MetricGuide& guide_;
};

}  // namespace holos::gui

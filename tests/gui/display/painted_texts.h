// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QPaintDevice>
#include <QPaintEngine>
#include <QStringList>

namespace holos::gui::testing {

/// A paper without colours: it keeps the texts that are painted on it, in the order of painting.
class PaintedTexts : public QPaintDevice {
  public:
    /// As large as what is painted on it.
    explicit PaintedTexts(QSize size) : size_(size) {}

    const QStringList& texts() const { return pen_.texts; }
    QPaintEngine* paintEngine() const override { return &pen_; }

  protected:
    int metric(PaintDeviceMetric which) const override;

  private:
    struct Pen : QPaintEngine {
        Pen() : QPaintEngine(AllFeatures) {}
        bool begin(QPaintDevice*) override { return true; }
        bool end() override { return true; }
        void updateState(const QPaintEngineState&) override {}
        void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
        void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
        void drawPath(const QPainterPath&) override {}
        void drawTextItem(const QPointF&, const QTextItem& item) override { texts << item.text(); }
        Type type() const override { return User; }

        QStringList texts;
    };

    QSize size_;
    mutable Pen pen_;
};

}  // namespace holos::gui::testing

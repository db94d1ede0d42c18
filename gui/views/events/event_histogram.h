// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QWidget>

#include "gui/models/events/event_question.h"
#include "gui/models/events/event_spread.h"

namespace holos::gui {

/// How the values of a column of events are spread: a bar for each class, with its numbers in the tool tip. A
/// click shows the rows of a bar alone.
class EventHistogram : public QWidget {
    Q_OBJECT
  public:
    explicit EventHistogram(QWidget* parent = nullptr);

    /// `name`: of the column, which is in `unit`.
    void setSpread(const EventSpread& spread, const QString& name, EventUnit unit);
    void clear();
    const std::vector<EventSpread::Bar>& bars() const { return bars_; }
    QRectF barRect(std::size_t bar) const;
    /// What the tool tip says of a bar.
    QString textOf(std::size_t bar) const;
    QSize sizeHint() const override { return {230, 160}; }

  Q_SIGNALS:
    /// From `from` on, and below `to`.
    void wanted(double from, double to);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

  private:
    QString valueText(double value) const;
    std::optional<std::size_t> barAt(double x) const;

    std::vector<EventSpread::Bar> bars_;
    std::uint64_t most_ = 0;  ///< rows in a bar
    double least_ = 0.0;
    double largest_ = 0.0;
    QString name_;
    EventUnit unit_ = EventUnit::Number;
};

}  // namespace holos::gui

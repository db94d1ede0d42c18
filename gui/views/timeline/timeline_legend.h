// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QLabel>

#include "gui/models/timeline/timeline_picture.h"

namespace holos::gui {

/// What the colours of a timeline mean: activities, or in a heat map the share of each moment.
class TimelineLegend : public QLabel {
    Q_OBJECT
  public:
    explicit TimelineLegend(QWidget* parent = nullptr);
    void setColors(TimelineColors colors);
    /// What is drawn over the lines.
    void setMarks(TimelineMarks marks);
    /// The trace tells when threads had no processor.
    void setKnowsShortages(bool knows);

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void write();

    TimelineColors colors_ = TimelineColors::Calls;
    TimelineMarks marks_;
    bool knowsShortages_ = false;
};

}  // namespace holos::gui

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QWidget>

#include "analyzer/timeline/region_times.h"
#include "gui/models/timeline/timeline_levels.h"
#include "gui/models/timeline/timeline_lines.h"
#include "gui/models/timeline/times_in_part.h"
#include "gui/views/timeline/timeline_view.h"

namespace holos::gui {

/// The whole run as a strip: what all locations together spent their time for, with the part that is seen.
/// A click or drag brings another part into sight.
class TimelineOverview : public QWidget {
    Q_OBJECT
  public:
    explicit TimelineOverview(QWidget* parent = nullptr);

    /// Null: nothing is known.
    void setLevels(LevelsPtr levels, const ShownLocations& shown = {});
    /// Only some calls are shown: in these times. Null: they are not known, which the strip says.
    void setPart(bool isOfPart, const TimesInPartPtr& times);
    /// Where the time of the view begins, in pixels; the strip begins there, too.
    void setSide(int pixels);
    void setWindow(TimeRange window);
    void setRange(std::optional<TimeRange> range);
    QSize sizeHint() const override;

  Q_SIGNALS:
    /// A part as long as the one in sight, around this time, is to come into sight.
    void wanted(trace::Ticks middle);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

  private:
    bool isOfAllPaths() const { return isOfPart_ && !part_; }
    void countTimes();
    void describe();
    double xOf(trace::Ticks time) const;
    void paintTimes(QPainter& painter) const;

    LevelsPtr levels_;
    ShownLocations shown_;
    bool isOfPart_ = false;  ///< only some calls are to be shown
    TimesInPartPtr part_;
    std::vector<TimesInPart::Times> times_;  ///< by bin
    int side_ = 0;
    TimeRange window_;
    std::optional<TimeRange> range_;
};

}  // namespace holos::gui

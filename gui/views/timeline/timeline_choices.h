// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QWidget>

#include "gui/models/timeline/timeline_lines.h"
#include "gui/models/timeline/timeline_names.h"
#include "gui/models/timeline/timeline_picture.h"

class QComboBox;

namespace holos::gui {

/// The boxes above a timeline: what its lines are, what their colours mean, and what is drawn over them.
class TimelineChoices : public QWidget {
    Q_OBJECT
  public:
    /// The names must outlive it.
    explicit TimelineChoices(const TimelineNames& names, QWidget* parent = nullptr);

    TimelineGrouping grouping() const;
    void setGrouping(TimelineGrouping grouping);
    TimelineColors colors() const;
    /// Of the colours; empty where they are of no metric.
    std::string metricOfColors() const;
    void setColors(TimelineColors colors, const std::string& metric);
    const TimelineMarks& marks() const { return marks_; }
    void setMarks(const TimelineMarks& marks) { marks_ = marks; }

    /// Offers a heat map of a metric or counter.
    void offer(const std::string& uniqueName);
    /// Of all that has a place in time. Throws `holos::Error` where the course of the run is damaged.
    void offerAllOf(const DefinitionsPtr& definitions, const CoursePtr& course);

  Q_SIGNALS:
    void groupingChosen(TimelineGrouping grouping);
    void colorsChosen(TimelineColors colors, const std::string& metric);
    void markToggled(TimelineMark mark);

  private:
    void buildMarks();
    void fitList();

    const TimelineNames& names_;
    QComboBox* grouping_;
    QComboBox* colors_;
    TimelineMarks marks_;
};

}  // namespace holos::gui

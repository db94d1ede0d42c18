// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QWidget>

#include "gui/models/quantity.h"
#include "gui/models/timeline/timeline_course.h"
#include "gui/models/timeline/timeline_levels.h"
#include "gui/models/timeline/timeline_lines.h"
#include "gui/models/timeline/timeline_names.h"
#include "gui/models/timeline/times_in_part.h"

namespace holos::gui {

/// A part of a run in words: how long it is, what the time of all locations was spent for, and its largest
/// waits, as far as that is known. Levels and course may be null.
QString rangeText(const trace::Definitions& definitions, const ShownLocations& shown, trace::Ticks from,
                  trace::Ticks to, const LevelsPtr& levels, const CoursePtr& course,
                  const TimelineNames& names, Digits digits);
/// A range in words, of the calls that are shown, where these are not all.
QString rangeTextInPart(const trace::Definitions& definitions, const TimesInPart& part, trace::Ticks from,
                        trace::Ticks to, const CoursePtr& course, const TimelineNames& names, Digits digits);

}  // namespace holos::gui

class QPushButton;

namespace holos::gui {

class ElidedLabel;

/// What is known of a selected range of time, and what can be done with it; or which range all panes show.
class TimelineRangeBar : public QWidget {
    Q_OBJECT
  public:
    explicit TimelineRangeBar(QWidget* parent = nullptr);

    /// A range that was selected; `canEnd`: all panes show another one, and there are values to go back to.
    void showSelected(const QString& text, bool canEnd);
    /// All panes show the values of a range; `canEnd`: there are others to go back to.
    void showFiltered(const QString& text, bool canEnd);
    /// The values of a range are being made.
    void showProgress(const QString& text);
    QString text() const;
    QPushButton* only() const { return only_; }
    QPushButton* whole() const { return whole_; }

  Q_SIGNALS:
    /// The panes are to show nothing but this range.
    void onlyWanted();
    void zoomWanted();
    void clearWanted();
    /// The panes are to show the whole run again.
    void wholeWanted();
    void saveWanted();

  private:
    QPushButton* add(const QString& text, const QString& tip);

    ElidedLabel* label_;
    QPushButton* only_;
    QPushButton* zoom_;
    QPushButton* clear_;
    QPushButton* whole_;
    QPushButton* save_;
};

}  // namespace holos::gui

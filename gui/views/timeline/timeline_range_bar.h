// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QWidget>
#include <optional>

#include "algebra/model/experiment.h"
#include "gui/models/quantity.h"
#include "gui/models/timeline/timeline_names.h"

class QPushButton;

namespace holos::gui {

class ElidedLabel;
class TimelineTrack;
struct TimeRange;

/// What is known of the range of time that is selected in a timeline, and what can be done with it; or which
/// range all panes show. Hidden where there is none.
class TimelineRangeBar : public QWidget {
    Q_OBJECT
  public:
    /// All must outlive it. `experiment`: what the panes show.
    TimelineRangeBar(const algebra::Experiment& experiment, TimelineTrack& track, const TimelineNames& names,
                     QWidget* parent = nullptr);

    /// Says it anew: the range, or what is known of it, has changed.
    void tell();
    /// The values of a range are being made, so far.
    void tellProgress(double part);
    /// Behind a range that all panes show stands the whole run.
    void setWholeRunKnown();
    /// Of durations, from the next time on that it says something.
    void setDigits(Digits digits) { digits_ = digits; }
    /// The range that all panes show, where that is a part of the run. The trace is open.
    std::optional<TimeRange> shownRange() const;
    QString text() const;
    QPushButton* only() const { return only_; }
    QPushButton* whole() const { return whole_; }

  Q_SIGNALS:
    /// The panes are to show nothing but this range.
    void onlyWanted();
    /// The panes are to show the whole run again.
    void wholeWanted();
    void saveWanted();

  private:
    QPushButton* add(const QString& text, const QString& tip);
    void connectButtons();
    void keepKeyboard();
    std::optional<QString> shownSeconds() const;
    QString textOfSelected() const;
    void showSelected();
    void showShown(const QString& seconds);

    const algebra::Experiment& experiment_;
    TimelineTrack& track_;
    const TimelineNames& names_;
    Digits digits_;
    bool knowsWholeRun_ = false;  ///< there are values to go back to
    ElidedLabel* label_;
    QPushButton* only_;
    QPushButton* zoom_;
    QPushButton* clear_;
    QPushButton* whole_;
    QPushButton* save_;
};

}  // namespace holos::gui

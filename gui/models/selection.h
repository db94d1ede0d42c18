// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>

#include "algebra/model/queries.h"
#include "gui/models/quantity.h"
#include "gui/models/value_mode.h"

namespace holos::gui {

bool isSame(const algebra::MetricChoice& one, const algebra::MetricChoice& other);

/// What is selected in an open experiment, and how values are written: the one thing that the panes share. A
/// pane tells it what was chosen, and the panes to its right follow the signals. A signal comes only with a
/// change.
class Selection : public QObject {
    Q_OBJECT
  public:
    algebra::MetricChoice metric() const { return metric_; }
    const algebra::ChosenPaths& callPaths() const { return callPaths_; }
    ValueMode mode() const { return mode_; }

    /// Matters when the system stands left of the program.
    const algebra::ChosenLocations& locations() const { return locations_; }
    void setLocations(algebra::ChosenLocations locations);

    void setMetric(algebra::MetricChoice metric);
    void setCallPaths(algebra::ChosenPaths paths);
    void setMode(ValueMode mode);
    Digits digits() const { return digits_; }
    void setDigits(Digits digits);
    /// Whether long names of functions are written with all their parameters and template arguments.
    bool wholeNames() const { return wholeNames_; }
    void setWholeNames(bool whole);

  Q_SIGNALS:
    void metricChanged();
    void callPathsChanged();
    void locationsChanged();
    void modeChanged();
    void digitsChanged();
    void namesChanged();

  private:
    algebra::MetricChoice metric_{};
    algebra::ChosenPaths callPaths_ = kAll;
    algebra::ChosenLocations locations_ = kAll;
    ValueMode mode_ = ValueMode::Absolute;
    Digits digits_;
    bool wholeNames_ = false;
};

}  // namespace holos::gui

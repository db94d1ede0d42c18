// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QWidget>
#include <optional>

#include "algebra/model/queries.h"
#include "gui/models/filter.h"
#include "gui/models/quantity.h"

namespace holos::gui {

/// What is selected in the three panes, as far as a view below them needs it.
struct Focus {
    algebra::MetricChoice metric{};
    std::optional<algebra::CallPathId> path;
    std::optional<algebra::LocationId> location;
    Digits digits;            ///< of values
    bool wholeNames = false;  ///< of functions
};

/// A view below the three panes. It is told what is selected while it is seen, and may ask for another
/// selection.
class DetailView : public QWidget {
    Q_OBJECT
  public:
    using QWidget::QWidget;

    /// Shows what belongs to the selection.
    virtual void follow(const Focus& focus) = 0;
    /// True while something that it will show is being read.
    virtual bool isBusy() const { return false; }
    /// What it shows, as comma-separated values with a heading; empty when it is no table.
    virtual QString asCsv() const { return {}; }

  Q_SIGNALS:
    void callPathWanted(algebra::CallPathId path);
    /// Several that nobody can tell apart.
    void callPathsWanted(const std::vector<algebra::CallPathId>& paths);
    /// All views are to show only what this names.
    void partWanted(const Filter& part);
    /// All views are to show only the location that is selected.
    void selectedPlaceWanted();
    void locationWanted(algebra::LocationId location);
    void metricWanted(const QString& uniqueName);
};

}  // namespace holos::gui

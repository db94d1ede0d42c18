// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QWidget>
#include <array>

#include "gui/models/call_model.h"
#include "gui/models/metric_model.h"
#include "gui/models/prefetch.h"
#include "gui/models/selection.h"
#include "gui/models/system_model.h"
#include "gui/models/value_cache.h"
#include "gui/views/colors.h"

namespace holos::gui {

class DescriptionPane;
class TreePane;

/// An open experiment: three linked panes. What is chosen in a pane decides what the panes to its right show.
class Browser : public QWidget {
    Q_OBJECT
  public:
    explicit Browser(ExperimentPtr experiment, QWidget* parent = nullptr);
    ~Browser() override;

    Selection& selection() { return selection_; }
    TreePane* metricPane() const { return metricPane_; }
    TreePane* callPane() const { return callPane_; }
    TreePane* systemPane() const { return systemPane_; }
    const algebra::Experiment& experiment() const { return cache_.experiment(); }

    /// Reveals and selects a metric by its unique or display name. False when there is none.
    bool selectMetric(const QString& name);
    /// Opens the call tree down to where the selected metric is spent, and the system tree down to the
    /// location with the largest value there.
    void expandHottest();
    /// What the mode `External` relates to.
    void setReference(ExperimentPtr reference);
    bool hasReference() const { return cache_.hasReference(); }
    Colors& colors() { return colors_; }
    /// Leaves out of all trees what is zero.
    void setHideZeros(bool hide);
    /// The pane with the keyboard focus, or else the call tree.
    TreePane* activePane() const;

  Q_SIGNALS:
    /// Values could not be read.
    void failed(const QString& message);

  private:
    void buildPanes();
    void connectPanes();
    void metricChosen();
    void callPathsChosen();
    void followMetric();
    void followCallPaths();
    void followMode();
    void updateSubjects();
    std::array<TreeModel*, 3> models();

    Colors colors_;
    ValueCache cache_;
    Selection selection_;
    MetricModel metrics_;
    CallModel calls_;
    SystemModel system_;
    TreePane* metricPane_;
    TreePane* callPane_;
    TreePane* systemPane_;
    DescriptionPane* description_;
    std::unique_ptr<Prefetch> prefetch_;  ///< goes before the cache
};

}  // namespace holos::gui

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QTabWidget>
#include <vector>

#include "gui/models/value_cache.h"
#include "gui/views/parts/detail_view.h"

namespace holos::gui {

class Colors;
class CommunicationPane;
class ComparisonPane;
class EventsPane;
class IterationsPane;
class MachineCodePane;
class RooflinePane;
class ScalingPane;
class SourcePane;
class SummaryPane;
class TimelinePane;

/// What stands below the three panes, a tab each: only the one that is seen follows the selection.
class DetailViews : public QTabWidget {
    Q_OBJECT
  public:
    /// Cache and colours must outlive the views.
    DetailViews(ValueCache& cache, const Colors& colors, QWidget* parent = nullptr);

    SummaryPane* summary() const { return summary_; }
    SourcePane* source() const { return source_; }
    MachineCodePane* code() const { return code_; }
    TimelinePane* timeline() const { return timeline_; }
    EventsPane* events() const { return events_; }
    IterationsPane* iterations() const { return iterations_; }
    CommunicationPane* communication() const { return communication_; }
    RooflinePane* roofline() const { return roofline_; }
    ComparisonPane* comparison() const { return comparison_; }
    ScalingPane* scaling() const { return scaling_; }

    /// The names of the tabs, as saved states and the command line have them.
    QStringList names() const;
    /// The tab that is open; empty: the views are closed.
    QString opened() const;
    /// Opens a tab; empty, or what is no name: closes the views.
    void open(const QString& name);

    void follow(const Focus& focus);
    QSize sizeHint() const override;
    /// True while the open view reads what it will show.
    bool isBusy() const;
    /// What the open view shows, as comma-separated values; empty when it is closed or no table.
    QString asCsv() const;

  Q_SIGNALS:
    /// A view has come into sight that needs at least this share of the height.
    void roomWanted(double share);
    void callPathWanted(algebra::CallPathId path);
    void callPathsWanted(const std::vector<algebra::CallPathId>& paths);
    void partWanted(const Filter& part);
    void selectedPlaceWanted();
    void locationWanted(algebra::LocationId location);
    void metricWanted(const QString& uniqueName);

  private:
    void add(DetailView* view, const QString& name);
    void updateLater();
    void update();
    void askForRoom();

    std::vector<DetailView*> views_;
    SummaryPane* summary_;
    SourcePane* source_;
    MachineCodePane* code_;
    TimelinePane* timeline_;
    EventsPane* events_;
    IterationsPane* iterations_;
    CommunicationPane* communication_;
    RooflinePane* roofline_;
    ComparisonPane* comparison_;
    ScalingPane* scaling_;
    Focus focus_;
    bool updating_ = false;  ///< `update` comes with the next events
};

}  // namespace holos::gui

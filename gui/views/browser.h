// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QPointer>
#include <QWidget>
#include <optional>
#include <vector>

#include "algebra/model/metric_guide.h"
#include "gui/models/call_model.h"
#include "gui/models/metric_model.h"
#include "gui/models/program_view.h"
#include "gui/models/selection.h"
#include "gui/models/system_model.h"
#include "gui/models/value_cache.h"
#include "gui/models/view_state.h"
#include "gui/views/linked_panes.h"
#include "gui/views/parts/colors.h"

namespace holos::gui {

class DetailViews;
class FilterBar;
class FindingsPane;
class MetricTexts;
class PaneLayout;
class ProgramModel;
class ProgramViews;
class SystemViews;
class TreePane;
class ViewKeeper;
struct NamedExperiment;

/// An open experiment: three linked panes. What is chosen in a pane decides what the panes to its right show.
class Browser : public QWidget {
    Q_OBJECT
  public:
    /// The guide must outlive the browser.
    Browser(ExperimentPtr experiment, const algebra::MetricGuide& guide, QWidget* parent = nullptr);
    ~Browser() override;

    Selection& selection() { return selection_; }
    Colors& colors() { return colors_; }
    const algebra::Experiment& experiment() const { return cache_.experiment(); }
    TreePane* metricPane() const { return metricPane_; }
    TreePane* callPane() const;
    TreePane* systemPane() const;
    ProgramViews* programs() const { return programs_; }
    SystemViews* systemViews() const { return systemViews_; }
    /// Null for an experiment without a specification.
    FindingsPane* findingsPane() const;
    /// What stands below the panes: the source and others, each in a tab.
    DetailViews* details() const { return details_; }
    PaneLayout* paneLayout() const { return layout_; }
    PaneSearch& search() { return search_; }
    FilterBar* filterBar() const { return filterBar_; }
    /// The part of the run that the experiment is, which is said above the panes.
    const Filter& filter() const { return filter_; }
    /// True while values are read in the background; panes show them when they are there.
    bool isReading() const { return cache_.isReading(); }
    void setFilter(const Filter& filter);
    /// What is selected in the program, or in the system, is all that views are to show.
    void showOnlyCallPaths();
    void showOnlyPlaces();
    ViewKeeper& views() const { return *views_; }
    /// The three trees, from left to right.
    std::vector<TreePane*> panes() const { return linked_.trees(); }
    /// The tree with the keyboard focus, or else that of the program.
    TreePane* activePane() const;
    /// What the view with the keyboard focus shows, or else the active pane, as comma-separated values.
    QString activeTable() const;

    /// Reveals and selects a metric by its unique or display name. False when there is none.
    bool selectMetric(const QString& name);
    bool hasMetric(const QString& name) const { return metrics_.findMetric(name).isValid(); }
    /// Opens the call tree along the calls with the largest inclusive values, down to where one has more for
    /// itself, and the system tree down to the location with the largest value there. Where values are still
    /// being read, as soon as they are there.
    void expandHottest();
    void expandSystem();
    /// The call path with the next smaller (or larger) value of its own; begins with the largest.
    void nextHotSpot(bool larger);
    /// Selects a call path in the call tree.
    void revealCallPath(algebra::CallPathId path);
    /// Selects all of them there.
    void revealCallPaths(const std::vector<algebra::CallPathId>& paths);
    /// Texts at call paths: `CallModel::setNotes`.
    void setNotes(const PathNotes& notes);
    const PathNotes& notes() const;
    /// Lets the user write, change or remove the note at the first call path that is selected.
    void editNote();
    /// Selects the call path of a note, where this experiment has it.
    void revealNote(const QString& key);
    /// Opens the tab of this name below the panes, or closes it when it is open.
    void toggleDetail(const QString& name);
    /// The keyboard goes to where it is in another browser, the trees are scrolled as there, and what was
    /// searched for is searched for here.
    void takeFocusFrom(const Browser& other);
    /// After what shrinks the panes.
    void scrollToSelection();

    /// What the mode `External` relates to.
    void setReference(ExperimentPtr reference);
    bool hasReference() const { return cache_.hasReference(); }
    /// Leaves out of all trees what is less than this part of 100 percent; nothing: shows everything.
    void setHideBelow(std::optional<double> part);
    /// What stands behind the values. Visits are those of call paths only.
    void setColumns(const PaneColumns& columns);
    const PaneColumns& columns() const { return columns_; }
    /// Shows a column in a pane, or no longer.
    void toggleColumn(Pane pane, int column);
    /// Rows of these panes are sorted by value, the largest first.
    void setLargestFirst(const PaneSet& panes);
    /// Rows of a pane, or the order of the experiment again.
    void toggleLargestFirst(Pane pane);
    const PaneSet& largestFirst() const { return largestFirst_; }
    /// Of the tree that has the keyboard.
    Pane activePaneKind() const;
    /// Shows the program in this order; what was selected first stays selected.
    void setProgramView(ProgramView view);
    ProgramView programView() const;
    void setOrder(const PaneOrder& order);
    const PaneOrder& order() const { return linked_.order(); }
    void exchangeLastPanes();
    /// What the column of differences relates to; null: nothing.
    void setCounterpart(const NamedExperiment& other);
    /// Panes have the same colours and units as those of another browser; null: their own.
    void shareScales(Browser* other);

  Q_SIGNALS:
    /// Values could not be read.
    void failed(const QString& message);
    /// Reading values has begun or ended.
    void readingChanged();
    /// Other rows are selected, or values are written in another way.
    void chosen();
    /// Somebody wrote, changed or removed one.
    void notesChanged(const PathNotes& notes);
    /// All views are to show only what this names.
    void partWanted(const Filter& filter);
    /// A view is to be restored that is of another part of the run.
    void otherPartWanted(const ViewState& state);

  private:
    void connectPanes();
    void connectViews();
    void metricChosen();
    void callPathsChosen();
    void locationsChosen();
    void followMetric();
    void followMode();
    void followDigits();
    void followNames();
    void updatePanes();
    void renewValues();
    void updateDetails();
    void linkScales();
    ProgramModel& program() const;
    std::vector<TreeModel*> models();
    void sortRows();

    ExperimentPtr experiment_;
    Colors colors_;
    ValueCache cache_;
    Selection selection_;
    MetricModel metrics_;
    SystemModel system_;
    TreePane* metricPane_;
    ProgramViews* programs_;
    SystemViews* systemViews_;
    DetailViews* details_;
    MetricTexts* texts_;
    LinkedPanes linked_;
    FilterBar* filterBar_;
    PaneLayout* layout_;
    ViewKeeper* views_;
    PaneSearch search_{*this};
    Filter filter_;
    PaneColumns columns_;
    PaneSet largestFirst_;
    QPointer<Browser> twin_;              ///< that shares the scales
    std::unique_ptr<Prefetch> prefetch_;  ///< goes before the cache
};

}  // namespace holos::gui

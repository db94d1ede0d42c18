// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QPointer>
#include <QWidget>
#include <array>
#include <map>
#include <optional>
#include <vector>

#include "algebra/model/metric_guide.h"
#include "gui/models/call_model.h"
#include "gui/models/metric_model.h"
#include "gui/models/pane_order.h"
#include "gui/models/prefetch.h"
#include "gui/models/program_view.h"
#include "gui/models/selection.h"
#include "gui/models/system_model.h"
#include "gui/models/value_cache.h"
#include "gui/models/view_state.h"
#include "gui/views/colors.h"

class QComboBox;
class QLabel;
class QSplitter;

namespace holos::gui {

class DescriptionPane;
class DetailViews;
class FindingsPane;
class SystemViews;
class TreePane;

/// An open experiment: three linked panes. What is chosen in a pane decides what the panes to its right show.
class Browser : public QWidget {
    Q_OBJECT
  public:
    /// The guide must outlive the browser.
    Browser(ExperimentPtr experiment, const algebra::MetricGuide& guide, QWidget* parent = nullptr);
    ~Browser() override;

    Selection& selection() { return selection_; }
    TreePane* metricPane() const { return metricPane_; }
    TreePane* callPane() const { return callPane_; }
    TreePane* systemPane() const;
    SystemViews* systemViews() const { return systemViews_; }
    /// Null for an experiment without a specification.
    FindingsPane* findingsPane() const { return findings_; }
    const algebra::Experiment& experiment() const { return cache_.experiment(); }
    /// What stands below the panes: the source and others, each in a tab.
    DetailViews* details() const { return details_; }
    /// Opens the tab of this name, or closes it when it is open.
    void toggleDetail(const QString& name);

    /// Reveals and selects a metric by its unique or display name. False when there is none.
    bool selectMetric(const QString& name);
    /// Opens the call tree down to where the selected metric is spent, and the system tree down to the
    /// location with the largest value there.
    void expandHottest();
    /// What the mode `External` relates to.
    void setReference(ExperimentPtr reference);
    bool hasReference() const { return cache_.hasReference(); }
    Colors& colors() { return colors_; }
    /// Leaves out of all trees what is less than this part of 100 percent; nothing: shows everything.
    void setHideBelow(std::optional<double> part);
    /// The call path with the next smaller (or larger) value of its own; begins with the largest.
    void nextHotSpot(bool larger);
    /// Shows the program in this order; what was selected first stays selected.
    void setProgramView(ProgramView view);
    ProgramView programView() const { return programView_; }
    /// Puts the panes into this order.
    void setOrder(const PaneOrder& order);
    const PaneOrder& order() const { return order_; }
    void exchangeLastPanes();
    /// Marks in all trees what the regular expression matches.
    void findEverywhere(const QString& text);
    /// Goes to the next match of any tree.
    void nextMatchAnywhere();
    ViewState state();
    /// As far as the experiment has what the state names.
    void restore(const ViewState& state);
    /// How the panes share the room of the window, for `restoreLayout`, which takes nothing else seriously.
    QByteArray layoutState() const;
    void restoreLayout(const QByteArray& layout);
    /// The parts of a restored state that the experiment does not have.
    QStringList missing(const ViewState& state);
    /// Takes back, or does again, what was selected and expanded last.
    void undo();
    void redo();
    /// Selects what is selected in another browser, as far as it is here, by names.
    void follow(Browser& leader);
    /// Writes this above the panes; empty: nothing.
    void setTitle(const QString& title);
    QString title() const;
    /// Panes have the same colours and units as those of another browser; null: their own.
    void shareScales(Browser* other);
    /// After what shrinks the panes.
    void scrollToSelection();
    /// The pane with the keyboard focus, or else the call tree.
    TreePane* activePane() const;
    /// What the view with the keyboard focus shows, or else the active pane, as comma-separated values.
    QString activeTable() const;

  Q_SIGNALS:
    /// Values could not be read.
    void failed(const QString& message);
    /// Somebody selected something here, or changed what values are written as.
    void chosen();

  private:
    void buildPanes();
    void buildProgramBox();
    void buildContextMenus();
    QWidget* buildTexts();
    void connectPanes();
    void revealCallPath(algebra::CallPathId path);
    void metricChosen();
    void callPathsChosen();
    void restoreRows(const ViewState& state);
    void rememberLater();
    void goTo(std::size_t step);
    void locationsChosen();
    void updatePanes();
    void showIn(Pane pane, const Context& context);
    QWidget* widgetOf(Pane pane) const;
    TreePane* treeOf(Pane pane) const;
    QString choiceIn(Pane pane);
    QString subjectOf(std::size_t place);
    ProgramModel& program();
    void followMetric();
    void followMode();
    void followDigits();
    void followNames();
    void linkScales();
    void updateSubjects();
    void updateDetails();
    std::vector<TreeModel*> models();
    std::vector<TreePane*> panes() const;

    Colors colors_;
    ValueCache cache_;
    Selection selection_;
    MetricModel metrics_;
    CallModel calls_;
    std::map<ProgramView, std::unique_ptr<ProgramModel>> otherPrograms_;  ///< those that were shown
    SystemModel system_;
    TreePane* metricPane_;
    TreePane* callPane_;
    SystemViews* systemViews_;
    DetailViews* details_;
    QLabel* title_ = nullptr;
    QSplitter* across_ = nullptr;
    QSplitter* down_ = nullptr;                    ///< the panes with the views below them
    QSplitter* metricSide_ = nullptr;              ///< the metrics with what is said of them
    QPointer<Browser> twin_;                       ///< that shares the scales
    std::array<std::optional<Context>, 3> shown_;  ///< by pane, so that only those follow that have to
    ProgramView programView_ = ProgramView::CallTree;
    QComboBox* programBox_ = nullptr;
    PaneOrder order_ = kUsualOrder;
    std::vector<ViewState> steps_;
    std::size_t at_ = 0;        ///< the step that is shown
    bool remembering_ = false;  ///< a step is added with the next events
    bool restoring_ = false;
    bool following_ = false;     ///< what changes was not chosen here
    std::size_t matchPane_ = 0;  ///< where `nextMatchAnywhere` is
    DescriptionPane* description_;
    FindingsPane* findings_ = nullptr;    ///< of an experiment with a specification
    std::unique_ptr<Prefetch> prefetch_;  ///< goes before the cache
};

}  // namespace holos::gui

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <QStringList>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "gui/models/filter.h"
#include "gui/models/flame_model.h"
#include "gui/models/program_view.h"
#include "gui/models/quantity.h"
#include "gui/models/row_tree.h"
#include "gui/models/selection.h"
#include "gui/models/shown_values.h"

namespace holos::gui {

/// What stands behind the values in each pane, as `TreeModel::Column`.
using PaneColumns = std::map<Pane, std::set<int>>;

/// What one sees of an experiment: what reopens the same view.
struct ViewState {
    Filter filter;      ///< the part of the run that is shown
    QString metric;     ///< unique name
    QStringList calls;  ///< `RowTree::keyOf`, which needs no encoding, of the selected rows of the program
    QString system;     ///< `RowTree::keyOf` of the selected rows of the system
    std::vector<NodeId> openMetrics, openCalls, openSystem;  ///< rows that are expanded
    ValueMode mode = ValueMode::Absolute;
    Digits digits;            ///< of the largest value of a pane
    bool wholeNames = false;  ///< of functions
    QString colors;           ///< name of the family; empty: as it is
    int programTab = 0;       ///< tree, flame graph, callers and callees
    FlameColors flame = FlameColors::Own;
    int systemView = 0;  ///< tree, distribution, table, topology
    QString topology;    ///< which one, from which side; empty: as always
    QString detail;      ///< name of the view below the panes; empty: none
    QString zoomed;      ///< key of the call path that has the whole width of the flame graph; empty: none
    std::optional<PartOfTime> timeline;  ///< in sight there; nothing: the whole run, or the longest wait
    QString events;   ///< what the table of events asks for, as `event_question.h` writes it
    QString against;  ///< beside which open experiment iterations are shown; empty: alone
    QString look;     ///< of the timeline, as `lookOf` writes it; empty: as usual
    ProgramView program = ProgramView::CallTree;
    PaneOrder order = kUsualOrder;
    PaneColumns columns;
    PaneSet largestFirst;  ///< panes whose rows are sorted by value

    friend bool operator==(const ViewState&, const ViewState&) = default;
};

/// The views below the panes.
QStringList detailNames();

/// One word of `key=value` parts between commas, such as `metric=time,call=main/solve,mode=percent`.
QString toText(const ViewState& state);

/// What is left out keeps its default. Throws `holos::Error` that names the part that is not understood.
ViewState viewStateFrom(const QString& text);

/// What was seen of an experiment, step by step.
class ViewHistory {
  public:
    /// The next step; what was taken back is forgotten. What is seen already is no step.
    void add(ViewState now);
    /// The step before the present one, which becomes the present one; null: there is none.
    const ViewState* back();
    const ViewState* forward();
    /// Puts each step into other words.
    void changeAll(const std::function<void(ViewState&)>& change);

  private:
    std::vector<ViewState> steps_;
    std::size_t at_ = 0;  ///< the present one
};

}  // namespace holos::gui

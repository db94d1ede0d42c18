// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QTabWidget>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "gui/models/call_model.h"
#include "gui/models/program_view.h"
#include "gui/models/selection.h"

class QComboBox;

namespace holos::gui {

class ButterflyPage;
class Colors;
class FlamePage;
class TreePane;

/// The program in three views with one selection: a tree of it in one of several orders, the flame graph, and
/// callers and callees of a region.
class ProgramViews : public QTabWidget {
    Q_OBJECT
  public:
    enum Tab { TreeTab, FlameTab, CallersTab };

    /// All must outlive the views.
    ProgramViews(ValueCache& cache, const Selection& selection, const Colors& colors,
                 QWidget* parent = nullptr);
    ~ProgramViews() override;

    TreePane* tree() const { return tree_; }
    FlamePage* flame() const { return flame_; }
    ButterflyPage* butterfly() const { return butterfly_; }
    /// The panes of the tab that is seen; of the flame graph the tree, which has the same selection.
    std::vector<TreePane*> panesInSight() const;

    CallModel& calls() { return calls_; }
    /// What the tree shows.
    ProgramModel& model();
    /// All that were shown.
    std::vector<ProgramModel*> models();
    ProgramView view() const { return view_; }
    /// Shows the program in this order, which has no context yet.
    void setView(ProgramView view);

    /// In every order, and among callers and callees: the largest value comes first below one row.
    void setLargestFirst(bool largestFirst);
    /// What the values are of.
    void setContext(const Context& context);
    /// Selects these call paths in the tree.
    void reveal(const std::vector<algebra::CallPathId>& paths);
    /// After other call paths or locations are selected, or other names or digits are wanted.
    void updateLater();

  Q_SIGNALS:
    /// Somebody wants to see the program in this order.
    void viewWanted(ProgramView view);

  private:
    void buildViewBox();
    void choose(const std::vector<algebra::CallPathChoice>& paths);
    void update();

    ValueCache& cache_;
    const Selection& selection_;
    CallModel calls_;
    std::map<ProgramView, std::unique_ptr<ProgramModel>> others_;  ///< views that were shown
    ProgramView view_ = ProgramView::CallTree;
    std::optional<Context> context_;
    TreePane* tree_;
    FlamePage* flame_;
    ButterflyPage* butterfly_;
    QComboBox* viewBox_ = nullptr;
    bool updating_ = false;  ///< `update` comes with the next events
};

}  // namespace holos::gui

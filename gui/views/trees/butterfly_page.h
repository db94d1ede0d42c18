// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QSplitter>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "gui/models/path_set_model.h"
#include "gui/models/selection.h"

namespace holos::gui {

class Colors;
class TreePane;

/// Callers of a region above what it calls, as a tree each. A row that is chosen selects its call paths
/// everywhere; a double click, or Enter, puts its region in the middle and selects all calls of it. At most
/// one row of both trees is marked: that whose call paths are selected.
class ButterflyPage : public QSplitter {
    Q_OBJECT
  public:
    /// All must outlive the page.
    ButterflyPage(ValueCache& cache, const Selection& selection, const Colors& colors,
                  QWidget* parent = nullptr);
    ~ButterflyPage() override;

    TreePane* callers() const { return callersPane_; }
    TreePane* callees() const { return calleesPane_; }
    /// The two models, where something is shown.
    std::vector<ProgramModel*> models() const;
    /// Of this region; nothing before something was shown.
    std::optional<algebra::RegionId> region() const { return region_; }
    /// Behind the values stand these, in the two trees; the exclusive value in any case.
    void setColumns(std::set<int> columns);
    /// Among callers, and among callees, the largest value comes first; for every region from now on.
    void setLargestFirst(bool largestFirst);
    /// What is selected. Another region comes into the middle when another call path was selected elsewhere.
    void follow(const Context& context);

  Q_SIGNALS:
    void callPathsChosen(const std::vector<algebra::CallPathChoice>& paths);

  private:
    std::optional<algebra::RegionId> newRegion() const;
    void center(algebra::RegionId region);
    void markSelected();
    void choose(TreePane* pane);
    void recenter(const TreePane* pane, const QModelIndex& row);

    ValueCache& cache_;
    const Selection& selection_;
    TreePane* callersPane_;
    TreePane* calleesPane_;
    std::unique_ptr<CallersModel> callers_;
    std::unique_ptr<CalleesModel> callees_;
    std::optional<algebra::RegionId> region_;  ///< in the middle
    std::optional<Context> shown_;
    bool arePending_ = false;  ///< its values were being read when they were asked for
    std::vector<algebra::CallPathId> chosenHere_;
    bool largestFirst_ = false;
    bool following_ = false;  ///< what changes was not chosen here
};

}  // namespace holos::gui

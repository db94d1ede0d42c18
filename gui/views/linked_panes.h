// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QString>
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "gui/models/selection.h"

namespace holos::gui {

class Browser;
class MetricModel;
class ProgramViews;
class SystemModel;
class SystemViews;
class TreePane;

/// The three panes in their order: each shows the part of the experiment that is selected left of it, and
/// says of what its values are.
class LinkedPanes {
  public:
    struct Parts {
        MetricModel& metrics;
        TreePane& metricPane;
        ProgramViews& programs;
        SystemModel& system;
        SystemViews& systemViews;
    };
    /// All must outlive the object.
    LinkedPanes(const Parts& parts, const Selection& selection, ValueCache& cache)
        : parts_(parts), selection_(selection), cache_(cache) {}

    const PaneOrder& order() const { return order_; }
    /// Before `update`.
    void setOrder(const PaneOrder& order) { order_ = order; }
    /// Their trees, from left to right.
    std::vector<TreePane*> trees() const;
    /// Lets panes follow that have to.
    void update();
    /// The pane shows something else now, of nothing yet.
    void forget(Pane pane) { shown_[static_cast<std::size_t>(pane)].reset(); }

  private:
    TreePane* treeOf(Pane pane) const;
    void showIn(Pane pane, const Context& context);
    QString choiceIn(Pane pane) const;
    QString subjectOf(std::size_t place) const;

    Parts parts_;
    const Selection& selection_;
    ValueCache& cache_;
    PaneOrder order_ = kUsualOrder;
    std::array<std::optional<Context>, 3> shown_;  ///< by pane
};

/// Searches in all trees of an open experiment.
class PaneSearch {
  public:
    /// The browser must outlive the search.
    explicit PaneSearch(const Browser& browser) : browser_(browser) {}

    /// Marks what the regular expression matches.
    void find(const QString& text);
    /// Goes to the next match of any tree.
    void next();

  private:
    const Browser& browser_;
    std::size_t pane_ = 0;  ///< where the last match was
};

}  // namespace holos::gui

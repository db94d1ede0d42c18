// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "gui/models/metric_model.h"
#include "gui/models/path_set_model.h"
#include "gui/models/program_model.h"
#include "gui/models/system_model.h"
#include "gui/views/browser.h"

namespace holos::gui::testing {

/// What the three panes, callers and callees, the flame graph, and the views of the locations have to show:
/// models that are made anew from the experiment, and know of the window only which rows are open and
/// selected, and how values are to be written. Nothing that was seen before can be left in them.
class FreshPanes {
  public:
    explicit FreshPanes(Browser& browser);

    /// The rows in sight are painted with the texts that these models give them, the lines below the trees
    /// say what they say, and rows that are sorted have their order. `after` says what was done.
    ::testing::AssertionResult areShown(const QString& after);

  private:
    struct Shown {
        const TreePane* pane;
        TreeModel* model;  ///< that was made anew
        Pane kind;
    };

    void addCallersAndCallees();
    void write(const Shown& shown) const;
    void choose();
    void setContexts();
    QString wrongTree(const Shown& shown);
    QString wrongTable();
    QString wrongDistribution();
    QString wrongFlameGraph();

    Browser& browser_;
    ValueCache cache_;
    MetricModel metrics_;
    std::unique_ptr<ProgramModel> program_;
    SystemModel system_;
    std::unique_ptr<CallersModel> callers_;
    std::unique_ptr<CalleesModel> callees_;
    Selection selection_;
    std::vector<Shown> shown_;
};

}  // namespace holos::gui::testing

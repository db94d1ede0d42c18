// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gui/models/comparison_model.h"
#include "gui/views/parts/detail_view.h"

class QTableView;

namespace holos::gui {

class Colors;
class ElidedLabel;
class ValueDelegate;

/// Metrics × open experiments, for the selected call path.
class ComparisonPane : public DetailView {
    Q_OBJECT
  public:
    /// The colours must outlive the pane.
    explicit ComparisonPane(const Colors& colors, QWidget* parent = nullptr);

    /// The browser's own experiment first.
    void setExperiments(std::vector<NamedExperiment> experiments);
    void follow(const Focus& focus) override;
    QString asCsv() const override { return model_.asCsv(); }

    const ComparisonModel& model() const { return model_; }
    QTableView* table() const { return table_; }

  private:
    void fitColumns();
    void updateTitle();

    ComparisonModel model_;
    ExperimentPtr own_;
    std::optional<algebra::CallPathId> path_;
    ElidedLabel* title_;
    QTableView* table_;
    ValueDelegate* delegate_;
    bool following_ = false;  ///< the row is chosen by the selection, not by a click
};

}  // namespace holos::gui

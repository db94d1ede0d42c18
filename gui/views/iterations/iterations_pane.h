// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "gui/models/iterations/iteration_model.h"
#include "gui/views/parts/detail_view.h"

class QComboBox;
class QPushButton;
class QSortFilterProxyModel;
class QTableView;

namespace holos::gui {

class ElidedLabel;
class IterationChart;

/// The iterations of the run's outermost loop: which are longer, how long they wait, and because of what;
/// alone, or beside those of another experiment that is open. One that is chosen, or several that follow each
/// other, are the range that the timeline has selected; all views show it alone when that is wanted.
class IterationsPane : public DetailView {
    Q_OBJECT
  public:
    explicit IterationsPane(QWidget* parent = nullptr);
    ~IterationsPane() override;

    /// The reader is shared with other windows' panes. The browser's own run first.
    void setRuns(std::shared_ptr<IterationReader> reader, std::vector<OpenRun> runs);
    /// The part of the run that all views show: an iteration of its range is the one that is selected.
    void setPart(const Filter& part);
    void follow(const Focus& focus) override;
    bool isBusy() const override;
    QString asCsv() const override;

    /// For links: the name of the run beside which it is shown; empty: alone.
    QString against() const { return against_; }
    void setAgainst(const QString& name);

    const IterationModel& model() const { return model_; }
    QTableView* table() const { return table_; }
    IterationChart* chart() const { return chart_; }
    QComboBox* others() const { return others_; }
    QPushButton* only() const { return only_; }
    QPushButton* stop() const { return stop_; }
    /// What all of them are, and what the selected one is.
    QString message() const;
    QString selectedText() const;

  Q_SIGNALS:
    /// Iterations were chosen.
    void rangeChosen(const holos::gui::PartOfTime& range);

  private:
    void build();
    void fillOthers();
    void read();
    const OpenRun* other() const;
    bool isShown(const QString& path) const;
    void show();
    void tell();
    void followTable();
    void select(const IterationRows& rows);
    IterationRows selected() const;
    void wantOnly(const IterationRows& rows);

    std::shared_ptr<IterationReader> reader_;
    std::vector<OpenRun> runs_;
    QString against_;
    std::optional<PartOfTime> range_;
    IterationModel model_;
    QSortFilterProxyModel* sorted_;
    QTableView* table_;
    IterationChart* chart_;
    QComboBox* others_;
    QPushButton* only_;
    QPushButton* stop_;
    ElidedLabel* title_;
    ElidedLabel* text_;
    QString progress_;
    bool isFollowed_ = false;  ///< it has been seen
    bool isStopped_ = false;
    bool selecting_ = false;  ///< the row is not chosen by somebody
};

}  // namespace holos::gui

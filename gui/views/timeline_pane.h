// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QTimer>

#include "gui/models/instance_model.h"
#include "gui/models/timeline.h"
#include "gui/views/detail_view.h"

class QComboBox;
class QPushButton;
class QTableView;

namespace holos::gui {

class ElidedLabel;
class TimelineView;

/// The trace around a severe wait, beside the list of the longest waits. Archives are opened when the pane is
/// first seen, and read in the background.
class TimelinePane : public DetailView {
    Q_OBJECT
  public:
    /// The experiment must outlive the pane.
    explicit TimelinePane(const algebra::Experiment& experiment, QWidget* parent = nullptr);
    ~TimelinePane() override;

    /// The experiment's file, beside which its trace may be.
    void setFile(const QString& file) { file_ = file; }
    void follow(const Focus& focus) override;
    bool isBusy() const override { return busy_ || again_.isActive(); }
    /// The longest waits.
    QString asCsv() const override;

    TimelineView* view() const { return view_; }
    QTableView* instances() const { return table_; }
    QString message() const;
    /// Shows this archive.
    void openTrace(const QString& archive);

  private:
    void build();
    QWidget* buildLegend();
    void findTraces();
    void tell(const QString& message);
    void traceOpened();
    void pictureReady(const TimelinePtr& picture);
    void readAgain();
    void instanceChosen();
    void jumpTo(const algebra::WaitInstance& instance);
    void askForTrace();
    std::vector<trace::LocationId> rows() const;

    const algebra::Experiment& experiment_;
    InstanceModel waits_;
    QString file_;
    bool searched_ = false;
    std::unique_ptr<TimelineReader> reader_;
    std::optional<Focus> focus_;
    bool busy_ = false;
    QTimer again_;  ///< several changes make one reading
    std::optional<trace::LocationId> selected_, awaited_;
    QTableView* table_;
    TimelineView* view_;
    QComboBox* archives_;
    ElidedLabel* title_;
    QPushButton* choose_;
};

}  // namespace holos::gui

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "gui/models/events/event_model.h"
#include "gui/models/value_cache.h"
#include "gui/views/parts/detail_view.h"

class QLineEdit;
class QPushButton;
class QTableView;

namespace holos::gui {

class ElidedLabel;
class EventForm;
class EventHistogram;
class EventPager;

/// Every call, message, wait and reading of a run as a table: sorted, filtered and grouped by choice or by a
/// statement in SQL, with a histogram of a column. It is asked for in the background, a window of rows at a
/// time, and shows the part of the run that all views show. A row leads to its call path, its thread and its
/// moment in the timeline.
class EventsPane : public DetailView {
    Q_OBJECT
  public:
    /// The cache must outlive the pane.
    explicit EventsPane(ValueCache& cache, QWidget* parent = nullptr);
    ~EventsPane() override;

    /// The experiment's file, beside which its trace may be.
    void setFile(const QString& file) { file_ = file; }
    /// The part of the run that all views show.
    void setPart(const Filter& part);
    void follow(const Focus& focus) override;
    bool isBusy() const override;
    QString asCsv() const override;

    /// For links and other windows: what is asked for; empty before somebody looked at it.
    QString link() const;
    void setLink(const QString& link);
    const EventQuestion& question() const { return question_; }
    void ask(const EventQuestion& question);

    EventModel& model() { return *model_; }
    QTableView* table() const { return table_; }
    EventHistogram* histogram() const { return histogram_; }
    EventForm* form() const { return form_; }
    QLineEdit* statementBox() const { return sql_; }
    QString message() const;

  Q_SIGNALS:
    /// A row was chosen. `isWanted`: the timeline is to be seen.
    void momentChosen(std::size_t traceLocation, const PartOfTime& time, bool isWanted);

  private:
    void build();
    void open();
    void tablesRead(const std::vector<EventTable>& tables, const QString& problem);
    void begin(const std::vector<EventTable>& tables);
    void sortBy(int column);
    void askTyped();
    void askNow();
    void answered(const QString& problem);
    void measure();
    void makeIndex(const std::shared_ptr<const EventIndex>& known = nullptr);
    EventIndex emptyIndex(const QString& column) const;
    void goToRow(std::uint64_t row);
    QString listedText() const;
    void tell();
    void stop();
    void rowChosen(const QModelIndex& row, bool isWanted);
    bool openGroup(const QModelIndex& row);
    void showBar(double from, double to);
    EventCondition conditions() const;
    std::optional<algebra::LocationId> inExperiment(std::size_t location) const;
    void updateBusy();

    ValueCache& cache_;
    QString file_;
    Filter part_;
    std::unique_ptr<EventReader> reader_;
    EventModel* model_ = nullptr;
    std::vector<std::pair<std::int64_t, std::int64_t>> locations_;  ///< of the trace: process and thread
    EventQuestion question_;
    std::optional<EventQuestion> wanted_;  ///< as soon as the tables are known
    EventStatements statements_;
    std::optional<EventSpread> spread_;
    QString measured_;  ///< the column of the histogram
    QString problem_;
    bool isStopped_ = false;
    EventForm* form_;
    QLineEdit* sql_;
    QPushButton* stop_;
    QTableView* table_;
    EventHistogram* histogram_;
    ElidedLabel* title_;
    EventPager* pager_;
};

}  // namespace holos::gui

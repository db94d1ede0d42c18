// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>
#include <QStringList>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "gui/models/events/event_index.h"
#include "gui/models/events/event_question.h"
#include "gui/models/events/event_spread.h"
#include "report/query/database.h"

namespace holos::gui {

/// Rows of an answer.
struct EventRows {
    QStringList columns;
    std::vector<std::vector<query::Cell>> rows;
    QString problem;  ///< why there are none, or no more
};

/// The first of these files that has a trace, or else the first that can be read. Throws `holos::Error` where
/// there is none.
std::unique_ptr<query::Run> openRun(const std::vector<std::filesystem::path>& files,
                                    const query::RunOptions& options);

/// The tables of a run, asked in other threads, one question after the other. Answers come in the thread of
/// the application, where all of it is called; nothing waits for them.
class EventReader : public QObject {
    Q_OBJECT
  public:
    /// The first of these files that has a trace is read, or else the first.
    explicit EventReader(std::vector<std::filesystem::path> files, QObject* parent = nullptr);
    ~EventReader() override;

    void readTables(std::function<void(const std::vector<EventTable>& tables, const QString& problem)> then);
    /// Rows `first` … `first + count` of the answer to a statement.
    void readRows(const QString& statement, std::uint64_t first, std::uint64_t count,
                  std::function<void(const EventRows&)> then);
    /// How the first column of the answer is spread. `problem`: why that is not known.
    void readSpread(const QString& statement, bool isLogarithmic,
                    std::function<void(const EventSpread&, const QString& problem)> then);
    /// How the first column of the answer is spread, and an index of the answer, from one look at it.
    void readSpreadAndIndex(const QString& statement, bool isLogarithmic, EventIndex index,
                            std::function<void(const EventSpread&, const std::shared_ptr<const EventIndex>&,
                                               const QString& problem)>
                                then);
    /// Fills an index with the first column of the answer.
    void readIndex(
        const QString& statement, EventIndex index,
        std::function<void(const std::shared_ptr<const EventIndex>&, const QString& problem)> then);
    /// How many rows the answer has.
    void countRows(const QString& statement,
                   std::function<void(std::uint64_t rows, const QString& problem)> then);
    /// What was asked is not wanted any more: no answer comes.
    void forget();

    bool isBusy() const { return isRunning_ || !jobs_.empty(); }
    /// The limits of a question: memory for sorting and grouping, and time.
    void setLimits(const query::Limits& limits) { limits_ = limits; }
    /// What of the trace could not be read, known after an answer.
    const QStringList& damage() const { return damage_; }

  Q_SIGNALS:
    void busyChanged();

  private:
    struct Opened;
    struct Job {
        std::function<void(Opened&)> work;
        std::function<void(const QString& problem)> then;
    };
    void add(Job job);
    void next();

    std::shared_ptr<Opened> opened_;  ///< with the thread that reads
    std::deque<Job> jobs_;
    query::Limits limits_;
    unsigned generation_ = 0;  ///< what was asked in another one is forgotten
    bool isRunning_ = false;
    QStringList damage_;
};

}  // namespace holos::gui

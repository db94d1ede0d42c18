// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QWidget>
#include <vector>

#include "gui/models/events/event_question.h"

class QComboBox;
class QLineEdit;
class QToolButton;

namespace holos::gui {

class EventModel;

/// Where a question about events is put together: table, columns, groups, filter, and the column of the
/// histogram.
class EventForm : public QWidget {
    Q_OBJECT
  public:
    /// `asked`: the question as it is now, which must outlive the form.
    explicit EventForm(const EventQuestion& asked, QWidget* parent = nullptr);

    /// The tables of a run, of which there is at least one. Before that nothing can be chosen.
    void setTables(const std::vector<EventTable>& tables);
    const std::vector<EventTable>& tables() const { return tables_; }
    /// The one of this name, else the first one.
    const EventTable& table(const QString& name) const;

    /// Shows the question as it is now. A statement that was typed has the columns of its answer (null: there
    /// is none yet).
    void refresh(const EventModel* answer);
    QLineEdit* filterBox() const { return filter_; }

  Q_SIGNALS:
    /// Somebody asks for something else.
    void asked(const EventQuestion& question);
    /// Somebody wants the histogram and the sums of another column; empty: none.
    void measureChosen(const QString& column);

  private:
    void build();
    void fillMeasures(const EventModel* answer);
    void fillColumns();
    void fillGroups();
    void toggle(QStringList EventQuestion::*list, const QString& name);
    void chooseTable(const QString& name);
    void setFilter(const QString& text);

    std::vector<EventTable> tables_;
    const EventQuestion& question_;
    QComboBox* tableBox_;
    QToolButton* columns_;
    QToolButton* groups_;
    QComboBox* measures_;
    QLineEdit* filter_;
};

}  // namespace holos::gui

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QWidget>

class QLineEdit;
class QToolButton;

namespace holos::gui {

class EventModel;

/// Leads to rows further down than can be scrolled: to the row of a number, and to those before and behind
/// the rows that are listed. Hidden where all rows can be scrolled to.
class EventPager : public QWidget {
    Q_OBJECT
  public:
    explicit EventPager(QWidget* parent = nullptr);

    /// Of this answer; null: there is none yet. To be called when its rows have changed.
    void follow(const EventModel* answer);

  Q_SIGNALS:
    /// From 0 on; there may be fewer rows.
    void rowWanted(quint64 row);

  private:
    void goTo(const QString& typed);

    const EventModel* answer_ = nullptr;
    QLineEdit* box_;
    QToolButton* before_;
    QToolButton* behind_;
};

}  // namespace holos::gui

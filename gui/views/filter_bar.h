// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QFrame>

#include "gui/models/filter.h"

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace holos::gui {

/// Says above all views of an experiment which part of the run they show. A click on a part removes it.
class FilterBar : public QFrame {
    Q_OBJECT
  public:
    explicit FilterBar(QWidget* parent = nullptr);

    /// Hidden where that is the whole run.
    void setFilter(const Filter& filter);
    /// Another part is being made, so far from 0 to 1.
    void tellProgress(const Filter& wanted, double done);
    /// The other part is not being made any longer.
    void endProgress();
    /// What it says; empty while it is hidden.
    QString text() const;

  Q_SIGNALS:
    void wanted(const Filter& filter);
    /// The values of the part are to be kept as an experiment.
    void savingWanted();

  private:
    void addPart(FilterPart part);

    Filter filter_;
    QLabel* title_;
    QHBoxLayout* parts_;
    QLabel* progress_;
    QToolButton* save_;
};

}  // namespace holos::gui

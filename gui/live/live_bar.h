// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QFrame>

#include "gui/live/living_run.h"

class QCheckBox;
class QComboBox;
class QPushButton;

namespace holos::gui {

class ElidedLabel;
class Perfometer;

/// Above the panes: what a running program does, and how its pictures follow each other.
class LiveBar : public QFrame {
    Q_OBJECT
  public:
    explicit LiveBar(QWidget* parent = nullptr);

    Perfometer* perfometer() const { return perfometer_; }
    /// Empties it for another run, of this name.
    void start(const QString& name);
    void add(const LiveLook& look);
    /// Of which moment the numbers in the panes are.
    void setState(const QString& state);
    /// There is an analysis to keep; there is one before it to compare with.
    void setKeepable(bool keepable, bool comparable);
    /// Nothing new comes: who lives is not said any more, and there is no plot where nobody has looked
    /// before.
    void setOver();

    QCheckBox* changeBox() const { return change_; }
    QPushButton* keepButton() const { return keep_; }
    QString text() const;

  Q_SIGNALS:
    void pauseWanted(bool pause);
    void changeWanted(bool change);
    void keepWanted();
    void endWanted();

  private:
    void listMetrics(const std::vector<watch::Metric>& metrics);
    void setPlotVisible(bool visible);
    void showText();

    ElidedLabel* text_;
    QComboBox* metric_;
    QCheckBox* change_;
    QPushButton* pause_;
    QPushButton* keep_;
    Perfometer* perfometer_;
    QString name_;
    bool isOver_ = false;
    QString summary_;
    QString state_;
};

}  // namespace holos::gui

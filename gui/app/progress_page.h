// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QTimer>
#include <QWidget>

class QLabel;

namespace holos::gui {

/// What the window shows while an experiment is read: a line of text with the seconds that it has taken,
/// because a bar that nobody can fill would only move.
class ProgressPage : public QWidget {
    Q_OBJECT
  public:
    explicit ProgressPage(QWidget* parent = nullptr);

    void start(const QString& name);
    void stop();

  Q_SIGNALS:
    /// Somebody does not want to wait any longer.
    void cancelled();

  private:
    void tell();

    QLabel* text_;
    QString name_;
    QTimer second_;
    int seconds_ = 0;
};

}  // namespace holos::gui

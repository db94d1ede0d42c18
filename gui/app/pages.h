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

class QVBoxLayout;

namespace holos::gui {

/// What the window shows before an experiment is open: how to open one, and those that were open last.
class WelcomePage : public QWidget {
    Q_OBJECT
  public:
    explicit WelcomePage(QWidget* parent = nullptr);

  Q_SIGNALS:
    /// Somebody wants to choose a file.
    void choiceWanted();
    void fileWanted(const QString& path);

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    void listRecent();

    QVBoxLayout* recent_;
};

}  // namespace holos::gui

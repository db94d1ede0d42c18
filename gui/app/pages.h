// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QFrame>
#include <QTimer>
#include <QWidget>

class QLabel;
class QVBoxLayout;

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

/// Tells of trouble above what is shown, until somebody closes it. Nothing has to be answered.
class MessageBar : public QFrame {
  public:
    explicit MessageBar(QWidget* parent = nullptr);

    /// Empty when the bar is hidden.
    QString message() const;
    /// Empty hides the bar.
    void setMessage(const QString& message);
    /// On a line of its own, below what is told already.
    void addMessage(const QString& message);

  private:
    QLabel* text_;
};

}  // namespace holos::gui

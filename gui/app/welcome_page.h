// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QWidget>

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

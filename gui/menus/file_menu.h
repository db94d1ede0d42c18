// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>

class QMenu;
class QToolBar;

namespace holos::gui {

class Actions;
class FileOpening;
class OpenExperiments;

/// What comes into the window and what goes out of it: files, pictures, tables, links.
class FileMenu : public QObject {
    Q_OBJECT
  public:
    /// Belongs to the menu.
    FileMenu(QMenu* menu, QToolBar* tools, Actions& actions, OpenExperiments& experiments,
             FileOpening& opening);

    /// Opens the file that somebody chooses.
    void askForFile();

  Q_SIGNALS:
    /// A file could not be written.
    void failed(const QString& message);
    /// Somebody wants to see the program that is recorded to this folder.
    void watchWanted(const QString& folder);

  private:
    void askForFolder();
    void listRecent(QMenu* recent);
    void exportView();
    void exportTable();
    void copyLink();
    QString askForSaving(const QString& title, const QString& suffix, const QString& kinds);

    OpenExperiments& experiments_;
    FileOpening& opening_;
};

/// Somebody chooses an experiment's file; empty: none.
QString askForExperiment(QWidget* window, const QString& title);

}  // namespace holos::gui

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QMainWindow>

#include "gui/experiments/loader.h"
#include "gui/models/shown_values.h"

class QStackedWidget;

namespace holos::gui {

class Browser;
class ElidedLabel;
class FileMenu;
class FileOpening;
class Filtering;
class LiveBar;
class MessageBar;
class OpenExperiments;
class ProgressPage;
class ValuesMenu;
class WatchedRun;

/// The window around the open experiments: its pages, its menus, and what it says of the active one. Trouble
/// is told in a bar above the panes and never in a dialog that must be answered.
class MainWindow : public QMainWindow {
    Q_OBJECT
  public:
    MainWindow();
    ~MainWindow() override;

    /// Reads the file in the background and shows it; what is shown stays until then.
    void open(const QString& path);
    /// One after the other; the first of them is active in the end.
    void open(const QStringList& paths);
    /// Makes an experiment in the background and shows it under this name.
    void load(const QString& name, const Loader::Work& work);
    /// Shows a program while it is recorded to this folder, and what has been recorded so far as an
    /// experiment.
    void watch(const QString& folder);
    /// Shows an experiment that was read already, beside those that are open. The same file is replaced.
    void show(const QString& path, ExperimentPtr experiment);
    using QMainWindow::show;

    OpenExperiments& experiments() { return *experiments_; }
    Filtering& filtering() { return *filtering_; }
    /// The browser of the active experiment, or null.
    Browser* browser() const;
    void setMode(ValueMode mode);
    /// The text of the message bar; empty when it is hidden.
    QString message() const;
    void setMessage(const QString& message);

  Q_SIGNALS:
    /// Opening has ended, well or badly.
    void opened(bool well);
    /// Of several files the last one has been opened, or could not be.
    void allOpened();

  protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

  private:
    void buildMenus();
    void buildPages();
    void connectOpening();
    void endWatching();
    void choosePage();
    void describe();

    OpenExperiments* experiments_;
    Filtering* filtering_;
    FileOpening* opening_;
    MessageBar* messages_;
    LiveBar* live_;
    std::unique_ptr<WatchedRun> watched_;
    ProgressPage* progress_;
    QStackedWidget* pages_;
    ElidedLabel* summary_;
    FileMenu* fileMenu_ = nullptr;
    ValuesMenu* valuesMenu_ = nullptr;
};

}  // namespace holos::gui

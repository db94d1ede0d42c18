// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QMainWindow>
#include <functional>
#include <memory>
#include <vector>

#include "gui/app/loader.h"
#include "gui/models/selection.h"

class QAction;
class QComboBox;
class QFrame;
class QLabel;
class QMenu;
class QStackedWidget;
class QToolBar;

namespace holos::gui {

class Browser;
class TreePane;

/// The window around the browser of one experiment: opening, actions, messages. Trouble is told in a bar
/// above the panes and never in a dialog that must be answered.
class MainWindow : public QMainWindow {
    Q_OBJECT
  public:
    MainWindow();
    ~MainWindow() override;

    /// Reads the file in the background and shows it; what is shown stays until then.
    void open(const QString& path);
    /// Makes an experiment in the background and shows it under this name.
    void load(const QString& name, const Loader::Work& work);
    /// Shows an experiment that was read already.
    void show(const QString& path, ExperimentPtr experiment);
    using QMainWindow::show;

    /// The browser of the open experiment, or null.
    Browser* browser() const { return browser_; }
    void setMode(ValueMode mode);
    /// The text of the message bar; empty when it is hidden.
    QString message() const;
    void setMessage(const QString& message);

  Q_SIGNALS:
    /// Opening has ended, well or badly.
    void opened(bool well);

  protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

  private:
    enum Page { kWelcomePage, kProgressPage, kBrowserPage };

    void buildPages();
    void buildActions();
    void buildFileMenu(QMenu* menu, QToolBar* tools);
    void buildValuesMenu(QMenu* menu, QToolBar* tools);
    void buildViewMenu(QMenu* menu, QToolBar* tools);
    QAction* addAction(QMenu* menu, const QString& text, const QKeySequence& key, const QString& help,
                       const std::function<void()>& act);
    QAction* addBrowserAction(QMenu* menu, const QString& text, const QKeySequence& key, const QString& help,
                              const std::function<void(Browser&)>& act);
    void chooseMode(ValueMode mode);
    void applyHiding();
    void buildExperimentsMenu(QMenu* menu);
    void combineWith(const QString& title,
                     const std::function<algebra::Experiment(const algebra::Experiment&,
                                                             const algebra::Experiment&)>& combine);
    void fillRecent(QMenu* menu);
    void exportView();
    void exportTable();
    void cancel();
    void saveState();
    QString askForSaving(const QString& title, const QString& kinds);
    void askForFile();
    void about();

    std::unique_ptr<Loader> loader_;
    QString path_;              ///< of the open experiment
    ExperimentPtr experiment_;  ///< the open one
    Browser* browser_ = nullptr;
    QStackedWidget* pages_ = nullptr;
    QLabel* progressText_ = nullptr;
    QFrame* messageBar_ = nullptr;
    QLabel* messageText_ = nullptr;
    QLabel* summary_ = nullptr;
    std::vector<QAction*> modes_;  ///< in the order of `valueModes`
    QComboBox* modeBox_ = nullptr;
    QAction* hideZeros_ = nullptr;
    QAction* hideSmall_ = nullptr;
};

}  // namespace holos::gui

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QMainWindow>
#include <QTimer>
#include <functional>
#include <memory>
#include <vector>

#include "gui/app/loader.h"
#include "gui/app/settings.h"
#include "gui/models/selection.h"

class QAction;
class QComboBox;
class QFrame;
class QLabel;
class QMenu;
class QSplitter;
class QStackedWidget;
class QTabBar;
class QToolBar;

namespace holos::algebra {
struct Cut;
}

namespace holos::gui {

class Browser;
class TreePane;

/// A name as menus show it, where `&` marks a key.
QString menuText(QString name);

/// The window around the browsers of the open experiments, of which one is active: opening, actions,
/// messages. Trouble is told in a bar above the panes and never in a dialog that must be answered.
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
    /// Shows an experiment that was read already, beside those that are open. The same file is replaced.
    void show(const QString& path, ExperimentPtr experiment);
    using QMainWindow::show;

    /// The browser of the active experiment, or null.
    Browser* browser() const { return browser_; }
    /// How many experiments are open.
    std::size_t experiments() const { return opened_.size(); }
    /// Makes another one active, in the order in which they were opened.
    void activate(std::size_t experiment);
    void closeExperiment(std::size_t experiment);
    /// Shows the active experiment and the one that was active before it, with one selection; or the active
    /// one alone again.
    void setSideBySide(bool both);
    bool isSideBySide() const { return beside_ != nullptr; }
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
    QMenu* addChoices(QMenu* menu, const QString& title, const QString& help, const QStringList& choices,
                      const std::function<int(Browser&)>& chosen,
                      const std::function<void(Browser&, int)>& choose);
    void addProgramMenu(QMenu* menu);
    void addOrderMenu(QMenu* menu);
    void addDigitsMenu(QMenu* menu);
    void addNamesMenu(QMenu* menu);
    void addColorsMenu(QMenu* menu);
    void chooseMode(ValueMode mode);
    void applyHiding();
    void buildExperimentsMenu(QMenu* menu);
    void buildCutMenu(QMenu* menu);
    void cutActive(const QString& title, const algebra::Cut& how);
    void buildBookmarksMenu(QMenu* menu);
    void fillBookmarks(QMenu* menu);
    void addBookmark();
    void showBookmark(const Bookmark& bookmark);
    using Combine =
        std::function<algebra::Experiment(const algebra::Experiment&, const algebra::Experiment&)>;
    void addCombining(QMenu* menu, const QString& title, const QString& help, const Combine& combine);
    void combineWithFile(const QString& title, const Combine& combine);
    void combine(const QString& title, const QString& other, const Combine& combine,
                 const std::function<ExperimentPtr()>& load);
    void addBrowser(const QString& path, ExperimentPtr experiment);
    void shareExperiments();
    void arrangeExperiments();
    void nameExperiments();
    void shareSelection(Browser* leader);
    void openNext();
    void tellProgress();
    void describeExperiment();
    std::size_t modeBoxIndex() const;
    void fillRecent(QMenu* menu);
    void exportView();
    void exportTable();
    void cancel();
    void saveState();
    QString askForSaving(const QString& title, const QString& suffix, const QString& kinds);
    void askForFile();
    void buildHelpMenu(QMenu* menu);
    void showKeys();
    void about();

    struct Opened {
        QString path;
        ExperimentPtr experiment;
        Browser* browser;
        std::vector<Bookmark> bookmarks;
    };
    /// The active one; null: none is open.
    Opened* active();

    std::unique_ptr<Loader> loader_;
    QStringList waiting_;  ///< files that are opened next
    QString firstOpened_;  ///< of several files that are being opened
    std::vector<Opened> opened_;
    QString path_;                ///< of the active experiment
    ExperimentPtr experiment_;    ///< the active one
    Browser* browser_ = nullptr;  ///< the active one's
    Browser* before_ = nullptr;   ///< that was active before
    Browser* beside_ = nullptr;   ///< that is shown, too
    QTabBar* tabs_ = nullptr;     ///< one for each experiment
    QSplitter* browsers_ = nullptr;
    QStackedWidget* pages_ = nullptr;
    QLabel* progressText_ = nullptr;
    QTimer progress_;  ///< while something is loaded, each second
    int seconds_ = 0;  ///< that it has taken
    QFrame* messageBar_ = nullptr;
    QLabel* messageText_ = nullptr;
    QLabel* summary_ = nullptr;
    QList<QAction*> cutActions_;            ///< of the selected region
    std::vector<QAction*> browserActions_;  ///< of the active experiment: none without one
    std::vector<QAction*> modes_;           ///< in the order of `valueModes`
    QComboBox* modeBox_ = nullptr;
    QAction* hideZeros_ = nullptr;
    QAction* hideSmall_ = nullptr;
};

}  // namespace holos::gui

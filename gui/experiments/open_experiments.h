// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QStringList>
#include <QWidget>
#include <functional>
#include <map>
#include <vector>

#include "gui/experiments/loader.h"
#include "gui/models/call_model.h"
#include "gui/models/timeline/timeline.h"
#include "gui/models/value_cache.h"

class QSplitter;
class QTabBar;

namespace holos::gui {

class Browser;
class IterationReader;
struct Filter;

/// An experiment that is open, and where it is seen.
struct OpenExperiment {
    QString path;
    ExperimentPtr experiment;
    Browser* browser;
    /// For tabs and titles; differs from those of the others, and says which part of a run it is.
    QString name = {};
    QString plainName = {};  ///< without the part; filters name it so
    FileVersion file = {};   ///< that the path was when it was opened

    /// `0.25 s to 1.5 s`, where what is shown is not of a whole run.
    QString part() const;
    /// Why the panes' experiment must not be written to the file of the path; empty where it may.
    QString whyNotKept() const;
};

/// The experiments that are open, a tab each. One is active; another may stand beside it, with the same
/// selection.
class OpenExperiments : public QWidget {
    Q_OBJECT
  public:
    explicit OpenExperiments(QWidget* parent = nullptr);
    ~OpenExperiments() override;

    const std::vector<OpenExperiment>& all() const { return all_; }
    /// Null: none is open.
    const OpenExperiment* active() const;
    /// The active one's, or null.
    Browser* browser() const { return browser_; }

    /// Opens it beside the others, as it was looked at last, and makes it active. One of the same path is
    /// replaced.
    void add(const QString& path, ExperimentPtr experiment) { addOpened(path, experiment, versionOf(path)); }
    /// `file`: what the path was before it was read.
    void addOpened(const QString& path, ExperimentPtr experiment, const FileVersion& file);
    /// In the active one, what an experiment begins with that nobody has looked at: the summary, or how runs
    /// of different sizes compare.
    void beginLooking();
    /// Whether experiments that nobody has looked at begin with that when they are opened.
    void setBeginsLooking(bool begins) { beginsLooking_ = begins; }
    /// The one of this path has become another one, which is looked at in the same way: what is selected and
    /// expanded stays so, as far as it is there. Where none of this path is open, it is added.
    void replace(const QString& path, ExperimentPtr experiment);
    /// Replaces it by one of this part of the run.
    void replace(const QString& path, ExperimentPtr experiment, const Filter& part);
    /// The one of this path; null where none is open.
    const OpenExperiment* find(const QString& path) const;
    /// The file of this path has been written, and is what the panes show.
    void noteKept(const QString& path);
    /// Makes another one active, in the order in which they were opened.
    void activate(std::size_t experiment);
    /// The one of this path, if it is open.
    void activate(const QString& path);
    void activateNext();
    void activatePrevious();
    void close(std::size_t experiment);
    void closeActive();
    /// Views, comparisons and tables are of these alone, by their plain names; of none: of all. `failed`
    /// tells which of them are not open.
    void showOnly(const QStringList& names);
    /// Shows this experiment, or no longer, unless it is the last one that is shown.
    void toggleShown(const QString& path);
    bool isShown(const OpenExperiment& one) const { return shown_.isEmpty() || shown_.contains(one.path); }
    /// Shows the active experiment and the one that was active before it, with one selection; or the active
    /// one alone again.
    void setSideBySide(bool both);
    bool isSideBySide() const { return beside_ != nullptr; }
    /// Remembers how each is looked at, for the next start.
    void saveViews() const;

  Q_SIGNALS:
    /// Another one is open, which is not active yet and does not show what was looked at last.
    void added(const OpenExperiment& experiment);
    /// Another one is active, or none, or the active one has another name.
    void activeChanged();
    /// Reading values of an experiment has begun or ended.
    void readingChanged();
    /// Values of one could not be read.
    void failed(const QString& message);

  private:
    Browser* makeBrowser(const QString& path, ExperimentPtr experiment);
    void addBrowser(const QString& path, ExperimentPtr experiment, const FileVersion& file);
    void activateWhere(const std::function<bool(const OpenExperiment&)>& isMeant);
    void activateBy(std::size_t steps);
    void setShown(const QStringList& paths);
    QStringList shownNames() const;
    void tellShown();
    void openTabMenu(const QPoint& place);
    void share();
    void arrange();
    void nameAll();
    void showTitles();
    void relate();
    void followActive();
    void shareSelection(Browser* leader);

    std::vector<OpenExperiment> all_;
    std::map<QString, PathNotes> pathNotes_;       ///< by path, of those that somebody changed
    std::map<QString, TimelineNotes> notes_;       ///< by path, of those that somebody changed
    QStringList shown_;                            ///< paths, in the order of all; empty: all
    std::shared_ptr<IterationReader> iterations_;  ///< of all
    Browser* browser_ = nullptr;                   ///< the active one's
    Browser* before_ = nullptr;                    ///< that was active before
    Browser* beside_ = nullptr;                    ///< that is shown, too
    bool beginsLooking_ = true;                    ///< at what nobody has looked at
    bool following_ = false;                       ///< what changes was not chosen there
    QTabBar* tabs_;
    QSplitter* browsers_;
};

}  // namespace holos::gui

// SPDX-License-Identifier: BSD-3-Clause
#include "gui/live/watched_run.h"

#include <QApplication>
#include <QCheckBox>
#include <QDir>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QFileInfo>
#include <algorithm>
#include <limits>
#include <memory>

#include "algebra/files/experiment_file.h"
#include "algebra/operators/diff.h"
#include "base/error.h"
#include "gui/experiments/filtering.h"
#include "gui/experiments/loader.h"
#include "gui/experiments/open_experiments.h"
#include "gui/live/live_bar.h"
#include "gui/live/perfometer.h"
#include "gui/models/background.h"
#include "gui/views/browser.h"
#include "report/tables/notes.h"

namespace holos::gui {

namespace {

ExperimentPtr shared(algebra::Experiment experiment) {
    readFirstValues(experiment);
    return std::make_shared<const algebra::Experiment>(std::move(experiment));
}

}  // namespace

Snapshot takeSnapshot(const std::filesystem::path& folder, const std::atomic<bool>& isWanted) {
    const auto check = [&isWanted] {
        if (!isWanted) throw Error("the analysis was cancelled");
    };
    tables::RecordedSoFar so = tables::recordedSoFar(folder, check);
    return {shared(std::move(so.experiment)), {}, QString::fromStdString(so.text), so.isWholeRun};
}

namespace {

constexpr qint64 kLeastRest = 2000;  ///< milliseconds: the eye wants to read
constexpr qint64 kTimesAsLong = 9;

}  // namespace

RepeatedAnalysis::RepeatedAnalysis(Take take, QObject* parent)
    : QObject(parent), take_(std::make_shared<Take>(std::move(take))) {
    rest_.setSingleShot(true);
    connect(&rest_, &QTimer::timeout, this, &RepeatedAnalysis::takeOne);
}

int RepeatedAnalysis::restAfter(qint64 milliseconds) {
    constexpr qint64 kMost = std::numeric_limits<int>::max();
    return static_cast<int>(std::clamp(kTimesAsLong * milliseconds, kLeastRest, kMost));
}

void RepeatedAnalysis::start() {
    takeOne();
}

void RepeatedAnalysis::setPaused(bool paused) {
    isPaused_ = paused;
    if (paused)
        rest_.stop();
    else
        takeOne();
}

void RepeatedAnalysis::takeOne() {
    if (isBusy_ || isPaused_ || isDone_) return;
    isBusy_ = true;
    struct Taken {
        Snapshot snapshot;
        QString trouble;
        qint64 took = 0;
    };
    inBackground(
        this,
        [take = take_] {
            QElapsedTimer clock;
            clock.start();
            Taken taken;
            try {
                taken.snapshot = (*take)();
            } catch (const std::bad_alloc&) {
                taken.trouble = u"not enough memory for an analysis of what was recorded so far"_qs;
            } catch (const std::exception& error) {
                taken.trouble = QString::fromUtf8(error.what());
            }
            taken.took = clock.elapsed();
            return taken;
        },
        [this](const Taken& taken) { show(taken.snapshot, taken.trouble, taken.took); });
}

void RepeatedAnalysis::show(const Snapshot& snapshot, const QString& trouble, qint64 took) {
    isBusy_ = false;
    isDone_ = snapshot.isWholeRun;
    if (!isPaused_ && !isDone_) rest_.start(restAfter(took));
    if (!trouble.isEmpty()) return Q_EMIT failed(trouble);
    if (!isPaused_ || isDone_) Q_EMIT taken(snapshot);
}

namespace {

constexpr int kLater = 200;  ///< milliseconds

/// Each snapshot with what changed since the one before, made where it takes nobody's time.
RepeatedAnalysis::Take takeWithChange(const QString& folder,
                                      const std::shared_ptr<const std::atomic<bool>>& isWanted) {
    return [folder = folder.toStdString(), isWanted, before = ExperimentPtr()]() mutable {
        Snapshot snapshot = takeSnapshot(folder, *isWanted);
        if (before)
            snapshot.change = std::make_shared<const algebra::Experiment>(
                algebra::diff(*snapshot.experiment, *before, {}, algebra::DifferenceOfRatios::OfWhatIsLeft));
        before = snapshot.experiment;
        return snapshot;
    };
}

}  // namespace

WatchedRun::WatchedRun(const QString& folder, OpenExperiments& experiments, Filtering& filtering,
                       LiveBar& bar, QObject* parent)
    : QObject(parent),
      path_(QFileInfo(folder).absoluteFilePath()),
      experiments_(experiments),
      filtering_(filtering),
      bar_(bar),
      run_(path_),
      isWanted_(std::make_shared<std::atomic<bool>>(true)),
      analysis_(takeWithChange(path_, isWanted_)) {
    connect(&run_, &LivingRun::looked, this, [this](const LiveLook& look) {
        bar_.add(look);
        if (look.isOver) bar_.setOver();
    });
    connect(&run_, &LivingRun::failed, this, [this](const QString& message) {
        isLooking_ = false;
        Q_EMIT failed(message);
    });
    connect(&analysis_, &RepeatedAnalysis::taken, this, &WatchedRun::take);
    connect(&analysis_, &RepeatedAnalysis::failed, this, [this](const QString& message) {
        bar_.setState(message);
        // Neither a recording nor a trace is there.
        if (!isLooking_ && !isShown_) Q_EMIT closed();
    });
    connect(&bar_, &LiveBar::pauseWanted, &run_, &LivingRun::setPaused);
    connect(&bar_, &LiveBar::pauseWanted, &analysis_, &RepeatedAnalysis::setPaused);
    connect(&bar_, &LiveBar::changeWanted, this, &WatchedRun::show);
    later_.setSingleShot(true);
    connect(&later_, &QTimer::timeout, this, &WatchedRun::show);
    connect(&bar_, &LiveBar::keepWanted, this, &WatchedRun::askForFile);
    connect(&experiments_, &OpenExperiments::activeChanged, this, &WatchedRun::followExperiments);
}

WatchedRun::~WatchedRun() {
    isWanted_->store(false);
}

void WatchedRun::start() {
    bar_.start(QFileInfo(path_).fileName());
    bar_.show();
    run_.start();
    analysis_.start();
}

ExperimentPtr WatchedRun::shown() const {
    return bar_.changeBox()->isChecked() && snapshot_.change ? snapshot_.change : snapshot_.experiment;
}

QString WatchedRun::whatIsShown() const {
    const QString until = snapshot_.time.section(u';', 0, 0);
    if (shown() == snapshot_.experiment)
        return snapshot_.isWholeRun ? u"the run has ended; this is all of it"_qs : u"panes until "_qs + until;
    return snapshot_.isWholeRun ? u"the run has ended; panes show only what came last"_qs
                                : u"panes show only what came last, until "_qs + until;
}

void WatchedRun::take(const Snapshot& snapshot) {
    snapshot_ = snapshot;
    bar_.setKeepable(true, snapshot.change != nullptr);
    if (snapshot.isWholeRun) bar_.setOver();
    show();
}

/// Somebody is about to choose or drag something, or to answer: what that is about must not go away.
bool WatchedRun::isInUse() {
    return QApplication::activePopupWidget() != nullptr || QApplication::activeModalWidget() != nullptr ||
           QApplication::mouseButtons() != Qt::NoButton;
}

void WatchedRun::show() {
    if (!snapshot_.experiment) return;
    if (isShown_ && isInUse()) return later_.start(kLater);
    isShown_ = true;
    filtering_.renewWhole(path_, shown());
    bar_.setState(whatIsShown());
    connect(browser(), &Browser::chosen, this, &WatchedRun::followSelection);
    followSelection();
}

Browser* WatchedRun::browser() const {
    const auto& all = experiments_.all();
    const auto mine = std::ranges::find(all, path_, &OpenExperiment::path);
    return mine == all.end() ? nullptr : mine->browser;
}

void WatchedRun::followExperiments() {
    if (!isShown_) return;
    const Browser* mine = browser();
    if (mine == nullptr) return Q_EMIT closed();
    bar_.setVisible(mine == experiments_.browser());
}

/// By the names that rows of the plot have.
void WatchedRun::followSelection() {
    Browser* mine = browser();
    if (mine == nullptr) return;
    const algebra::ChosenLocations& chosen = mine->selection().locations();
    if (chosen.isAll()) return bar_.perfometer()->setChosen(kAll);
    std::vector<std::string> rows;
    const algebra::SystemTree& system = mine->experiment().system;
    for (const algebra::LocationId location : chosen.given())
        rows.push_back("rank " + std::to_string(system[system[location].process].rank));
    bar_.perfometer()->setChosen(std::move(rows));
}

void WatchedRun::keep(const QString& file) const {
    algebra::writeExperiment(*shown(), file.toStdString());
}

void WatchedRun::askForFile() {
    const QString file =
        QFileDialog::getSaveFileName(experiments_.window(), u"Keep what the panes show"_qs,
                                     QDir(path_).filePath(u"kept.cubex"_qs), u"Experiments (*.cubex)"_qs);
    if (file.isEmpty()) return;
    try {
        keep(file);
    } catch (const Error& error) {
        Q_EMIT failed(QString::fromUtf8(error.what()));
    }
}

}  // namespace holos::gui

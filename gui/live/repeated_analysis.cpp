// SPDX-License-Identifier: BSD-3-Clause
#include "gui/live/repeated_analysis.h"

#include <QElapsedTimer>
#include <algorithm>
#include <functional>
#include <limits>
#include <memory>

#include "base/error.h"
#include "gui/experiments/loader.h"
#include "gui/models/background.h"
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

}  // namespace holos::gui

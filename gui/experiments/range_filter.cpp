// SPDX-License-Identifier: BSD-3-Clause
#include "gui/experiments/range_filter.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <algorithm>

#include "algebra/files/experiment_file.h"
#include "algebra/operators/derive/derive.h"
#include "algebra/operators/history/provenance.h"
#include "analyzer/analyze.h"
#include "analyzer/recorded_facts.h"
#include "base/error.h"
#include "base/stopped.h"
#include "gui/experiments/open_experiments.h"
#include "gui/views/browser.h"
#include "gui/views/detail_views.h"
#include "gui/views/timeline/timeline_pane.h"
#include "gui/views/view_keeper.h"

namespace holos::gui {

namespace {

ExperimentPtr analyzedRange(const QString& archive, const analyzer::RunRange& range,
                            const std::function<void(double)>& progress, const std::atomic<bool>& stopped) {
    analyzer::AnalysisOptions options;
    options.threads = 0;
    options.range = range;
    options.stopped = &stopped;
    options.progress = [&progress](const analyzer::AnalysisProgress& done) { progress(done.part); };
    const std::filesystem::path trace = archive.toStdString();
    algebra::Experiment experiment = analyzer::analyze(trace, options).experiment;
    const std::filesystem::path folder = std::filesystem::is_directory(trace) ? trace : trace.parent_path();
    analyzer::addRecordedFacts(experiment, folder);
    experiment = algebra::applySpecification(std::move(experiment), "auto");
    const auto exactly = [](double seconds) {
        return QString::number(seconds, 'g', QLocale::FloatingPointShortest).toStdString();
    };
    algebra::setProvenance(experiment,
                           {"analyze",
                            QCoreApplication::applicationVersion().toStdString(),
                            {{"spec", "auto"}, {"from", exactly(range.from)}, {"to", exactly(range.to)}},
                            {{archive.toStdString(), {}}},
                            analyzer::recordedRun(folder)});
    for (const algebra::MetricId root : experiment.metrics.roots()) experiment.severities.table(root);
    return std::make_shared<const algebra::Experiment>(std::move(experiment));
}

}  // namespace

RangeFilter::RangeFilter(OpenExperiments& experiments, QObject* parent)
    : QObject(parent), experiments_(experiments), stopped_(std::make_shared<std::atomic<bool>>(false)) {
    connect(&experiments, &OpenExperiments::added, this, &RangeFilter::connectTo);
}

RangeFilter::~RangeFilter() {
    *stopped_ = true;
}

void RangeFilter::connectTo(const OpenExperiment& one) {
    TimelinePane* pane = one.browser->details()->timeline();
    const QString path = one.path;
    connect(pane, &TimelinePane::onlyRangeWanted, this,
            [this, path, pane] { showRange(path, pane->state()); });
    // The pane goes with its browser: not while it is still telling.
    connect(
        pane, &TimelinePane::wholeRunWanted, this, [this, path] { showWhole(path); }, Qt::QueuedConnection);
    connect(pane, &TimelinePane::savingWanted, this, [this, path] { save(path); });
}

const OpenExperiment* RangeFilter::find(const QString& path) const {
    return experiments_.find(path);
}

void RangeFilter::showRange(const QString& path, const TimelineState& state) {
    if (loader_ || !state.range) return;
    const analyzer::RunRange range{state.fromSeconds, state.toSeconds};
    const auto progress = [this, path](double part) {
        QMetaObject::invokeMethod(this, [this, path, part] {
            if (const OpenExperiment* one = find(path); one != nullptr && loader_)
                one->browser->details()->timeline()->tellProgress(part);
        });
    };
    loader_ = std::make_unique<Loader>(
        path, [archive = state.archive, range, progress, stopped = stopped_]() -> ExperimentPtr {
            try {
                return analyzedRange(archive, range, progress, *stopped);
            } catch (const Stopped&) {
                return nullptr;
            }
        });
    connect(loader_.get(), &Loader::loaded, this,
            [this, path, state](const ExperimentPtr& experiment) { rangeReady(path, state, experiment); });
    connect(loader_.get(), &Loader::failed, this, [this, path](const QString& message) {
        loader_.release()->deleteLater();
        if (const OpenExperiment* one = find(path)) one->browser->details()->timeline()->tellRange();
        Q_EMIT failed(message);
    });
    progress(0.0);
    loader_->start();
}

void RangeFilter::rangeReady(const QString& path, const TimelineState& state,
                             const ExperimentPtr& experiment) {
    loader_.release()->deleteLater();
    const OpenExperiment* one = find(path);
    if (one == nullptr) return;  // it was closed meanwhile
    whole_.emplace(path, one->experiment);
    putInPlace(path, state, experiment, ShownPart::Range);
    find(path)->browser->details()->timeline()->setWholeRunKnown();
}

void RangeFilter::showWhole(const QString& path) {
    const auto whole = whole_.find(path);
    const OpenExperiment* one = find(path);
    if (whole == whole_.end() || one == nullptr) return;
    const ExperimentPtr experiment = whole->second;
    whole_.erase(whole);
    putInPlace(path, one->browser->details()->timeline()->state(), experiment, ShownPart::Whole);
}

void RangeFilter::putInPlace(const QString& path, const TimelineState& state, const ExperimentPtr& experiment,
                             ShownPart extent) {
    const ViewState before = find(path)->browser->views().state();
    experiments_.replace(path, experiment, extent);
    const Browser& now = *find(path)->browser;
    now.details()->timeline()->show(state);
    if (const QString lost = now.views().lost(before); !lost.isEmpty())
        Q_EMIT failed(u"What was selected is not in this range: %1"_qs.arg(lost));
}

void RangeFilter::save(const QString& path) {
    const OpenExperiment* one = find(path);
    if (one == nullptr) return;
    const QString file = QFileDialog::getSaveFileName(
        experiments_.window(), u"Save the values of this range"_qs,
        QFileInfo(path).absolutePath() + u"/range.cubex"_qs, u"Experiments (*.cubex)"_qs);
    if (file.isEmpty()) return;
    if (const FileVersion there = versionOf(file); there.isFile() && there == versionOf(path))
        return Q_EMIT failed(
            u"%1: is the analysis of the whole run; give the range another name"_qs.arg(file));
    try {
        algebra::writeExperiment(*one->experiment, file.toStdString());
    } catch (const Error& error) {
        Q_EMIT failed(QString::fromUtf8(error.what()));
    }
}

}  // namespace holos::gui

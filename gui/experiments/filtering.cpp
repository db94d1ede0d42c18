// SPDX-License-Identifier: BSD-3-Clause
#include "gui/experiments/filtering.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
#include <QUrl>

#include "algebra/files/experiment_file.h"
#include "algebra/operators/derive/derive.h"
#include "algebra/operators/history/provenance.h"
#include "algebra/operators/only.h"
#include "algebra/operators/rows/regroup.h"
#include "analyzer/analyze.h"
#include "analyzer/recorded_facts.h"
#include "base/error.h"
#include "base/stopped.h"
#include "gui/experiments/open_experiments.h"
#include "gui/models/call_model.h"
#include "gui/models/path_set_model.h"
#include "gui/models/system_model.h"
#include "gui/models/timeline/timeline.h"
#include "gui/models/value_cache.h"
#include "gui/views/browser.h"
#include "gui/views/detail_views.h"
#include "gui/views/filter_bar.h"
#include "gui/views/timeline/timeline_pane.h"
#include "gui/views/timeline/timeline_range_bar.h"
#include "gui/views/view_keeper.h"
#include "tracing/recordings/measurement/measurement.h"

namespace holos::gui {

using namespace algebra;

namespace {

[[noreturn]] void refuse(const QString& name) {
    throw Error("this part of the run has no " + QUrl::fromPercentEncoding(name.toUtf8()).toStdString());
}

NodeId rowOf(const TreeModel& model, const QString& key) {
    const auto row = model.rows().withKey(key);
    if (!row) refuse(key);
    return *row;
}

std::vector<bool> locationsIn(const ExperimentPtr& experiment, const QStringList& places) {
    std::vector<bool> isIn(experiment->system.locations.size(), false);
    ValueCache cache(experiment);
    const SystemModel model(cache);
    for (const QString& place : places)
        for (const LocationId location : model.locationsAt(model.indexOf(rowOf(model, place))))
            isIn[location.index()] = true;
    return isIn;
}

std::vector<bool> callPathsIn(const ExperimentPtr& experiment, const Filter& filter) {
    const CallTree& tree = experiment->callTree;
    std::vector<bool> isIn(tree.size(), filter.callPaths.isEmpty());
    if (!filter.callPaths.isEmpty()) {
        ValueCache cache(experiment);
        const CallModel model(cache);
        for (const QString& key : filter.callPaths) isIn[rowOf(model, key).index()] = true;
        for (const CallPathId path : tree.ids())
            if (const auto above = tree.parent(path); above && isIn[above->index()])
                isIn[path.index()] = true;
    }
    const auto isWanted = [&](const Region& region) {
        return (filter.regions.isEmpty() || filter.regions.contains(QString::fromStdString(region.name))) &&
               (filter.kinds.isEmpty() || filter.kinds.contains(kindOf(region)));
    };
    for (const CallPathId path : tree.ids())
        if (!isWanted(experiment->regionOf(path))) isIn[path.index()] = false;
    return isIn;
}

/// The part of an experiment that views show: what the filter names apart from a range of time, which the
/// experiment is already limited to. Throws `holos::Error` where the experiment does not have that.
ExperimentPtr shownPart(const ExperimentPtr& experiment, const Filter& filter) {
    const Filter part = without(ofOneRun(filter), FilterPart::Range);
    if (part.isEmpty()) return experiment;
    Only only;
    only.name = filterText(part).toStdString();
    if (!part.places.isEmpty()) only.locations = locationsIn(experiment, part.places);
    if (!without(part, FilterPart::Places).isEmpty()) only.callPaths = callPathsIn(experiment, part);
    return std::make_shared<const Experiment>(algebra::only(copyOf(*experiment), only));
}

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
                            measurement::recordedRun(folder)});
    readFirstValues(experiment);
    return std::make_shared<const algebra::Experiment>(std::move(experiment));
}

}  // namespace

Filtering::Filtering(OpenExperiments& experiments, QObject* parent)
    : QObject(parent), experiments_(experiments), stopped_(std::make_shared<std::atomic<bool>>(false)) {
    connect(&experiments, &OpenExperiments::added, this, &Filtering::connectTo);
}

Filtering::~Filtering() {
    *stopped_ = true;
}

/// Queued where a browser goes with what it tells: not while it is still telling.
void Filtering::connectTo(const OpenExperiment& one) {
    const TimelinePane* pane = one.browser->details()->timeline();
    const QString path = one.path;
    if (ofOneRun(one.browser->filter()).isEmpty()) {
        whole_.erase(path);
        ranges_.erase(path);
    }
    connect(pane, &TimelinePane::onlyRangeWanted, this, [this, path, pane] {
        const OpenExperiment* now = find(path);
        const TimelineState state = pane->state();
        if (now == nullptr || !state.range) return;
        Filter filter = now->browser->filter();
        filter.range = PartOfTime{state.fromSeconds, state.toSeconds};
        want(path, filter);
    });
    connect(
        pane, &TimelinePane::wholeRunWanted, this,
        [this, path] {
            if (const OpenExperiment* now = find(path))
                want(path, without(now->browser->filter(), FilterPart::Range));
        },
        Qt::QueuedConnection);
    connect(
        one.browser->filterBar(), &FilterBar::wanted, this,
        [this, path](const Filter& filter) { want(path, filter); }, Qt::QueuedConnection);
    connect(one.browser->filterBar(), &FilterBar::savingWanted, this, [this, path] { save(path); });
    connect(
        one.browser, &Browser::partWanted, this, [this, path](const Filter& filter) { want(path, filter); },
        Qt::QueuedConnection);
    connect(
        one.browser, &Browser::otherPartWanted, this,
        [this, path](const ViewState& state) {
            want(path, state.filter, [this, path, state] {
                const OpenExperiment* now = find(path);
                if (now == nullptr || ofOneRun(now->browser->filter()) != ofOneRun(state.filter)) return;
                ViewState here = state;
                here.filter = now->browser->filter();  // experiments that are not open have been named
                now->browser->views().restore(here);
            });
        },
        Qt::QueuedConnection);
    connect(pane, &TimelinePane::savingWanted, this, [this, path] { save(path); });
}

const OpenExperiment* Filtering::find(const QString& path) const {
    return experiments_.find(path);
}

ExperimentPtr Filtering::wholeOf(const OpenExperiment& one) const {
    const auto whole = ofOneRun(one.browser->filter()).isEmpty() ? whole_.end() : whole_.find(one.path);
    return whole == whole_.end() ? one.experiment : whole->second;
}

void Filtering::want(const QString& path, const Filter& filter, const Then& then) {
    const auto end = [&then] {
        if (then) then();
    };
    if (find(path) != nullptr) experiments_.showOnly(filter.experiments);
    const OpenExperiment* one = find(path);
    if (one == nullptr || ofOneRun(one->browser->filter()) == ofOneRun(filter)) return end();
    if (!filter.range) {
        showPartOf(wholeOf(*one), path, filter);
        return end();
    }
    if (const auto made = ranges_.find(path);
        made != ranges_.end() && made->second.range.isSameTime(*filter.range)) {
        showPartOf(made->second.experiment, path, filter);
        return end();
    }
    if (loader_) {
        Q_EMIT failed(u"Another range of time is being made; %1 is not shown"_qs.arg(filterText(filter)));
        return end();
    }
    QString archive = one->browser->details()->timeline()->state().archive;
    if (archive.isEmpty()) archive = tracesOf(*wholeOf(*one), path).value(0);
    if (!archive.isEmpty()) return make(*one, filter, archive, then);
    Q_EMIT failed(u"%1 cannot be shown alone: the trace of %2 is not here"_qs.arg(filterText(filter), path));
    end();
}

void Filtering::tellProgress(const QString& path, const Filter& filter, double done) {
    const OpenExperiment* one = find(path);
    if (one == nullptr || !loader_) return;
    one->browser->filterBar()->tellProgress(filter, done);
    one->browser->details()->timeline()->rangeBar()->tellProgress(done);
}

void Filtering::make(const OpenExperiment& one, const Filter& filter, const QString& archive,
                     const Then& then) {
    const QString path = one.path;
    const analyzer::RunRange range{filter.range->from, filter.range->to};
    const auto progress = [this, path, filter](double part) {
        QMetaObject::invokeMethod(this, [this, path, filter, part] { tellProgress(path, filter, part); });
    };
    loader_ =
        std::make_unique<Loader>(path, [archive, range, progress, stopped = stopped_]() -> ExperimentPtr {
            try {
                return analyzedRange(archive, range, progress, *stopped);
            } catch (const Stopped&) {
                return nullptr;
            }
        });
    connect(loader_.get(), &Loader::loaded, this,
            [this, path, filter, then](const ExperimentPtr& experiment) {
                made(path, filter, experiment);
                if (then) then();
            });
    connect(loader_.get(), &Loader::failed, this, [this, path, then](const QString& message) {
        notMade(path, message);
        if (then) then();
    });
    progress(0.0);
    loader_->start();
}

void Filtering::notMade(const QString& path, const QString& message) {
    loader_.release()->deleteLater();
    if (const OpenExperiment* one = find(path)) {
        one->browser->filterBar()->endProgress();
        one->browser->details()->timeline()->rangeBar()->tell();
    }
    Q_EMIT failed(message);
}

void Filtering::made(const QString& path, const Filter& filter, const ExperimentPtr& experiment) {
    loader_.release()->deleteLater();
    if (find(path) == nullptr) return;  // it was closed meanwhile
    ranges_[path] = {*filter.range, experiment};
    showPartOf(experiment, path, filter);
}

/// Of the values of a whole run or of the range that the filter names.
void Filtering::showPartOf(const ExperimentPtr& base, const QString& path, const Filter& filter) {
    try {
        putInPlace(path, filter, shownPart(base, filter));
    } catch (const Error& error) {
        if (const OpenExperiment* one = find(path)) one->browser->filterBar()->endProgress();
        Q_EMIT failed(u"%1 is not shown: %2"_qs.arg(filterText(filter), QString::fromUtf8(error.what())));
    }
}

void Filtering::renewWhole(const QString& path, const ExperimentPtr& experiment) {
    const OpenExperiment* one = find(path);
    const Filter filter = one == nullptr ? Filter() : one->browser->filter();
    if (ofOneRun(filter).isEmpty()) return experiments_.replace(path, experiment, filter);
    whole_[path] = experiment;
    if (filter.range) return;
    showPartOf(experiment, path, filter);
}

/// What was looked at in the timeline is looked at again; a pane that has not been seen yet has nothing.
void Filtering::putInPlace(const QString& path, const Filter& filter, const ExperimentPtr& experiment) {
    const OpenExperiment& before = *find(path);
    const ExperimentPtr whole = wholeOf(before);
    const ViewState view = before.browser->views().state();
    TimelineState timeline = before.browser->details()->timeline()->state();
    if (filter.range) {
        timeline.range = true;
        timeline.fromSeconds = filter.range->from;
        timeline.toSeconds = filter.range->to;
    }
    experiments_.replace(path, experiment, filter);
    if (!ofOneRun(filter).isEmpty()) whole_[path] = whole;
    const Browser& now = *find(path)->browser;
    if (!timeline.archive.isEmpty()) now.details()->timeline()->show(timeline);
    if (filter.range) now.details()->timeline()->rangeBar()->setWholeRunKnown();
    if (const QString lost = now.views().lost(view); !lost.isEmpty())
        Q_EMIT failed(u"What was selected is not in this part: %1"_qs.arg(lost));
}

void Filtering::save(const QString& path) {
    const OpenExperiment* one = find(path);
    if (one == nullptr) return;
    const QString file = QFileDialog::getSaveFileName(
        experiments_.window(), u"Save the values of this part"_qs,
        QFileInfo(path).absolutePath() + u"/%1.cubex"_qs.arg(nameForFiles(ofOneRun(one->browser->filter()))),
        u"Experiments (*.cubex)"_qs);
    if (file.isEmpty()) return;
    if (const FileVersion there = versionOf(file); there.isFile() && there == versionOf(path))
        return Q_EMIT failed(
            u"%1: is the analysis of the whole run; give the part another name"_qs.arg(file));
    try {
        algebra::writeExperiment(*one->experiment, file.toStdString());
    } catch (const Error& error) {
        Q_EMIT failed(QString::fromUtf8(error.what()));
    }
}

}  // namespace holos::gui

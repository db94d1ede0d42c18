// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/timeline/timeline_pane.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>
#include <utility>

#include "analyzer/trace/anchor.h"
#include "base/error.h"
#include "gui/models/file_names.h"
#include "gui/models/quantity.h"
#include "gui/models/timeline/call_path_of_stack.h"
#include "gui/models/timeline/calls_in_part.h"
#include "gui/views/parts/assistive.h"
#include "gui/views/parts/fitting.h"
#include "gui/views/timeline/call_lengths_view.h"
#include "gui/views/timeline/timeline_choices.h"
#include "gui/views/timeline/timeline_comparison.h"
#include "gui/views/timeline/timeline_find_box.h"
#include "gui/views/timeline/timeline_legend.h"
#include "gui/views/timeline/timeline_notebook.h"
#include "gui/views/timeline/timeline_range_bar.h"
#include "gui/views/timeline/timeline_state.h"
#include "gui/views/timeline/timeline_tracks.h"
#include "gui/views/timeline/timeline_view.h"
#include "gui/views/timeline/timeline_waits.h"

namespace holos::gui {

using namespace algebra;
using trace::Ticks;

namespace {

constexpr double kContext = 1.0;  ///< waits before and after the one that is looked at
constexpr int kListWidth = 340;
constexpr int kLeastArchive = 70;
constexpr int kMarginOfFooter = 30;

}  // namespace

TimelinePane::TimelinePane(const Experiment& experiment, QWidget* parent)
    : DetailView(parent),
      experiment_(experiment),
      names_(experiment),
      waits_(new TimelineWaits(experiment, this)),
      tracks_(new TimelineTracks(this)),
      track_(tracks_->first()),
      rangeBar_(new TimelineRangeBar(experiment, *track_, names_, this)),
      archives_(new QComboBox(this)),
      choices_(new TimelineChoices(names_, this)),
      title_(new ElidedLabel(this)),
      footer_(new QBoxLayout(QBoxLayout::LeftToRight)),
      choose_(new QPushButton(u"Open trace…"_qs, this)),
      legend_(new TimelineLegend(this)),
      find_(new TimelineFindBox(*track_, this)),
      comparison_(new TimelineComparison(*tracks_, this)),
      notebook_(new TimelineNotebook(*track_, this)) {
    build();
    setFocusProxy(view());
    legend_->setMarks(choices_->marks());
    view()->setMetricNames(names_.ofMetrics());
    connect(rangeBar_, &TimelineRangeBar::onlyWanted, this, &TimelinePane::onlyRangeWanted);
    connect(rangeBar_, &TimelineRangeBar::wholeWanted, this, &TimelinePane::wholeRunWanted);
    connect(rangeBar_, &TimelineRangeBar::saveWanted, this, &TimelinePane::savingWanted);
    connectCalls();
    connect(track_, &TimelineTrack::opened, this, &TimelinePane::traceOpened);
    connect(track_, &TimelineTrack::told, this, &TimelinePane::tell);
    connect(tracks_, &TimelineTracks::told, this, &TimelinePane::tell);
    connect(tracks_, &TimelineTracks::otherOpened, this, [this] { showPartIn(*tracks_->other()); });
    connect(view(), &TimelineView::locationChosen, this, [this](trace::LocationId chosen) {
        if (const auto here = inExperiment(experiment_, *track_->definitions(), chosen))
            Q_EMIT locationWanted(*here);
    });
    connect(choices_, &TimelineChoices::groupingChosen, this, &TimelinePane::setGrouping);
    connect(choices_, &TimelineChoices::colorsChosen, this, &TimelinePane::setColors);
    connect(choices_, &TimelineChoices::markToggled, this, &TimelinePane::toggleMarks);
    connect(track_, &TimelineTrack::prepared, this, &TimelinePane::offerMetrics);
    connect(waits_, &TimelineWaits::chosen, this, &TimelinePane::waitChosen);
    connect(choose_, &QPushButton::clicked, this, &TimelinePane::askForTrace);
    connect(find_, &TimelineFindBox::told, this, &TimelinePane::tellFound);
    connect(comparison_, &TimelineComparison::told, this, &TimelinePane::tellFound);
    connect(notebook_, &TimelineNotebook::told, this, &TimelinePane::tell);
    connect(find_, &QLineEdit::textEdited, this, [this] { found_.clear(); });
    connect(archives_, &QComboBox::activated, this, [this] { openTrace(archives_->currentText()); });
}

TimelinePane::~TimelinePane() = default;

TimelineView* TimelinePane::view() const {
    return track_->view();
}

const TimelineMarks& TimelinePane::marks() const {
    return choices_->marks();
}

TimelineTrack* TimelinePane::otherTrack() const {
    return tracks_->other();
}

bool TimelinePane::isBusy() const {
    return tracks_->isBusy() || find_->isBusy() || comparison_->isBusy();
}

QString TimelinePane::asCsv() const {
    return waits_->asCsv();
}

void TimelinePane::build() {
    setNameOfBox(*archives_, u"Trace"_qs);
    archives_->setMinimumWidth(kLeastArchive);
    archives_->hide();
    auto* whole = new QPushButton(u"Whole run"_qs, this);
    whole->setToolTip(u"Show the whole run (Home)"_qs);
    connect(whole, &QPushButton::clicked, view(), &TimelineView::showAll);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(8, 4, 6, 4);
    top->setSpacing(8);
    top->addWidget(choices_);
    top->addWidget(find_, 100);
    top->addStretch(1);
    top->addWidget(archives_);
    top->addWidget(whole);
    top->addWidget(comparison_->compareButton());
    top->addWidget(comparison_->shiftBox());
    top->addWidget(choose_);
    auto* below = new QHBoxLayout;
    below->addStretch(1);
    below->addWidget(comparison_->alignButton());
    below->addWidget(legend_);
    footer_->setContentsMargins(8, 2, 6, 2);
    footer_->addWidget(title_, 1);
    footer_->addLayout(below);
    auto* right = new QWidget(this);
    auto* down = new QVBoxLayout(right);
    down->setContentsMargins(0, 0, 0, 0);
    down->setSpacing(0);
    down->addLayout(top);
    down->addWidget(rangeBar_);
    down->addWidget(tracks_, 1);
    down->addLayout(footer_);
    auto* across = new QSplitter(this);
    across->addWidget(waits_);
    across->addWidget(right);
    across->setSizes({kListWidth, 3 * kListWidth});
    across->setStretchFactor(1, 1);
    across->setHandleWidth(5);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(across);
}

/// What a click, or the menu of the right button, wants of the call below the pointer.
void TimelinePane::connectCalls() {
    connect(track_, &TimelineTrack::stackRead, this, &TimelinePane::stackRead);
    connect(view(), &TimelineView::regionWanted, this, [this](trace::RegionId region) {
        Filter part;
        part.regions = {QString::fromStdString((*track_->definitions())[region].name)};
        Q_EMIT partWanted(part);
    });
    connect(view(), &TimelineView::onlyLocationWanted, this, [this](trace::LocationId location) {
        const auto here = inExperiment(experiment_, *track_->definitions(), location);
        if (!here) return;
        Q_EMIT locationWanted(*here);
        Q_EMIT selectedPlaceWanted();
    });
    connect(view(), &TimelineView::nextCallWanted, find_,
            [this](const QString& region) { find_->findNextOf(region); });
    connect(view(), &TimelineView::lengthsWanted, this, &TimelinePane::showLengths);
    connect(view(), &TimelineView::iterationWanted, comparison_, &TimelineComparison::selectIteration);
}

/// Of the range that is selected, or of the whole run.
void TimelinePane::showLengths(trace::RegionId region) {
    const DefinitionsPtr definitions = track_->definitions();
    CallLengthsQuestion question{.anchor = {},
                                 .definitions = definitions,
                                 .region = region,
                                 .shown = track_->shown(),
                                 .from = 0,
                                 .to = static_cast<Ticks>(definitions->clock.length)};
    QString where = u"the whole run"_qs;
    if (const auto& range = view()->range(); range && range->to > range->from) {
        question.from = range->from;
        question.to = range->to;
        where = momentText(definitions->seconds(range->from)) + u" … "_qs +
                momentText(definitions->seconds(range->to));
    }
    if (!question.shown.empty()) where += u", in the threads that are shown"_qs;
    if (view()->hasCallsOutsideOfPart()) where += u", in all call paths"_qs;
    try {
        question.anchor = trace::findAnchor(track_->archive().toStdString());
    } catch (const Error& error) {
        return tell(QString::fromUtf8(error.what()));
    }
    auto* lengths = new CallLengthsView(question, view()->nameOf(region), where, this);
    connect(lengths, &CallLengthsView::callWanted, this,
            [this, name = QString::fromStdString((*definitions)[region].name)](const QString&, double least) {
                find_->findNextOf(name, least);
            });
    lengths->show();
}

/// Selects the call path, from which no wait is looked for now, and says what happened there.
void TimelinePane::stackRead(trace::LocationId location, Ticks time,
                             const std::vector<trace::StackBar>& stack) {
    const trace::Definitions& definitions = *track_->definitions();
    const auto paths = callPathsOf(stack, definitions, experiment_);
    if (!paths.empty()) {
        clicked_ = paths;
        Q_EMIT callPathsWanted(paths);
    }
    const trace::StackBar& innermost = stack.back();
    QStringList names;
    for (const trace::StackBar& bar : stack) names << view()->nameOf(bar.region);
    QString text = names.takeLast() + u", "_qs +
                   durationText(definitions.seconds(innermost.end - innermost.begin)) + u" from "_qs +
                   momentText(definitions.seconds(innermost.begin)) + u" on"_qs;
    if (paths.size() > 1) text += u" (one of %1 call paths)"_qs.arg(paths.size());
    if (const QString wait = view()->waitText(location, time); !wait.isEmpty()) text += u" · "_qs + wait;
    if (!names.isEmpty()) text += u" · called by "_qs + names.join(u" / "_qs);
    tellFound(text);
}

Ticks TimelinePane::ticks(double seconds) const {
    return nearestTick(*track_->definitions(), seconds);
}

TimelineState TimelinePane::state() const {
    TimelineState state{.archive = track_->archive(), .from = view()->from(), .to = view()->to()};
    state.grouping = choices_->grouping();
    state.metric = choices_->metricOfColors();
    state.colors = choices_->colors();
    state.marks = marks();
    state.stacks = view()->layout().openStacks();
    state.pinned = view()->layout().pinned();
    state.other = comparison_->other();
    state.shift = comparison_->shift();
    if (!view()->range() || !track_->definitions()) return state;
    state.range = view()->range()->to > view()->range()->from;
    state.fromSeconds = track_->definitions()->seconds(view()->range()->from);
    state.toSeconds = track_->definitions()->seconds(view()->range()->to);
    return state;
}

void TimelinePane::show(const TimelineState& state) {
    wanted_ = state;
    searched_ = true;
    openTrace(state.archive);
}

std::optional<PartOfTime> TimelinePane::window() const {
    if (!track_->definitions()) return wantedWindow_;
    const bool isAll =
        view()->from() <= 0 && view()->to() >= static_cast<Ticks>(track_->definitions()->clock.length);
    return isAll ? std::nullopt
                 : std::optional(PartOfTime{track_->definitions()->seconds(view()->from()),
                                            track_->definitions()->seconds(view()->to())});
}

void TimelinePane::showWindow(const PartOfTime& window) {
    if (!track_->definitions()) {
        wantedWindow_ = window;
        return;
    }
    view()->changeWindow(static_cast<double>(ticks(window.from)), static_cast<double>(ticks(window.to)));
}

QString TimelinePane::look() const {
    return track_->definitions() ? lookOf(state()) : wantedLook_;
}

void TimelinePane::setLook(const QString& look) {
    if (look == this->look()) return;
    if (!track_->definitions())
        wantedLook_ = look;
    else if (const auto wanted = withLook(state(), look))
        applyLook(*wanted);
}

void TimelinePane::applyLook(const TimelineState& state) {
    if (state.grouping != choices_->grouping()) setGrouping(state.grouping);
    choices_->offer(state.metric);
    setColors(state.colors, state.metric);
    setMarks(state.marks);
    std::vector<std::size_t> changed;
    const std::vector<std::size_t> open = view()->layout().openStacks();
    std::ranges::set_symmetric_difference(open, state.stacks, std::back_inserter(changed));
    for (const std::size_t location : changed)
        if (location < track_->definitions()->locations.size())
            view()->toggleStack(trace::LocationId(location));
    view()->setPinned(state.pinned);
    if (state.other != comparison_->other()) comparison_->compareWith(state.other);
    comparison_->setShift(state.shift);
}

void TimelinePane::offerMetrics() {
    try {
        choices_->offerAllOf(track_->definitions(), track_->course());
    } catch (const Error& error) {
        tell(QString::fromUtf8(error.what()));
    }
}

void TimelinePane::setMarks(TimelineMarks marks) {
    const bool isMore = marks.path && !this->marks().path;
    choices_->setMarks(marks);
    legend_->setMarks(marks);
    tracks_->setMarks(marks, isMore);
}

void TimelinePane::toggleMarks(TimelineMark mark) {
    TimelineMarks marks = this->marks();
    marks.*mark = !(marks.*mark);
    setMarks(marks);
    if (marks.*mark && mark != &TimelineMarks::messages) tracks_->setMarks(marks, true);
}

void TimelinePane::setGrouping(TimelineGrouping grouping) {
    choices_->setGrouping(grouping);
    tracks_->setGrouping(grouping);
}

void TimelinePane::setColors(TimelineColors colors, const std::string& metric) {
    choices_->setColors(colors, metric);
    legend_->setColors(colors);
    tracks_->setColors(colors, metric);
}

/// Behind what was found, what goes on is still said.
void TimelinePane::tellFound(const QString& found) {
    found_ = found;
    tell(track_->message());
}

QString TimelinePane::message() const {
    return title_->text();
}

void TimelinePane::tell(const QString& message) {
    title_->setText(found_.isEmpty() ? message : found_ + u"; "_qs + message);
    placeTitle();
}

/// Beside the legend, or above it, where it would be cut there.
void TimelinePane::placeTitle() {
    const int room = tracks_->width() - legend_->sizeHint().width();
    footer_->setDirection(title_->sizeHint().width() + kMarginOfFooter > room ? QBoxLayout::TopToBottom
                                                                              : QBoxLayout::LeftToRight);
}

void TimelinePane::resizeEvent(QResizeEvent* event) {
    DetailView::resizeEvent(event);
    placeTitle();
}

void TimelinePane::follow(const Focus& focus) {
    const bool first = !focus_;
    const bool isClicked = focus.path && std::ranges::find(clicked_, *focus.path) != clicked_.end();
    if (!isClicked) clicked_.clear();
    const bool moved =
        first || (focus.path != focus_->path && !isClicked) || focus.metric.metric != focus_->metric.metric;
    focus_ = focus;
    waits_->follow(focus);
    view()->setDigits(focus.digits);
    rangeBar_->setDigits(focus.digits);
    view()->setWholeNames(focus.wholeNames);
    findTraces();
    if (!track_->definitions()) return;
    selected_ = focus.location ? inTrace(experiment_, *track_->definitions(), *focus.location) : std::nullopt;
    track_->setSelected(selected_);
    showWaits();
    if (moved) waits_->selectOneOf(focus.path);
}

void TimelinePane::findTraces() {
    if (searched_) return;
    searched_ = true;
    const QStringList found = tracesOf(experiment_, file_);
    archives_->addItems(found);
    archives_->setVisible(found.size() > 1);
    if (const QString why = whyNoTrace(file_); !why.isEmpty())
        tell(why);
    else if (found.isEmpty())
        tell(QFileInfo(file_).isDir()
                 ? u"There is no timeline yet: the trace is made when the run has ended."_qs
                 : u"The trace of this experiment is not here: no OTF2 archive lies beside its file."_qs);
    else
        openTrace(found.front());
}

void TimelinePane::openTrace(const QString& archive) {
    track_->openTrace(archive);
}

/// A trace has the lines of the locations that the experiment has, where that is of a part of them.
void TimelinePane::showPartIn(TimelineTrack& track) const {
    if (!isOfPart(experiment_)) return;
    const DefinitionsPtr definitions = track.definitions();
    ShownLocations shown(definitions->locations.size(), false);
    for (std::size_t at = 0; at < experiment_.system.locations.size(); ++at)
        if (const auto location = inTrace(experiment_, *definitions, LocationId(at)))
            shown[location->index()] = true;
    if (std::ranges::all_of(shown, [](bool each) { return each; })) shown.clear();
    const bool isOfThreadsOnly = !part_.isEmpty() && !isOfCalls(part_);
    track.showOnly(std::move(shown), isOfThreadsOnly ? CallsInPart() : CallsInPart(experiment_, definitions));
}

/// The severest wait of what is selected, or else the whole run.
void TimelinePane::traceOpened() {
    showPartIn(*track_);
    legend_->setKnowsShortages(track_->definitions()->attributeOfShortage.has_value());
    if (focus_ && focus_->location)
        selected_ = inTrace(experiment_, *track_->definitions(), *focus_->location);
    setGrouping(TimelineGrouping::Threads);
    if (const WaitInstance* here = focus_ ? waits_->longestOf(focus_->path) : nullptr) {
        waits_->selectOneOf(focus_->path);
        jumpTo(*here);
    }
    if (const auto wanted = std::exchange(wanted_, std::nullopt)) {
        applyLook(*wanted);
        view()->setWindow(wanted->from, wanted->to);
        if (wanted->range) view()->setRange(TimeRange{ticks(wanted->fromSeconds), ticks(wanted->toSeconds)});
    } else if (const auto shown = rangeBar_->shownRange()) {
        view()->setRange(shown);
    }
    if (const QString look = std::exchange(wantedLook_, {}); !look.isEmpty()) setLook(look);
    if (const auto window = std::exchange(wantedWindow_, std::nullopt)) showWindow(*window);
    if (const auto range = std::exchange(wantedRange_, std::nullopt)) selectRange(*range);
    if (const auto moment = std::exchange(wantedMoment_, std::nullopt)) showMoment(*moment);
    notebook_->traceOpened();
    track_->setSelected(selected_);
    showWaits();
    rangeBar_->tell();
}

/// Shows the waits that are listed, each with its causer.
void TimelinePane::showWaits() {
    view()->setWaits(waits_->placesIn(track_->definitions()));
}

/// What is selected in the panes follows a wait that somebody chose, and stays as it is where the wait
/// follows the panes.
void TimelinePane::waitChosen(const WaitInstance& instance, bool follows) {
    if (!track_->definitions()) return;
    jumpTo(instance);
    track_->readLater();
    if (follows) return;
    const auto wait = waits_->placeOf(instance, track_->definitions());
    const auto path = waits_->callPathOf(instance);
    if (path && (!focus_ || focus_->path != path)) Q_EMIT callPathWanted(*path);
    if (!wait) return;
    if (const auto location = inExperiment(experiment_, *track_->definitions(), wait->location))
        Q_EMIT locationWanted(*location);
}

void TimelinePane::jumpTo(const WaitInstance& instance) {
    const auto wait = waits_->placeOf(instance, track_->definitions());
    if (!wait) return tell(u"This trace has no %1."_qs.arg(QString::fromStdString(instance.location)));
    jumpTo(*wait);
}

void TimelinePane::jumpTo(const TimelineWait& wait) {
    const auto context = static_cast<Ticks>(static_cast<double>(wait.end - wait.begin) * kContext);
    view()->setWindow(std::max<Ticks>(0, wait.begin - context),
                      std::min(static_cast<Ticks>(track_->definitions()->clock.length), wait.end + context));
    view()->setFramed(wait);
    found_.clear();  // it was of another place
    tell(track_->message());
    view()->reveal(wait.location);
    Q_EMIT view()->windowChanged();
}

void TimelinePane::showMoment(const TimelineMoment& moment) {
    if (!track_->definitions()) {
        wantedMoment_ = moment;
        return;
    }
    if (moment.location >= track_->definitions()->locations.size()) return;
    const Ticks begin = ticks(moment.time.from);
    jumpTo(TimelineWait{trace::LocationId(moment.location), begin, std::max(begin + 1, ticks(moment.time.to)),
                        std::nullopt});
    track_->readLater();
}

/// With as much before and after it.
void TimelinePane::selectRange(const PartOfTime& range) {
    if (!track_->definitions()) {
        wantedRange_ = range;
        return;
    }
    view()->setRange(TimeRange{ticks(range.from), ticks(range.to)});
    const double around = kContext * (range.to - range.from);
    showWindow({std::max(0.0, range.from - around), range.to + around});
}

void TimelinePane::askForTrace() {
    const QString path =
        QFileDialog::getOpenFileName(this, u"Open a trace"_qs, {}, u"OTF2 archives (*.otf2)"_qs);
    if (!path.isEmpty()) openTrace(path);
}

}  // namespace holos::gui

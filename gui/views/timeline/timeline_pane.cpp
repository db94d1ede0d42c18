// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/timeline/timeline_pane.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "gui/models/csv.h"
#include "gui/models/timeline/timeline_content.h"
#include "gui/models/timeline/timeline_counter.h"
#include "gui/models/timeline/timeline_marks.h"
#include "gui/views/parts/copying.h"
#include "gui/views/parts/elided_label.h"
#include "gui/views/parts/number_delegate.h"
#include "gui/views/timeline/timeline_find_box.h"
#include "gui/views/timeline/timeline_legend.h"
#include "gui/views/timeline/timeline_range_bar.h"
#include "gui/views/timeline/timeline_track.h"
#include "gui/views/timeline/timeline_tracks.h"
#include "gui/views/timeline/timeline_view.h"

namespace holos::gui {

using namespace algebra;
using trace::Ticks;

namespace {

constexpr double kContext = 1.0;  ///< waits before and after the one that is looked at
constexpr int kListWidth = 340;
constexpr std::size_t kWaitsOfRange = 3;  ///< that are told of a range

}  // namespace

TimelinePane::TimelinePane(const Experiment& experiment, QWidget* parent)
    : DetailView(parent),
      experiment_(experiment),
      waits_(experiment),
      table_(new QTableView(this)),
      tracks_(new TimelineTracks(this)),
      track_(tracks_->first()),
      rangeBar_(new TimelineRangeBar(this)),
      archives_(new QComboBox(this)),
      grouping_(new QComboBox(this)),
      colors_(new QComboBox(this)),
      title_(new ElidedLabel(this)),
      choose_(new QPushButton(u"Open trace…"_qs, this)),
      legend_(new TimelineLegend(this)),
      find_(new TimelineFindBox(*track_, this)),
      compare_(new QPushButton(u"Compare…"_qs, this)),
      drawn_(new QToolButton(this)) {
    build();
    connectRange();
    connect(track_, &TimelineTrack::opened, this, &TimelinePane::traceOpened);
    connect(track_, &TimelineTrack::told, this, &TimelinePane::tell);
    connect(tracks_, &TimelineTracks::told, this, &TimelinePane::tell);
    connect(view(), &TimelineView::locationChosen, this, [this](trace::LocationId chosen) {
        if (const auto here = inExperiment(experiment_, *track_->definitions(), chosen))
            Q_EMIT locationWanted(*here);
    });
    connect(grouping_, &QComboBox::activated, this,
            [this](int chosen) { setGrouping(static_cast<TimelineGrouping>(chosen)); });
    connect(colors_, &QComboBox::activated, this, [this](int chosen) {
        const std::string metric = colors_->itemData(chosen).toString().toStdString();
        setColors(metric.empty() ? static_cast<TimelineColors>(chosen) : TimelineColors::Metric, metric);
    });
    connect(track_, &TimelineTrack::prepared, this, &TimelinePane::offerMetrics);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &TimelinePane::instanceChosen);
    connect(choose_, &QPushButton::clicked, this, &TimelinePane::askForTrace);
    connect(compare_, &QPushButton::clicked, this, &TimelinePane::askForOther);
    connect(find_, &TimelineFindBox::told, this, [this](const QString& message) {
        found_ = message;
        tell(track_->message());
    });
    connect(find_, &QLineEdit::textEdited, this, [this] { found_.clear(); });
    connect(archives_, &QComboBox::activated, this, [this] { openTrace(archives_->currentText()); });
}

TimelinePane::~TimelinePane() = default;

TimelineView* TimelinePane::view() const {
    return track_->view();
}

TimelineTrack* TimelinePane::otherTrack() const {
    return tracks_->other();
}

bool TimelinePane::isBusy() const {
    return tracks_->isBusy() || find_->isBusy();
}

QString TimelinePane::asCsv() const {
    return tableAsCsv(waits_);
}

void TimelinePane::build() {
    table_->setObjectName(u"Longest waits"_qs);
    table_->setAccessibleName(u"Longest waits"_qs);
    table_->setModel(&waits_);
    makeTableOfRows(*table_);
    table_->horizontalHeader()->setStretchLastSection(true);
    for (const int column : {InstanceModel::WaitColumn, InstanceModel::BeginColumn})
        table_->setItemDelegateForColumn(column, new NumberDelegate(table_));
    table_->resizeColumnsToContents();
    table_->setVisible(waits_.rowCount() > 0);
    archives_->setAccessibleName(u"Trace"_qs);
    archives_->hide();
    auto* whole = new QPushButton(u"Whole run"_qs, this);
    whole->setToolTip(u"Show the whole run (Home)"_qs);
    connect(whole, &QPushButton::clicked, view(), &TimelineView::showAll);
    buildChoices();
    auto* top = new QHBoxLayout;
    top->setContentsMargins(8, 4, 6, 4);
    top->setSpacing(8);
    top->addWidget(grouping_);
    top->addWidget(colors_);
    top->addWidget(drawn_);
    top->addWidget(find_, 1);
    top->addStretch(1);
    top->addWidget(archives_);
    top->addWidget(whole);
    top->addWidget(compare_);
    top->addWidget(choose_);
    compare_->setToolTip(u"Another run below, on the same scale of time"_qs);
    auto* bottom = new QHBoxLayout;
    bottom->setContentsMargins(8, 2, 6, 2);
    bottom->addWidget(title_, 1);
    bottom->addWidget(legend_);
    auto* right = new QWidget(this);
    auto* down = new QVBoxLayout(right);
    down->setContentsMargins(0, 0, 0, 0);
    down->setSpacing(0);
    down->addLayout(top);
    down->addWidget(rangeBar_);
    down->addWidget(tracks_, 1);
    down->addLayout(bottom);
    auto* across = new QSplitter(this);
    across->addWidget(table_);
    across->addWidget(right);
    across->setSizes({kListWidth, 3 * kListWidth});
    across->setStretchFactor(1, 1);
    across->setHandleWidth(5);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(across);
}

void TimelinePane::connectRange() {
    connect(view(), &TimelineView::rangeChanged, this, &TimelinePane::tellRange);
    connect(track_, &TimelineTrack::prepared, this, &TimelinePane::tellRange);
    connect(rangeBar_, &TimelineRangeBar::onlyWanted, this, &TimelinePane::onlyRangeWanted);
    connect(rangeBar_, &TimelineRangeBar::wholeWanted, this, &TimelinePane::wholeRunWanted);
    connect(rangeBar_, &TimelineRangeBar::saveWanted, this, &TimelinePane::savingWanted);
    connect(rangeBar_, &TimelineRangeBar::clearWanted, this, [this] { view()->setRange(std::nullopt); });
    connect(rangeBar_, &TimelineRangeBar::zoomWanted, this, [this] {
        const auto range = view()->range();
        if (range) view()->changeWindow(static_cast<double>(range->from), static_cast<double>(range->to));
    });
    tellRange();
}

/// What an experiment of a part of a run says of itself.
std::optional<QString> TimelinePane::filteredRange() const {
    for (const auto& [name, value] : experiment_.attributes)
        if (name == "holos.range") return QString::fromStdString(value);
    return std::nullopt;
}

void TimelinePane::tellRange() {
    const auto shown = filteredRange();
    const bool isSelected =
        track_->definitions() && view()->range() && view()->range()->to > view()->range()->from;
    if (isSelected && !(shown && *view()->range() == ticksOf(*shown)))
        return rangeBar_->showSelected(rangeText(), knowsWholeRun_);
    if (!shown) return rangeBar_->hide();
    const QStringList ends = shown->split(u' ');
    rangeBar_->showFiltered(
        u"All panes show the values from %1 s to %2 s only"_qs.arg(ends.value(0), ends.value(1)),
        knowsWholeRun_);
}

Ticks TimelinePane::ticks(double seconds) const {
    return static_cast<Ticks>(
        std::llround(seconds * static_cast<double>(track_->definitions()->clock.ticksPerSecond)));
}

TimeRange TimelinePane::ticksOf(const QString& range) const {
    const QStringList ends = range.split(u' ');
    return {ticks(ends.value(0).toDouble()), ticks(ends.value(1).toDouble())};
}

/// Its length, and what the time of all locations was spent for.
QString TimelinePane::rangeText() const {
    const TimeRange range = *view()->range();
    const trace::Definitions& definitions = *track_->definitions();
    const double length = definitions.seconds(range.to - range.from);
    QString text =
        u"%1 s … %2 s: "_qs.arg(definitions.seconds(range.from), 0, 'f', 6)
            .arg(definitions.seconds(range.to), 0, 'f', 6) +
        QuantityFormat::absolute(u"sec"_qs, length, false, focus_ ? focus_->digits : Digits()).text(length);
    if (!track_->levels()) return text;
    const std::vector<double> parts = sharesIn(*track_->levels(), range.from, range.to);
    if (parts.empty()) return text;
    const auto named = [](Activity activity) {
        return activity == Activity::Nothing ? u"outside of regions"_qs : nameOf(activity);
    };
    for (const Activity activity : {Activity::User, Activity::Mpi, Activity::OpenMp, Activity::OpenMpWaiting,
                                    Activity::Other, Activity::Nothing})
        if (const double part = parts[static_cast<std::size_t>(activity)]; part > 0)
            text += u" · %1 %2 %"_qs.arg(named(activity)).arg(100.0 * part, 0, 'f', part < 0.1 ? 1 : 0);
    if (!track_->course()) return text;
    const auto waits = waitsIn(*track_->course(), definitions, range.from, range.to);
    for (std::size_t at = 0; at < std::min(kWaitsOfRange, waits.size()); ++at)
        text += u" · %1 "_qs.arg(nameOfMetric(waits[at].first)) +
                QuantityFormat::absolute(u"sec"_qs, waits[at].second, false, Digits()).text(waits[at].second);
    return text;
}

void TimelinePane::tellProgress(double part) {
    rangeBar_->showProgress(u"The values of this range are being made: %1 %"_qs.arg(qRound(100.0 * part)));
}

void TimelinePane::setWholeRunKnown() {
    knowsWholeRun_ = true;
    tellRange();
}

TimelineState TimelinePane::state() const {
    TimelineState state{.archive = track_->archive(), .from = view()->from(), .to = view()->to()};
    state.grouping = static_cast<TimelineGrouping>(grouping_->currentIndex());
    state.metric = colors_->currentData().toString().toStdString();
    state.colors =
        state.metric.empty() ? static_cast<TimelineColors>(colors_->currentIndex()) : TimelineColors::Metric;
    state.marks = marks_;
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

void TimelinePane::buildChoices() {
    grouping_->addItems({u"Threads"_qs, u"Processes"_qs, u"Nodes"_qs});
    grouping_->setAccessibleName(u"Lines"_qs);
    grouping_->setToolTip(u"What the lines are; a click on the name of a group folds it"_qs);
    colors_->addItems({u"Calls"_qs, u"Heat map: lost"_qs, u"Heat map: MPI"_qs,
                       u"Heat map: OpenMP synchronization"_qs, u"Heat map: program"_qs});
    colors_->setObjectName(u"Timeline colours"_qs);
    colors_->setAccessibleName(u"Colours"_qs);
    colors_->setToolTip(u"What colours mean; in a heat map, the share of each moment"_qs);
    drawn_->setText(u"Marks"_qs);
    drawn_->setAccessibleName(u"Marks"_qs);
    drawn_->setToolTip(u"What is drawn over the lines"_qs);
    drawn_->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(drawn_);
    const auto add = [&](const QString& text, bool TimelineMarks::*member) {
        QAction* action = menu->addAction(text);
        action->setCheckable(true);
        connect(action, &QAction::triggered, this, [this, member] { toggleMarks(member); });
        connect(menu, &QMenu::aboutToShow, action, [=, this] { action->setChecked(marks_.*member); });
    };
    add(u"Waits, and who is waited for"_qs, &TimelineMarks::waits);
    add(u"Collective operations"_qs, &TimelineMarks::operations);
    add(u"Critical path"_qs, &TimelineMarks::path);
    drawn_->setMenu(menu);
    legend_->setMarks(marks_);
    QHash<QString, QString> names;
    for (std::size_t at = 0; at < experiment_.metrics.size(); ++at) {
        const Metric& metric = experiment_.metrics[MetricId(at)];
        names.insert(QString::fromStdString(metric.uniqueName), QString::fromStdString(metric.displayName));
    }
    view()->setMetricNames(names);
}

QString TimelinePane::nameOfMetric(const std::string& uniqueName) const {
    const QString counter = QString::fromLatin1(kCounterPrefix);
    if (const QString name = QString::fromStdString(uniqueName); name.startsWith(counter))
        return name.mid(counter.size());
    for (std::size_t at = 0; at < experiment_.metrics.size(); ++at)
        if (experiment_.metrics[MetricId(at)].uniqueName == uniqueName)
            return QString::fromStdString(experiment_.metrics[MetricId(at)].displayName);
    return QString::fromStdString(uniqueName);
}

/// Of the metrics that have a place in time.
void TimelinePane::offerMetrics() {
    if (track_->definitions())
        for (const trace::MetricMember& member : track_->definitions()->metricMembers)
            offerMetric(kCounterPrefix + member.name);
    if (!track_->course()) return;
    const analyzer::timeline::Course& course = *track_->course();
    const analyzer::timeline::RowId all{analyzer::timeline::rowLevelsOf(course.locations()) - 1, 0};
    for (std::uint32_t name = 0; name < course.names().size(); ++name) try {
            if (!course.sums(name, all, course.grid().levels() - 1).empty())
                offerMetric(course.names()[name]);
        } catch (const Error& error) {
            tell(QString::fromUtf8(error.what()));
        }
}

void TimelinePane::offerMetric(const std::string& uniqueName) {
    const QString name = QString::fromStdString(uniqueName);
    if (!name.isEmpty() && colors_->findData(name) < 0)
        colors_->addItem(u"Heat map: "_qs + nameOfMetric(uniqueName), name);
}

void TimelinePane::setMarks(TimelineMarks marks) {
    const bool isMore = marks.path && !marks_.path;
    marks_ = marks;
    legend_->setMarks(marks);
    tracks_->setMarks(marks, isMore);
}

void TimelinePane::toggleMarks(bool TimelineMarks::*member) {
    TimelineMarks marks = marks_;
    marks.*member = !(marks.*member);
    setMarks(marks);
    if (marks.*member) tracks_->setMarks(marks, true);
}

void TimelinePane::setGrouping(TimelineGrouping grouping) {
    grouping_->setCurrentIndex(static_cast<int>(grouping));
    tracks_->setGrouping(grouping);
}

void TimelinePane::setColors(TimelineColors colors, const std::string& metric) {
    const int at =
        metric.empty() ? static_cast<int>(colors) : colors_->findData(QString::fromStdString(metric));
    colors_->setCurrentIndex(std::max(0, at));
    legend_->setColors(colors);
    tracks_->setColors(colors, metric);
}

QString TimelinePane::message() const {
    return title_->text();
}

void TimelinePane::tell(const QString& message) {
    title_->setText(found_.isEmpty() ? message : found_ + u"; "_qs + message);
}

void TimelinePane::follow(const Focus& focus) {
    const bool first = !focus_;
    const bool moved = first || focus.path != focus_->path || focus.metric.metric != focus_->metric.metric;
    focus_ = focus;
    waits_.setMetric(focus.metric.metric);
    waits_.setDigits(focus.digits);
    waits_.setWholeNames(focus.wholeNames);
    growColumns(*table_, {InstanceModel::WaitColumn, InstanceModel::BeginColumn});
    view()->setDigits(focus.digits);
    view()->setWholeNames(focus.wholeNames);
    findTraces();
    if (!track_->definitions()) return;
    selected_ = focus.location ? inTrace(experiment_, *track_->definitions(), *focus.location) : std::nullopt;
    track_->setSelected(selected_);
    showWaits();
    if (!moved) return;
    const int row = focus.path ? waits_.rowOf(*focus.path) : -1;
    if (row >= 0) table_->selectRow(row);
}

void TimelinePane::findTraces() {
    if (searched_) return;
    searched_ = true;
    const QStringList found = tracesOf(experiment_, file_);
    archives_->addItems(found);
    archives_->setVisible(found.size() > 1);
    if (found.isEmpty())
        tell(u"The trace of this experiment is not here: no OTF2 archive lies beside its file."_qs);
    else
        openTrace(found.front());
}

void TimelinePane::openTrace(const QString& archive) {
    track_->openTrace(archive);
}

/// The severest wait of what is selected, or else the whole run.
void TimelinePane::traceOpened() {
    if (focus_ && focus_->location)
        selected_ = inTrace(experiment_, *track_->definitions(), *focus_->location);
    setGrouping(TimelineGrouping::Threads);
    const int here = focus_ && focus_->path ? waits_.rowOf(*focus_->path) : -1;
    if (here >= 0) {
        table_->selectRow(here);
        jumpTo(waits_.at(here));
    }
    if (const auto wanted = std::exchange(wanted_, std::nullopt)) {
        setGrouping(wanted->grouping);
        offerMetric(wanted->metric);
        setColors(wanted->colors, wanted->metric);
        setMarks(wanted->marks);
        view()->setWindow(wanted->from, wanted->to);
        if (wanted->range) view()->setRange(TimeRange{ticks(wanted->fromSeconds), ticks(wanted->toSeconds)});
    }
    track_->setSelected(selected_);
    showWaits();
    tellRange();
}

/// Those that are listed, each with its causer.
void TimelinePane::showWaits() {
    std::vector<TimelineWait> shown;
    for (int row = 0; row < waits_.rowCount(); ++row)
        if (auto wait = places_.of(waits_.at(row), track_->definitions())) shown.push_back(*wait);
    view()->setWaits(std::move(shown));
}

void TimelinePane::instanceChosen() {
    const QModelIndex row = table_->currentIndex();
    if (!row.isValid() || !track_->definitions()) return;
    const WaitInstance& instance = waits_.at(row.row());
    jumpTo(instance);
    track_->readLater();
    if (const auto path = waits_.callPathOf(instance); path && (!focus_ || focus_->path != path))
        Q_EMIT callPathWanted(*path);
    if (!selected_) return;
    if (const auto location = inExperiment(experiment_, *track_->definitions(), *selected_))
        Q_EMIT locationWanted(*location);
}

void TimelinePane::jumpTo(const WaitInstance& instance) {
    const auto wait = places_.of(instance, track_->definitions());
    if (!wait) return tell(u"This trace has no %1."_qs.arg(QString::fromStdString(instance.location)));
    selected_ = wait->location;
    const auto context = static_cast<Ticks>(static_cast<double>(wait->end - wait->begin) * kContext);
    view()->setWindow(std::max<Ticks>(0, wait->begin - context),
                      std::min(static_cast<Ticks>(track_->definitions()->clock.length), wait->end + context));
    view()->setMark(*wait);
    track_->setSelected(selected_);
    Q_EMIT view()->windowChanged();
}

void TimelinePane::askForOther() {
    if (otherTrack() != nullptr) return compareWith({});
    const QString path = QFileDialog::getOpenFileName(this, u"Open the trace of another run"_qs, {},
                                                      u"OTF2 archives (*.otf2)"_qs);
    if (!path.isEmpty()) compareWith(path);
}

void TimelinePane::compareWith(const QString& archive) {
    compare_->setText(archive.isEmpty() ? u"Compare…"_qs : u"Alone"_qs);
    tracks_->compareWith(archive);
}

void TimelinePane::askForTrace() {
    const QString path =
        QFileDialog::getOpenFileName(this, u"Open a trace"_qs, {}, u"OTF2 archives (*.otf2)"_qs);
    if (!path.isEmpty()) openTrace(path);
}

}  // namespace holos::gui

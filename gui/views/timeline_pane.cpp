// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/timeline_pane.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/models/csv.h"
#include "gui/models/plain_text.h"
#include "gui/views/copying.h"
#include "gui/views/elided_label.h"
#include "gui/views/number_delegate.h"
#include "gui/views/timeline_view.h"

namespace holos::gui {

using namespace algebra;
using trace::Ticks;

namespace {

/// More rows than a screen has room for take long to read.
constexpr std::size_t kMostRows = 64;
constexpr std::size_t kMostSpans = 5000;       ///< of a location: several for each pixel
constexpr std::size_t kMostMessages = 200000;  ///< ends, of a location, until the window's end
constexpr std::size_t kMostLines = 20000;
constexpr double kContext = 1.0;  ///< waits before and after the one that is looked at
constexpr int kListWidth = 340;
constexpr int kPatience = 60;  ///< milliseconds

}  // namespace

TimelinePane::TimelinePane(const Experiment& experiment, QWidget* parent)
    : DetailView(parent),
      experiment_(experiment),
      waits_(experiment),
      table_(new QTableView(this)),
      view_(new TimelineView(this)),
      archives_(new QComboBox(this)),
      title_(new ElidedLabel(this)),
      choose_(new QPushButton(u"Open trace…"_qs, this)) {
    build();
    again_.setSingleShot(true);
    again_.setInterval(kPatience);
    connect(&again_, &QTimer::timeout, this, &TimelinePane::readAgain);
    connect(view_, &TimelineView::windowChanged, this, [this] {
        if (reader_ && reader_->definitions()) again_.start();
    });
    connect(view_, &TimelineView::locationChosen, this, [this](trace::LocationId chosen) {
        if (const auto here = inExperiment(experiment_, *reader_->definitions(), chosen))
            Q_EMIT locationWanted(*here);
    });
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &TimelinePane::instanceChosen);
    connect(choose_, &QPushButton::clicked, this, &TimelinePane::askForTrace);
    connect(archives_, &QComboBox::activated, this, [this] { openTrace(archives_->currentText()); });
}

TimelinePane::~TimelinePane() = default;

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
    connect(whole, &QPushButton::clicked, view_, &TimelineView::showAll);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(8, 4, 6, 4);
    top->setSpacing(8);
    top->addWidget(title_, 1);
    top->addWidget(buildLegend());
    top->addWidget(archives_);
    top->addWidget(whole);
    top->addWidget(choose_);
    auto* right = new QWidget(this);
    auto* down = new QVBoxLayout(right);
    down->setContentsMargins(0, 0, 0, 0);
    down->setSpacing(0);
    down->addLayout(top);
    down->addWidget(view_, 1);
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

QWidget* TimelinePane::buildLegend() {
    auto* legend = new QLabel(this);
    const bool dark = palette().color(QPalette::Base).lightness() < 128;
    QString text;
    for (const Activity activity : {Activity::User, Activity::Mpi, Activity::OpenMp, Activity::OpenMpWaiting})
        text += u"<span style='color:%1'>■</span> %2 &nbsp; "_qs.arg(colorOfActivity(activity, dark).name(),
                                                                     nameOf(activity));
    legend->setText(text + u"╱ message"_qs);
    return legend;
}

QString TimelinePane::message() const {
    return title_->text();
}

void TimelinePane::tell(const QString& message) {
    title_->setText(message);
    title_->setToolTip(asToolTip(message));
}

void TimelinePane::follow(const Focus& focus) {
    const bool first = !focus_;
    const bool moved = first || focus.path != focus_->path || focus.metric.metric != focus_->metric.metric;
    focus_ = focus;
    waits_.setMetric(focus.metric.metric);
    waits_.setDigits(focus.digits);
    waits_.setWholeNames(focus.wholeNames);
    growColumns(*table_, {InstanceModel::WaitColumn, InstanceModel::BeginColumn});
    view_->setDigits(focus.digits);
    view_->setWholeNames(focus.wholeNames);
    findTraces();
    if (!reader_ || !reader_->definitions()) return;
    selected_ =
        focus.location ? inTrace(experiment_, *reader_->definitions(), *focus.location) : std::nullopt;
    view_->setSelected(selected_);
    if (selected_ && !view_->rowOf(*selected_)) again_.start();
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
    reader_ = std::make_unique<TimelineReader>(archive);
    view_->setTrace(nullptr);
    connect(reader_.get(), &TimelineReader::opened, this, &TimelinePane::traceOpened);
    connect(reader_.get(), &TimelineReader::ready, this, &TimelinePane::pictureReady);
    connect(reader_.get(), &TimelineReader::failed, this, [this](const QString& message) {
        busy_ = false;
        tell(message);
    });
    busy_ = true;
    tell(u"Opening %1 …"_qs.arg(archive));
    reader_->open();
}

/// The severest wait of what is selected, or else the whole run.
void TimelinePane::traceOpened() {
    view_->setTrace(reader_->definitions());
    if (focus_ && focus_->location)
        selected_ = inTrace(experiment_, *reader_->definitions(), *focus_->location);
    const int here = focus_ && focus_->path ? waits_.rowOf(*focus_->path) : -1;
    view_->setWindow(0, static_cast<Ticks>(reader_->definitions()->clock.length));
    if (here >= 0) {
        table_->selectRow(here);
        jumpTo(waits_.at(here));
    }
    readAgain();
}

void TimelinePane::instanceChosen() {
    const QModelIndex row = table_->currentIndex();
    if (!row.isValid() || !reader_ || !reader_->definitions()) return;
    const WaitInstance& instance = waits_.at(row.row());
    jumpTo(instance);
    again_.start();
    if (const auto path = waits_.callPathOf(instance); path && (!focus_ || focus_->path != path))
        Q_EMIT callPathWanted(*path);
    if (!selected_) return;
    if (const auto location = inExperiment(experiment_, *reader_->definitions(), *selected_))
        Q_EMIT locationWanted(*location);
}

void TimelinePane::jumpTo(const WaitInstance& instance) {
    const trace::Definitions& definitions = *reader_->definitions();
    const auto location = traceLocationNamed(definitions, QString::fromStdString(instance.location));
    if (!location) return tell(u"This trace has no %1."_qs.arg(QString::fromStdString(instance.location)));
    const auto ticks = [&definitions](double seconds) {
        return static_cast<Ticks>(seconds * static_cast<double>(definitions.clock.ticksPerSecond));
    };
    awaited_ = traceLocationNamed(definitions, QString::fromStdString(instance.awaited));
    selected_ = location;
    const Ticks begin = ticks(instance.begin);
    const Ticks end = begin + std::max<Ticks>(1, ticks(instance.wait));
    const auto context = static_cast<Ticks>(static_cast<double>(end - begin) * kContext);
    view_->setWindow(std::max<Ticks>(0, begin - context),
                     std::min(static_cast<Ticks>(definitions.clock.length), end + context));
    view_->setMark(TimelineView::Mark{*location, begin, end, awaited_});
    view_->setSelected(location);
}

/// All locations, or those around the selected one and the one that is awaited.
std::vector<trace::LocationId> TimelinePane::rows() const {
    const std::size_t all = reader_->definitions()->locations.size();
    const std::size_t shown = std::min(all, kMostRows);
    const std::size_t middle = selected_ ? selected_->index() : 0;
    const std::size_t first = std::min(all - shown, middle - std::min(middle, shown / 2));
    std::vector<trace::LocationId> rows;
    for (std::size_t at = first; at < first + shown; ++at) rows.emplace_back(at);
    if (awaited_ && std::find(rows.begin(), rows.end(), *awaited_) == rows.end()) rows.push_back(*awaited_);
    return rows;
}

void TimelinePane::readAgain() {
    again_.stop();
    if (!reader_ || !reader_->definitions()) return;
    busy_ = true;
    trace::Window window;
    window.from = view_->from();
    window.to = view_->to();
    window.bins = static_cast<unsigned>(view_->timeWidth());
    window.mostSpans = kMostSpans;
    window.mostMessages = kMostMessages;
    reader_->read(window, rows());
}

void TimelinePane::pictureReady(const TimelinePtr& picture) {
    busy_ = false;
    std::uint64_t events = 0;
    for (const auto& row : picture->rows) events += row.excerpt.events;
    const bool crowded = picture->tooManyMessages || picture->messages.size() > kMostLines;
    const trace::Definitions& definitions = *reader_->definitions();
    QString text = counted(events, u"event"_qs, u"events"_qs) + u", "_qs;
    text += crowded ? u"too many messages to draw: zoom in"_qs
                    : counted(picture->messages.size(), u"message"_qs, u"messages"_qs);
    if (picture->rows.size() < definitions.locations.size())
        text += u", %1 of %2 locations"_qs.arg(picture->rows.size()).arg(definitions.locations.size());
    if (!picture->problem.isEmpty()) text += u" – "_qs + picture->problem;
    tell(text);
    if (crowded) {
        auto fewer = std::make_shared<TimelinePicture>(*picture);
        fewer->messages.clear();
        view_->setPicture(fewer);
    } else {
        view_->setPicture(picture);
    }
    view_->setSelected(selected_);
}

void TimelinePane::askForTrace() {
    const QString path =
        QFileDialog::getOpenFileName(this, u"Open a trace"_qs, {}, u"OTF2 archives (*.otf2)"_qs);
    if (!path.isEmpty()) openTrace(path);
}

}  // namespace holos::gui

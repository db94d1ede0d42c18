// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/detail_views.h"

#include <QToolButton>

#include "gui/views/code/machine_code_pane.h"
#include "gui/views/details/communication_pane.h"
#include "gui/views/details/comparison_pane.h"
#include "gui/views/details/roofline_pane.h"
#include "gui/views/details/scaling_pane.h"
#include "gui/views/details/source_pane.h"
#include "gui/views/details/summary_pane.h"
#include "gui/views/events/events_pane.h"
#include "gui/views/iterations/iterations_pane.h"
#include "gui/views/timeline/timeline_pane.h"

namespace holos::gui {

namespace {

/// Large enough that the lines of a dozen threads can be read from the first picture on.
constexpr double kShareOfTimeline = 0.55;
/// Of the others: a view of which only the heading is in sight would look empty.
constexpr double kLeastShare = 0.3;

}  // namespace

DetailViews::DetailViews(ValueCache& cache, const Colors& colors, QWidget* parent)
    : QTabWidget(parent),
      summary_(new SummaryPane(cache.experiment(), this)),
      source_(new SourcePane(cache, colors, this)),
      code_(new MachineCodePane(cache.experiment(), this)),
      timeline_(new TimelinePane(cache.experiment(), this)),
      events_(new EventsPane(cache, this)),
      iterations_(new IterationsPane(this)),
      communication_(new CommunicationPane(cache.experiment(), colors, this)),
      roofline_(new RooflinePane(cache.experiment(), this)),
      comparison_(new ComparisonPane(colors, this)),
      scaling_(new ScalingPane(cache.experiment(), this)) {
    setObjectName(u"Details"_qs);
    setAccessibleName(u"Views below the panes"_qs);
    setDocumentMode(true);
    setMinimumHeight(fontMetrics().height() * 8);
    auto* close = new QToolButton(this);
    close->setText(u"×"_qs);
    close->setAutoRaise(true);
    close->setToolTip(u"Close"_qs);
    close->setAccessibleName(u"Close the views below the panes"_qs);
    connect(close, &QToolButton::clicked, this, [this] { open({}); });
    setCornerWidget(close);
    add(summary_, u"Summary"_qs);
    add(source_, u"Source"_qs);
    add(code_, u"Instructions"_qs);
    add(timeline_, u"Timeline"_qs);
    add(events_, u"Events"_qs);
    add(iterations_, u"Iterations"_qs);
    add(communication_, u"Communication"_qs);
    add(roofline_, u"Roofline"_qs);
    add(comparison_, u"Experiments"_qs);
    add(scaling_, u"Scaling"_qs);
    connect(events_, &EventsPane::momentChosen, this,
            [this](std::size_t location, const PartOfTime& time, bool isWanted) {
                timeline_->showMoment({location, time});
                if (isWanted) open(u"timeline"_qs);
            });
    connect(iterations_, &IterationsPane::rangeChosen, timeline_, &TimelinePane::selectRange);
    connect(this, &QTabWidget::currentChanged, this, &DetailViews::updateLater);
    connect(this, &QTabWidget::currentChanged, this, &DetailViews::askForRoom);
    hide();
}

void DetailViews::add(DetailView* view, const QString& name) {
    views_.push_back(view);
    addTab(view, name);
    connect(view, &DetailView::callPathWanted, this, &DetailViews::callPathWanted);
    connect(view, &DetailView::callPathsWanted, this, &DetailViews::callPathsWanted);
    connect(view, &DetailView::partWanted, this, &DetailViews::partWanted);
    connect(view, &DetailView::selectedPlaceWanted, this, &DetailViews::selectedPlaceWanted);
    connect(view, &DetailView::locationWanted, this, &DetailViews::locationWanted);
    connect(view, &DetailView::metricWanted, this, &DetailViews::metricWanted);
}

QStringList DetailViews::names() const {
    QStringList names;
    for (int tab = 0; tab < count(); ++tab) names << tabText(tab).toLower();
    return names;
}

QString DetailViews::opened() const {
    return isHidden() ? QString() : tabText(currentIndex()).toLower();
}

void DetailViews::open(const QString& name) {
    const auto tab = static_cast<int>(names().indexOf(name));
    setVisible(tab >= 0);
    if (tab >= 0) setCurrentIndex(tab);
    askForRoom();
    updateLater();
}

void DetailViews::askForRoom() {
    if (!isHidden()) Q_EMIT roomWanted(currentWidget() == timeline_ ? kShareOfTimeline : kLeastShare);
}

/// Two fifths of a usual window.
QSize DetailViews::sizeHint() const {
    return {QTabWidget::sizeHint().width(), fontMetrics().height() * 21};
}

void DetailViews::follow(const Focus& focus) {
    focus_ = focus;
    updateLater();
}

bool DetailViews::isBusy() const {
    return !isHidden() && (updating_ || views_[static_cast<std::size_t>(currentIndex())]->isBusy());
}

QString DetailViews::asCsv() const {
    return isHidden() ? QString() : views_[static_cast<std::size_t>(currentIndex())]->asCsv();
}

void DetailViews::updateLater() {
    if (updating_) return;
    updating_ = true;
    QMetaObject::invokeMethod(this, &DetailViews::update, Qt::QueuedConnection);
}

void DetailViews::update() {
    updating_ = false;
    if (!isHidden()) views_[static_cast<std::size_t>(currentIndex())]->follow(focus_);
}

}  // namespace holos::gui

// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/details/roofline_pane.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QThread>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "algebra/model/call_names.h"
#include "algebra/model/metric_values.h"
#include "base/error.h"
#include "gui/models/csv.h"
#include "gui/views/parts/fitting.h"

namespace holos::gui {

using namespace algebra;

namespace {

constexpr double kClickReach = 4.0;  ///< pixels around a point where a click still means it

/// All values by call path.
bool isReadQuickly(const Experiment& experiment) {
    return std::ranges::all_of(experiment.metrics.ids(), [&experiment](MetricId metric) {
        return isAnsweredQuickly(experiment, {metric}, {.by = algebra::Selection::By::CallPath});
    });
}

/// Values that cannot be read make none.
Roofline rooflineOrReason(const Experiment& experiment) {
    try {
        return rooflineOf(experiment);
    } catch (const Error& error) {
        Roofline none;
        none.whyEmpty = error.what();
        return none;
    }
}

}  // namespace

RooflineView::RooflineView(QWidget* parent)
    : LogarithmicPlot(u"Roofline"_qs, u"Call paths under the roofs"_qs, parent), axes_(roofline_, roofs_) {
    setFocusPolicy(Qt::StrongFocus);
}

void RooflineView::findAxes() {
    axes_ = {roofline_, roofs_};
    across_ = axes_.across;
    up_ = axes_.up;
    update();
}

void RooflineView::setRoofline(Roofline roofline) {
    roofline_ = std::move(roofline);
    findAxes();
}

void RooflineView::setRoofs(const Roofs& roofs) {
    roofs_ = roofs;
    findAxes();
}

void RooflineView::setSelected(std::optional<CallPathId> path) {
    path_ = path;
    update();
}

std::optional<std::size_t> RooflineView::selectedPoint() const {
    for (std::size_t i = 0; path_ && i < roofline_.points.size(); ++i)
        if (roofline_.points[i].path == *path_) return i;
    return std::nullopt;
}

const RooflinePoint* RooflineView::selected() const {
    const auto point = selectedPoint();
    return point ? &roofline_.points[*point] : nullptr;
}

QPointF RooflineView::placeOf(std::size_t point) const {
    return placeOf({roofline_.points[point].intensity, roofline_.points[point].rate});
}

double RooflineView::radiusOf(std::size_t point) const {
    return plot::rooflineRadius(roofline_.points[point].seconds / roofline_.seconds);
}

/// The smallest one there, which is painted above the others.
std::optional<std::size_t> RooflineView::pointAt(QPointF place) const {
    for (std::size_t i = roofline_.points.size(); i-- > 0;) {
        const QPointF away = placeOf(i) - place;
        if (std::hypot(away.x(), away.y()) <= std::max(radiusOf(i), kClickReach)) return i;
    }
    return std::nullopt;
}

void RooflineView::mousePressEvent(QMouseEvent* event) {
    if (const auto point = pointAt(event->position())) Q_EMIT pathChosen(roofline_.points[*point].path);
}

void RooflineView::mouseMoveEvent(QMouseEvent* event) {
    Q_EMIT pointed(pointAt(event->position()));
}

void RooflineView::keyPressEvent(QKeyEvent* event) {
    const bool forward = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down;
    const bool back = event->key() == Qt::Key_Left || event->key() == Qt::Key_Up;
    if ((!forward && !back) || roofline_.points.empty()) return QWidget::keyPressEvent(event);
    const auto at = selectedPoint();
    const std::size_t last = roofline_.points.size() - 1;
    const std::size_t next = !at       ? 0
                             : forward ? std::min(*at + 1, last)
                                       : *at - std::min<std::size_t>(*at, 1);
    Q_EMIT pathChosen(roofline_.points[next].path);
}

void RooflineView::paintEvent(QPaintEvent*) {
    if (roofline_.points.empty()) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintMarks(painter, across_.powers(), u"FLOP/s of a node"_qs,
               u"floating-point operations per byte of memory"_qs);
    paintRoof(painter);
    paintPoints(painter);
}

void RooflineView::paintRoof(QPainter& painter) const {
    QPolygonF roof;
    for (const plot::PlacedValue& corner : plot::roofLine(axes_, roofs_)) roof << placeOf(corner);
    painter.setPen(QPen(palette().color(QPalette::Text), 2));
    painter.drawPolyline(roof);
}

void RooflineView::paintPoints(QPainter& painter) const {
    QColor fill = palette().color(QPalette::Link);
    fill.setAlphaF(0.45F);
    for (std::size_t i = 0; i < roofline_.points.size(); ++i) {
        painter.setBrush(fill);
        painter.setPen(palette().color(QPalette::Base));
        painter.drawEllipse(placeOf(i), radiusOf(i), radiusOf(i));
    }
    if (const auto point = selectedPoint()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(palette().color(QPalette::Text), 2));
        painter.drawEllipse(placeOf(*point), radiusOf(*point) + 2, radiusOf(*point) + 2);
    }
}

namespace {

constexpr int kFieldDigits = 10;

QLineEdit* field(const QString& name, QWidget* parent) {
    auto* edit = new QLineEdit(parent);
    edit->setAccessibleName(name);
    edit->setPlaceholderText(u"1.5e12"_qs);
    edit->setFixedWidth(edit->fontMetrics().horizontalAdvance(QString(kFieldDigits + 4, u'0')));
    return edit;
}

std::optional<double> rateIn(const QLineEdit& edit) {
    bool isNumber = false;
    const double rate = edit.text().toDouble(&isNumber);
    return isNumber && rate > 0 ? std::optional(rate) : std::nullopt;
}

void write(QLineEdit& edit, std::optional<double> rate) {
    edit.setText(rate ? QString::number(*rate, 'g', kFieldDigits) : QString());
}

}  // namespace

RooflinePane::RooflinePane(const Experiment& experiment, QWidget* parent)
    : DetailView(parent),
      experiment_(experiment),
      view_(new RooflineView(this)),
      operations_(field(u"FLOP/s that a node can do"_qs, this)),
      bandwidth_(field(u"Bytes per second that a node's memory can deliver"_qs, this)),
      text_(new ElidedLabel(this)) {
    text_->setContentsMargins(8, 0, 8, 0);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(8, 4, 6, 4);
    top->setSpacing(8);
    top->addWidget(text_, 1);
    top->addWidget(new QLabel(u"A node can do"_qs, this));
    top->addWidget(operations_);
    top->addWidget(new QLabel(u"FLOP/s and"_qs, this));
    top->addWidget(bandwidth_);
    top->addWidget(new QLabel(u"B/s"_qs, this));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addWidget(view_, 1);
    for (QLineEdit* edit : {operations_, bandwidth_})
        connect(edit, &QLineEdit::textChanged, this, &RooflinePane::readRoofs);
    connect(view_, &RooflineView::pathChosen, this, &RooflinePane::callPathWanted);
    connect(view_, &RooflineView::pointed, this, [this](std::optional<std::size_t> point) {
        if (!point) return describe();
        text_->setText(textOf(view_->roofline().points[*point]));
    });
}

void RooflinePane::setRoofs(const Roofs& roofs) {
    write(*operations_, roofs.operations);
    write(*bandwidth_, roofs.bandwidth);
}

void RooflinePane::readRoofs() {
    view_->setRoofs({rateIn(*operations_), rateIn(*bandwidth_)});
    describe();
}

RooflinePane::~RooflinePane() {
    if (thread_) thread_->wait();
}

QString RooflinePane::message() const {
    return text_->text();
}

QString RooflinePane::textOf(const RooflinePoint& point) const {
    const double share = point.seconds / view_->roofline().seconds;
    QString text = u"%1: %2 of the time here, %3, %4"_qs.arg(
        QString::fromStdString(callText(experiment_, point.path)), percentage(share, digits_),
        QuantityFormat::ratio(u"FLOP/B"_qs, digits_).text(point.intensity),
        QuantityFormat::absolute(u"FLOP/s"_qs, point.rate, false, digits_).text(point.rate));
    if (const Roofs& roofs = view_->roofs(); roofs.areKnown())
        text += u", %1 of the roof"_qs.arg(percentage(point.rate / roofs.at(point.intensity), digits_));
    return text;
}

/// The selected call path, or all.
void RooflinePane::describe() {
    if (isBusy_) return;
    const Roofline& roofline = view_->roofline();
    QString text = QString::fromStdString(roofline.whyEmpty);
    if (const RooflinePoint* point = view_->selected())
        text = textOf(*point);
    else if (!roofline.points.empty())
        text = counted(roofline.points.size(), u"call path"_qs, u"call paths"_qs) +
               u", the larger the more time they take themselves"_qs;
    text_->setText(text);
    view_->setAccessibleDescription(text);
}

/// The points are found when they are first seen.
void RooflinePane::follow(const Focus& focus) {
    digits_ = focus.digits;
    view_->setSelected(focus.path);
    if (!isSought_) find();
    describe();
}

/// What takes long to read is read in another thread.
void RooflinePane::find() {
    isSought_ = true;
    if (isReadQuickly(experiment_)) return take(rooflineOrReason(experiment_));
    isBusy_ = true;
    text_->setText(u"Evaluating …"_qs);
    thread_.reset(QThread::create([this] {
        QMetaObject::invokeMethod(
            this, [this, found = rooflineOrReason(experiment_)] { take(found); }, Qt::QueuedConnection);
    }));
    thread_->start(QThread::LowPriority);
}

void RooflinePane::take(Roofline roofline) {
    isBusy_ = false;
    view_->setRoofline(std::move(roofline));
    describe();
}

QString RooflinePane::asCsv() const {
    QString text = u"call path,seconds,flop per byte,flop per second\n"_qs;
    for (const RooflinePoint& point : view_->roofline().points)
        text += QStringList{csvText(QString::fromStdString(callPathText(experiment_, point.path))),
                            csvNumber(point.seconds), csvNumber(point.intensity), csvNumber(point.rate)}
                    .join(u',') +
                u'\n';
    return text;
}

}  // namespace holos::gui

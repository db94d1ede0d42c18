// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/details/scaling_pane.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "algebra/model/call_names.h"
#include "gui/models/csv.h"
#include "gui/models/tree_model.h"
#include "gui/views/parts/copying.h"
#include "gui/views/parts/fitting.h"
#include "report/plot/curves.h"

namespace holos::gui {
namespace {

constexpr double kRadius = 3.5;
constexpr double kReach = 8.0;    ///< pixels around a point where the pointer still means it
constexpr double kBarHalf = 4.0;  ///< half the width of the bar of bounds

}  // namespace

ScalingView::ScalingView(QWidget* parent) : LogarithmicPlot(u"Scaling"_qs, u"Curve of growth"_qs, parent) {
    setMinimumWidth(fontMetrics().height() * 18);
}

void ScalingView::setCurves(plot::Curves curves) {
    curves_ = std::move(curves);
    across_ = plot::acrossOf(curves_);
    up_ = plot::upOf(curves_);
    update();
}

QPointF ScalingView::placeOf(std::size_t point) const {
    return placeOf(curves_.curves.front().measured[point]);
}

void ScalingView::mouseMoveEvent(QMouseEvent* event) {
    std::optional<std::size_t> nearest;
    double least = kReach;
    for (std::size_t i = 0; !curves_.curves.empty() && i < curves_.curves.front().measured.size(); ++i) {
        if (!up_.holds(curves_.curves.front().measured[i].y)) continue;
        const QPointF away = placeOf(i) - event->position();
        const double distance = std::hypot(away.x(), away.y());
        if (distance > least) continue;
        least = distance;
        nearest = i;
    }
    Q_EMIT pointed(nearest);
}

void ScalingView::paintEvent(QPaintEvent*) {
    if (curves_.curves.empty()) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintMarks(painter, plot::marksAcross(curves_), QString::fromStdString(curves_.up),
               QString::fromStdString(curves_.across));
    paintBounds(painter);
    paintLaw(painter);
    paintMeasured(painter);
}

void ScalingView::paintLaw(QPainter& painter) const {
    const plot::Curve& curve = curves_.curves.front();
    const double largest = curve.measured.empty() ? 0 : curve.measured.back().x;
    QPolygonF measured, predicted;
    for (const plot::PlacedValue& value : curve.law) {
        if (!up_.holds(value.y)) continue;
        if (value.x <= largest) measured << placeOf(value);
        if (value.x > largest && predicted.isEmpty() && !measured.isEmpty()) predicted << measured.back();
        if (value.x > largest) predicted << placeOf(value);
    }
    QPen pen(palette().color(QPalette::Link), 2);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(measured);
    pen.setStyle(Qt::DashLine);
    painter.setPen(pen);
    painter.drawPolyline(predicted);
}

void ScalingView::paintBounds(QPainter& painter) const {
    const plot::Curve& curve = curves_.curves.front();
    if (!up_.holds(curve.high.y)) return;
    const QPointF high = placeOf(curve.high);
    const QPointF low = placeOf({curve.low.x, std::max(curve.low.y, up_.low)});
    QColor fill = palette().color(QPalette::Link);
    fill.setAlphaF(0.3F);
    painter.fillRect(QRectF(QPointF(high.x() - kBarHalf, high.y()), QPointF(low.x() + kBarHalf, low.y())),
                     fill);
}

void ScalingView::paintMeasured(QPainter& painter) const {
    painter.setPen(QPen(palette().color(QPalette::Base), 1));
    painter.setBrush(palette().color(QPalette::Text));
    for (const plot::PlacedValue& value : curves_.curves.front().measured)
        if (up_.holds(value.y)) painter.drawEllipse(placeOf(value), kRadius, kRadius);
}

using namespace algebra;
using namespace algebra::scaling;

namespace {

constexpr int kPathHeights = 18;  ///< width of the names of call paths, in heights of letters
constexpr int kLawHeights = 14;

std::optional<double> sizeIn(const QLineEdit& edit) {
    bool isNumber = false;
    const double size = edit.text().toDouble(&isNumber);
    return isNumber && size >= 1 ? std::optional(size) : std::nullopt;
}

}  // namespace

ScalingPane::ScalingPane(const Experiment& experiment, QWidget* parent)
    : DetailView(parent),
      experiment_(experiment),
      sorted_(new QSortFilterProxyModel(this)),
      table_(new QTableView(this)),
      view_(new ScalingView(this)),
      size_(new QLineEdit(this)),
      text_(new ElidedLabel(this)) {
    text_->setContentsMargins(8, 0, 8, 0);
    size_->setAccessibleName(u"Size to predict"_qs);
    size_->setToolTip(u"The size that is predicted; empty: four times the largest one"_qs);
    size_->setFixedWidth(fontMetrics().horizontalAdvance(QString(12, u'0')));
    makeTable();
    auto* top = new QHBoxLayout;
    top->setContentsMargins(8, 4, 6, 4);
    top->addWidget(text_, 1);
    auto* label = new QLabel(u"Predict for"_qs, this);
    label->setContentsMargins(0, 0, 6, 0);
    top->addWidget(label);
    top->addWidget(size_);
    auto* beside = new QSplitter(this);
    beside->addWidget(table_);
    beside->addWidget(view_);
    beside->setChildrenCollapsible(false);
    beside->setStretchFactor(0, 3);
    beside->setStretchFactor(1, 2);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addWidget(beside, 1);
    connect(size_, &QLineEdit::textChanged, this, &ScalingPane::ask);
    connect(&finder_, &GrowthFinder::found, this, &ScalingPane::take);
    connect(view_, &ScalingView::pointed, this, [this](std::optional<std::size_t> point) {
        const Growing* growing = shown();
        if (!point || growing == nullptr) return describe();
        const plot::PlacedValue& value = view_->curves().curves.front().measured[*point];
        text_->setText(u"%1: %2 measured with %3 %4, the law gives %5"_qs.arg(
            subject(), model_.format().text(value.y), QString::number(value.x), model_.growth().parameter(),
            model_.format().text(growing->model.model().at({value.x}))));
    });
}

void ScalingPane::makeTable() {
    sorted_->setSourceModel(&model_);
    sorted_->setSortRole(TreeModel::ValueRole);
    table_->setAccessibleName(u"Call paths by growth"_qs);
    table_->setModel(sorted_);
    makeTableOfRows(*table_);
    table_->setWordWrap(false);
    table_->setSortingEnabled(true);
    table_->horizontalHeader()->setSortIndicatorClearable(true);
    table_->sortByColumn(GrowthModel::PredictedColumn, Qt::DescendingOrder);
    onRowSelected(*table_, this, [this](const QModelIndex& row) { chooseRow(row); });
}

void ScalingPane::setExperiments(std::vector<NamedExperiment> experiments) {
    finder_.setExperiments(std::move(experiments));
    if (isFollowed_) ask();
}

void ScalingPane::follow(const Focus& focus) {
    isFollowed_ = true;
    focus_ = focus;
    model_.setDigits(focus.digits);
    ask();
}

void ScalingPane::ask() {
    if (experiment_.metrics.empty()) return;
    finder_.want(experiment_.metrics[focus_.metric.metric].uniqueName, sizeIn(*size_));
    if (finder_.isBusy()) text_->setText(u"Looking for laws…"_qs);
}

void ScalingPane::take(const Growth& growth) {
    selecting_ = true;
    const bool isOther = growth.metric != model_.growth().metric || growth.study != model_.growth().study;
    model_.setGrowth(growth);
    if (isOther) {
        table_->resizeColumnsToContents();
        const int letter = fontMetrics().height();
        for (const auto& [column, most] : {std::pair(GrowthModel::PathColumn, kPathHeights * letter),
                                           std::pair(GrowthModel::LawColumn, kLawHeights * letter)})
            table_->setColumnWidth(column, std::min(table_->columnWidth(column), most));
    }
    selecting_ = false;
    selectRow();
    showCurve();
    describe();
}

/// A call path that the browser's own experiment does not have cannot be selected there.
void ScalingPane::chooseRow(const QModelIndex& row) {
    if (selecting_) return;
    const Growth& growth = model_.growth();
    const auto chosen = growth.paths[static_cast<std::size_t>(sorted_->mapToSource(row).row())].path;
    for (const CallPathId path : experiment_.callTree.ids())
        if (growth.study->placeOf(0, path) == *chosen) return Q_EMIT callPathWanted(path);
    text_->setText(u"This experiment has no such call path"_qs);
}

void ScalingPane::selectRow() {
    const Growth& growth = model_.growth();
    const int row = focus_.path && growth.study ? model_.rowOf(growth.study->placeOf(0, *focus_.path)) : -1;
    selecting_ = true;
    if (row < 0) {
        table_->clearSelection();
        table_->setCurrentIndex({});
    } else {
        const QModelIndex at = sorted_->mapFromSource(model_.index(row, 0));
        table_->selectRow(at.row());
        table_->scrollTo(at);
    }
    selecting_ = false;
}

/// What the curve is of: the selected call path, or the whole program where none is selected.
const Growing* ScalingPane::shown() const {
    const Growth& growth = model_.growth();
    if (!growth.study) return nullptr;
    if (!focus_.path) return growth.program ? &*growth.program : nullptr;
    return growth.of(growth.study->placeOf(0, *focus_.path));
}

QString ScalingPane::subject() const {
    if (!focus_.path) return u"The whole program"_qs;
    const QString call = QString::fromStdString(callText(experiment_, *focus_.path));
    const bool isAlone = table_->currentIndex().isValid();
    return isAlone ? call : call + u" with all that it calls"_qs;
}

void ScalingPane::showCurve() {
    const Growth& growth = model_.growth();
    plot::Curves curves;
    if (const Growing* growing = shown()) {
        curves.across = growth.study->parameters().front();
        curves.up = plot::withUnit(*growth.study, growth.metric) + " of a thread, on average";
        curves.curves.push_back(plot::curveOf(*growth.study, *growing, growth.at, subject().toStdString()));
    }
    view_->setCurves(std::move(curves));
}

void ScalingPane::describe() {
    const Growth& growth = model_.growth();
    QString text = growth.whyEmpty;
    if (const Growing* growing = shown(); growing != nullptr && text.isEmpty()) {
        text = u"%1: %2; %3 predicted for %4 %5, %6 … %7 with 95 % confidence"_qs.arg(
            subject(), QString::fromStdString(growing->model.model().text(growth.study->parameters())),
            model_.format().text(growing->predicted.value), QString::number(growth.at.front()),
            growth.parameter(), model_.format().number(growing->predicted.low),
            model_.format().text(growing->predicted.high));
    } else if (text.isEmpty() && growth.study) {
        text = u"%1 has no value of this metric. "_qs.arg(subject()) +
               counted(growth.study->runs().size(), u"run"_qs, u"runs"_qs) + u" of "_qs +
               counted(growth.study->groups().size(), u"size"_qs, u"sizes"_qs);
    }
    text_->setText(text);
    view_->setAccessibleDescription(text);
}

QString ScalingPane::message() const {
    return text_->text();
}

QString ScalingPane::asCsv() const {
    return tableAsCsv(*sorted_);
}

}  // namespace holos::gui

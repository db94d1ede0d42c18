// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/timeline_view.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "gui/models/plain_text.h"

namespace holos::gui {

using trace::Ticks;

namespace {

constexpr int kLeastRow = 9;
constexpr int kLargestRow = 30;
constexpr int kLargestLabel = 220;
constexpr int kLabelMargin = 14;
constexpr int kDrag = 4;  ///< pixels that make a click a drag
constexpr double kZoomStep = 0.8;
constexpr double kMoveStep = 0.25;
constexpr Ticks kSmallestWindow = 10;

QString durationText(double seconds, Digits digits) {
    return QuantityFormat::absolute(QStringLiteral("sec"), seconds, false, digits).text(seconds);
}

ShortNames namesForReading(const trace::Definitions& definitions) {
    std::vector<std::string> names;
    for (const trace::Region& region : definitions.regions) names.push_back(region.name);
    return ShortNames(names);
}

}  // namespace

TimelineView::TimelineView(QWidget* parent) : QAbstractScrollArea(parent) {
    setObjectName(u"Timeline"_qs);
    setAccessibleName(u"Timeline"_qs);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setCursor(Qt::CrossCursor);
    labelWidth_ = kLabelMargin;
}

void TimelineView::setTrace(DefinitionsPtr definitions) {
    definitions_ = std::move(definitions);
    shortNames_ = definitions_ ? namesForReading(*definitions_) : ShortNames({});
    picture_.reset();
    mark_.reset();
    selected_.reset();
    colors_.clear();
    rows_ = {};
    updateLabels();
}

void TimelineView::setPicture(TimelinePtr picture) {
    picture_ = std::move(picture);
    rows_ = definitions_ && picture_ ? TimelineRows(*definitions_, picture_) : TimelineRows();
    updateLabels();
    updateScrolling();
}

void TimelineView::setWindow(Ticks from, Ticks to) {
    from_ = from;
    to_ = std::max(to, from + 1);
    describe();
    viewport()->update();
}

/// What the picture shows, in words.
void TimelineView::describe() {
    if (!definitions_) return setAccessibleDescription({});
    QString text = u"from %1 s to %2 s"_qs.arg(definitions_->seconds(from_), 0, 'f', 6)
                       .arg(definitions_->seconds(to_), 0, 'f', 6);
    if (selected_) text += u", selected: "_qs + traceLocationName(*definitions_, *selected_);
    if (mark_)
        text += u", framed: a wait of %1 from %2 s on"_qs
                    .arg(durationText(definitions_->seconds(mark_->end - mark_->begin), digits_))
                    .arg(definitions_->seconds(mark_->begin), 0, 'f', 6);
    setAccessibleDescription(text);
}

void TimelineView::setMark(std::optional<Mark> mark) {
    mark_ = mark;
    describe();
    viewport()->update();
}

void TimelineView::setSelected(std::optional<trace::LocationId> location) {
    selected_ = location;
    describe();
    if (const auto row = location ? rowOf(*location) : std::nullopt) {
        const int top = *row * rowHeight();
        const int page = viewport()->height() - axisHeight();
        QScrollBar* bar = verticalScrollBar();
        if (top < bar->value() || top + rowHeight() > bar->value() + page) bar->setValue(top - page / 2);
    }
    viewport()->update();
}

void TimelineView::setWholeNames(bool whole) {
    if (whole == wholeNames_) return;
    wholeNames_ = whole;
    viewport()->update();
}

QString TimelineView::nameOf(trace::RegionId id) const {
    const std::string& name = region(id).name;
    return onOneLine(QString::fromStdString(wholeNames_ ? name : shortNames_.of(name)));
}

void TimelineView::changeWindow(double from, double to) {
    if (!definitions_) return;
    const auto length = static_cast<double>(std::max<std::uint64_t>(definitions_->clock.length, 1));
    const double width = std::clamp(to - from, static_cast<double>(kSmallestWindow), length);
    const double begin = std::clamp(from, 0.0, length - width);
    setWindow(static_cast<Ticks>(begin), static_cast<Ticks>(begin + width));
    Q_EMIT windowChanged();
}

void TimelineView::zoom(double factor, Ticks around) {
    const auto centre = static_cast<double>(around);
    changeWindow(centre - (centre - static_cast<double>(from_)) * factor,
                 centre + (static_cast<double>(to_) - centre) * factor);
}

void TimelineView::move(double parts) {
    const double by = parts * static_cast<double>(to_ - from_);
    changeWindow(static_cast<double>(from_) + by, static_cast<double>(to_) + by);
}

void TimelineView::showAll() {
    if (definitions_) changeWindow(0.0, static_cast<double>(definitions_->clock.length));
}

int TimelineView::axisHeight() const {
    return fontMetrics().height() + 8;
}

int TimelineView::widthOf(const QString& name) const {
    QFont bold = font();
    bold.setBold(true);
    return QFontMetrics(bold).horizontalAdvance(name);
}

void TimelineView::updateLabels() {
    int widest = 0;
    for (int row = 0; row < rows_.count(); ++row) widest = std::max(widest, widthOf(rows_.name(row)));
    labelWidth_ = std::min(widest, kLargestLabel) + kLabelMargin;
    viewport()->update();
}

void TimelineView::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange) updateLabels();
    if (event->type() != QEvent::PaletteChange) return;
    colors_.clear();
    viewport()->update();
}

int TimelineView::timeWidth() const {
    return std::max(1, viewport()->width() - labelWidth());
}

int TimelineView::rowHeight() const {
    const auto rows = picture_ ? static_cast<int>(picture_->rows.size()) : 0;
    return rows == 0 ? kLargestRow
                     : std::clamp((viewport()->height() - axisHeight()) / rows, kLeastRow, kLargestRow);
}

double TimelineView::xOf(Ticks time) const {
    return labelWidth() + static_cast<double>(time - from_) / static_cast<double>(to_ - from_) * timeWidth();
}

Ticks TimelineView::timeAt(double x) const {
    return from_ + static_cast<Ticks>((x - labelWidth()) / timeWidth() * static_cast<double>(to_ - from_));
}

std::optional<int> TimelineView::rowOf(trace::LocationId location) const {
    return rows_.rowOf(location);
}

QRect TimelineView::rowRect(int row) const {
    return {labelWidth(), axisHeight() + row * rowHeight() - verticalScrollBar()->value(), timeWidth(),
            rowHeight() - (rowHeight() > kLeastRow ? 3 : 1)};
}

std::optional<int> TimelineView::rowAt(int y) const {
    if (!picture_ || y < axisHeight()) return std::nullopt;
    const int row = (y - axisHeight() + verticalScrollBar()->value()) / rowHeight();
    return row < static_cast<int>(picture_->rows.size()) ? std::optional(row) : std::nullopt;
}

void TimelineView::updateScrolling() {
    const auto rows = picture_ ? static_cast<int>(picture_->rows.size()) : 0;
    const int page = viewport()->height() - axisHeight();
    verticalScrollBar()->setRange(0, std::max(0, rows * rowHeight() - page));
    verticalScrollBar()->setPageStep(page);
    verticalScrollBar()->setSingleStep(rowHeight());
}

void TimelineView::resizeEvent(QResizeEvent*) {
    updateScrolling();
    Q_EMIT windowChanged();
}

void TimelineView::wheelEvent(QWheelEvent* event) {
    const bool scrolls = verticalScrollBar()->maximum() > 0 && !(event->modifiers() & Qt::ControlModifier);
    if (scrolls) return QAbstractScrollArea::wheelEvent(event);
    const double factor = std::pow(kZoomStep, event->angleDelta().y() / 120.0);
    zoom(factor, timeAt(event->position().x()));
    event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    dragFrom_ = dragTo_ = std::max(labelWidth(), qRound(event->position().x()));
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
    if (!dragFrom_) return;
    dragTo_ = std::clamp(qRound(event->position().x()), labelWidth(), viewport()->width());
    viewport()->update();
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
    if (!dragFrom_) return;
    const auto [low, high] = std::minmax(*dragFrom_, *dragTo_);
    dragFrom_.reset();
    dragTo_.reset();
    viewport()->update();
    if (high - low > kDrag)
        changeWindow(static_cast<double>(timeAt(low)), static_cast<double>(timeAt(high)));
    else if (const auto row = rowAt(qRound(event->position().y())))
        Q_EMIT locationChosen(picture_->rows[static_cast<std::size_t>(*row)].location);
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
    const Ticks middle = from_ + (to_ - from_) / 2;
    switch (event->key()) {
        case Qt::Key_Plus:
            return zoom(0.5, middle);
        case Qt::Key_Minus:
            return zoom(2.0, middle);
        case Qt::Key_Left:
            return move(-kMoveStep);
        case Qt::Key_Right:
            return move(kMoveStep);
        case Qt::Key_Home:
            return showAll();
        default:
            QAbstractScrollArea::keyPressEvent(event);
    }
}

bool TimelineView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), asToolTip(textAt(help->pos())), viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

/// The calls from the outermost to the innermost one, and how long that took.
QString TimelineView::textAt(const QPoint& place) const {
    const auto row = rowAt(place.y());
    if (!row || place.x() < labelWidth()) return {};
    const trace::LocationExcerpt& here = picture_->rows[static_cast<std::size_t>(*row)];
    const Ticks time = timeAt(place.x());
    QString text = u"%1\n%2 s"_qs.arg(rows_.name(*row)).arg(definitions_->seconds(time), 0, 'f', 6);
    std::vector<const trace::Span*> calls;
    for (const trace::Span& span : here.excerpt.spans)
        if (span.begin <= time && time < span.end) calls.push_back(&span);
    std::sort(calls.begin(), calls.end(),
              [](const trace::Span* a, const trace::Span* b) { return a->depth < b->depth; });
    for (const trace::Span* span : calls) text += u'\n' + nameOf(span->region);
    if (!calls.empty())
        text +=
            u": "_qs + durationText(definitions_->seconds(calls.back()->end - calls.back()->begin), digits_);
    return text;
}

}  // namespace holos::gui

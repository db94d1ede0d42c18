// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/flame/flame_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "gui/models/plain_text.h"
#include "gui/views/parts/colors.h"
#include "gui/views/parts/folder_colors.h"

namespace holos::gui {

using algebra::CallPathId;

namespace {

constexpr int kLeastForName = 24;  ///< pixels
constexpr int kNameEdge = 3;
constexpr double kPale = 0.25;  ///< of a colour that is not looked for

/// Black or white, whichever can be read on this colour.
QColor readableOn(const QColor& color) {
    return qGray(color.rgb()) > 140 ? QColor(Qt::black) : QColor(Qt::white);
}

}  // namespace

FlameView::FlameView(FlameModel& model, const Colors& colors, QWidget* parent)
    : QWidget(parent), model_(model), colors_(colors) {
    setObjectName(u"Flame graph"_qs);
    setAccessibleName(u"Flame graph"_qs);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    setFocusPolicy(Qt::StrongFocus);
    connect(&colors, &Colors::changed, this, qOverload<>(&QWidget::update));
}

void FlameView::setColors(FlameColors colors) {
    meaning_ = colors;
    update();
}

void FlameView::follow(const std::vector<CallPathId>& chosen) {
    chosen_ = chosen;
    marked_ = chosen;
    std::ranges::sort(marked_);
    searching_ = !model_.foundText().isEmpty();
    setMinimumHeight(model_.graph().rows() * rowHeight());
    updateGeometry();
    describe();
    update();
}

void FlameView::describe() {
    const auto now = current();
    setAccessibleDescription(!model_.reason().isEmpty() ? model_.reason()
                             : now                      ? model_.textOf(*now, meaning_)
                                                        : u"No call path is selected"_qs);
}

void FlameView::zoom(std::optional<CallPathId> top) {
    model_.zoom(top);
    follow(chosen_);
    Q_EMIT zoomed();
}

/// By one step: to what calls the one that takes the whole width.
void FlameView::zoomOut() {
    const auto top = model_.graph().top();
    zoom(top ? model_.parentOf(*top) : std::nullopt);
}

int FlameView::rowHeight() const {
    return fontMetrics().height() + 4;
}

QSize FlameView::sizeHint() const {
    return {200, std::max(1, model_.graph().rows()) * rowHeight()};
}

QRect FlameView::boxRect(CallPathId path) const {
    if (!model_.graph().boxOf(path)) return {};
    const int row = model_.graph().rowOf(path);
    for (const FlameGraph::Piece& piece : model_.graph().pieces(row, width()))
        if (piece.path == path) return {piece.left, row * rowHeight(), piece.right - piece.left, rowHeight()};
    return {};
}

std::optional<CallPathId> FlameView::at(QPoint place) const {
    if (place.y() < 0 || width() == 0) return std::nullopt;
    return model_.graph().at(place.y() / rowHeight(), (place.x() + 0.5) / width());
}

std::optional<CallPathId> FlameView::current() const {
    return chosen_.empty() || !model_.graph().boxOf(chosen_.front()) ? std::nullopt
                                                                     : std::optional(chosen_.front());
}

void FlameView::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    if (const QString reason = model_.reason(); !reason.isEmpty()) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(rect().adjusted(8, 8, -8, -8), Qt::AlignCenter | Qt::TextWordWrap, reason);
        return;
    }
    const int last = std::min(model_.graph().rows() - 1, event->rect().bottom() / rowHeight());
    const Tones tones(colors_.on(palette()), model_.range(meaning_).diverging);
    for (int row = std::max(0, event->rect().top() / rowHeight()); row <= last; ++row)
        for (const FlameGraph::Piece& piece : model_.graph().pieces(row, width()))
            paintPiece(painter, piece, row, colorOf(piece.path, tones));
}

QColor FlameView::colorOf(CallPathId path, const Tones& tones) const {
    if (meaning_ == FlameColors::Folders) return folderColor(model_.folderOf(path), palette());
    const double share = model_.share(path, meaning_);
    if (std::isnan(share)) return palette().color(QPalette::AlternateBase);
    return tones.at(share);
}

void FlameView::paintPiece(QPainter& painter, const FlameGraph::Piece& piece, int row,
                           const QColor& full) const {
    const QColor base = palette().color(QPalette::Base);
    const auto& graph = model_.graph();
    const bool above = graph.top() && row < graph.rowOf(*graph.top());
    const bool pale = above || (searching_ && !model_.isFound(piece.path));
    const QColor color = pale ? mixed(base, full, kPale) : full;
    const QRect box(piece.left, row * rowHeight(), piece.right - piece.left, rowHeight());
    painter.fillRect(box, color);
    // A line between boxes; narrow ones would be nothing but lines.
    const QColor edge = mixed(color, palette().color(QPalette::Text), 0.25);
    painter.fillRect(box.left(), box.bottom(), box.width(), 1, edge);
    if (box.width() > 2) painter.fillRect(box.right(), box.top(), 1, box.height(), edge);
    if (box.width() >= kLeastForName) {
        painter.setPen(readableOn(color));
        const QRect text = box.adjusted(kNameEdge, 0, -kNameEdge, -1);
        painter.drawText(text, Qt::AlignVCenter | Qt::TextSingleLine,
                         fontMetrics().elidedText(model_.nameOf(piece.path), Qt::ElideRight, text.width()));
    }
    if (!std::ranges::binary_search(marked_, piece.path)) return;
    painter.setPen(QPen(palette().color(QPalette::Link), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box.adjusted(1, 1, -1, -1));
}

void FlameView::mousePressEvent(QMouseEvent* event) {
    if (const auto path = at(event->pos())) Q_EMIT callPathChosen(*path);
}

void FlameView::mouseDoubleClickEvent(QMouseEvent* event) {
    const auto path = at(event->pos());
    if (path) zoom(path == model_.graph().top() ? std::nullopt : path);
}

/// Up to the caller, down to the widest of what is called, to the neighbours in the row.
std::optional<CallPathId> FlameView::stepFrom(CallPathId path, int key) const {
    if (key == Qt::Key_Up) return model_.parentOf(path);
    if (key == Qt::Key_Down) return model_.graph().widestBelow(path);
    return model_.graph().beside(path, key == Qt::Key_Right ? 1 : -1);
}

void FlameView::keyPressEvent(QKeyEvent* event) {
    const auto now = current();
    switch (event->key()) {
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_Left:
        case Qt::Key_Right: {
            const auto next = now ? stepFrom(*now, event->key()) : model_.graph().at(0, 0.0);
            if (next) Q_EMIT callPathChosen(*next);
            return;
        }
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Plus:
            if (now) zoom(now);
            return;
        case Qt::Key_Minus:
        case Qt::Key_Backspace:
            return zoomOut();
        case Qt::Key_Home:
            return zoom(std::nullopt);
        default:
            QWidget::keyPressEvent(event);
    }
}

bool FlameView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto path = at(help->pos());
    QToolTip::showText(help->globalPos(), path ? asToolTip(model_.textOf(*path, meaning_)) : QString(), this);
    return true;
}

}  // namespace holos::gui

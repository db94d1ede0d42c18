// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/pane_layout.h"

#include <QApplication>
#include <QDataStream>
#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <QSplitter>
#include <QVBoxLayout>

namespace holos::gui {

namespace {
constexpr int kThickness = 2;
}

FocusMark::FocusMark(QWidget* pane) : QWidget(pane) {
    setObjectName(u"Focus mark"_qs);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    pane->installEventFilter(this);
    connect(qApp, &QApplication::focusChanged, this,
            [this](const QWidget*, const QWidget* now) { follow(now); });
    follow(QApplication::focusWidget());
}

void FocusMark::follow(const QWidget* focused) {
    setVisible(focused != nullptr && (focused == parentWidget() || parentWidget()->isAncestorOf(focused)));
    place();
}

void FocusMark::place() {
    setGeometry(0, 0, parentWidget()->width(), kThickness);
    raise();
}

bool FocusMark::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) place();
    return QWidget::eventFilter(watched, event);
}

void FocusMark::paintEvent(QPaintEvent*) {
    QPainter(this).fillRect(rect(), palette().color(QPalette::Link));
}

namespace {

QLabel* makeTitle(QWidget* parent) {
    auto* title = new QLabel(parent);
    title->setContentsMargins(8, 4, 8, 2);
    title->setTextFormat(Qt::PlainText);
    QFont bold = title->font();
    bold.setBold(true);
    title->setFont(bold);
    title->hide();
    return title;
}

/// Of these widgets, with their shares of the room.
void fill(QSplitter* splitter, std::initializer_list<std::pair<QWidget*, int>> widgets) {
    for (const auto& [widget, share] : widgets) {
        splitter->addWidget(widget);
        splitter->setStretchFactor(splitter->count() - 1, share);
    }
    splitter->setHandleWidth(5);
    splitter->setChildrenCollapsible(false);
}

}  // namespace

PaneLayout::PaneLayout(const Parts& parts, QWidget* parent)
    : QWidget(parent),
      title_(makeTitle(this)),
      across_(new QSplitter(Qt::Horizontal, this)),
      down_(new QSplitter(Qt::Vertical, this)),
      metricSide_(new QSplitter(Qt::Vertical, this)) {
    fill(metricSide_, {{parts.metrics, 5}, {parts.texts, 2}});
    fill(across_, {{metricSide_, 10}, {parts.program, 13}, {parts.system, 9}});
    fill(down_, {{across_, 3}, {parts.details, 2}});
    for (QWidget* pane : {parts.metrics, parts.texts, parts.program, parts.system, parts.details})
        new FocusMark(pane);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(title_);
    layout->addWidget(down_, 1);
    connect(down_, &QSplitter::splitterMoved, this, [this] { isHeightChosen_ = true; });
}

QWidget* PaneLayout::metricSide() const {
    return metricSide_;
}

void PaneLayout::setOrder(const std::array<QWidget*, 3>& panes) {
    for (std::size_t place = 0; place < panes.size(); ++place)
        across_->insertWidget(static_cast<int>(place), panes[place]);
}

void PaneLayout::setTitle(const QString& title) {
    title_->setText(title);
    title_->setHidden(title.isEmpty());
}

QString PaneLayout::title() const {
    return title_->text();
}

void PaneLayout::makeRoomForDetails(double share) {
    wantedShare_ = share;
    makeRoom();
}

/// What is not shown yet has no height to be shared.
void PaneLayout::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    QMetaObject::invokeMethod(this, &PaneLayout::makeRoom, Qt::QueuedConnection);
}

void PaneLayout::makeRoom() {
    if (isHeightChosen_ || wantedShare_ == 0 || !isVisible()) return;
    down_->refresh();  // what has just been opened has room, too
    const QList<int> sizes = down_->sizes();
    const int both = sizes[0] + sizes[1];
    const int wanted = qRound(wantedShare_ * both);
    if (wanted > sizes[1]) down_->setSizes({both - wanted, wanted});
}

QByteArray PaneLayout::sizes() const {
    QByteArray sizes;
    QDataStream out(&sizes, QIODevice::WriteOnly);
    for (QSplitter* splitter : splitters()) {
        splitter->refresh();  // what has just been opened has room, too
        out << splitter->saveState();
    }
    out << isHeightChosen_;
    return sizes;
}

void PaneLayout::restoreSizes(const QByteArray& sizes) {
    QDataStream in(sizes);
    for (QSplitter* splitter : splitters()) {
        QByteArray state;
        in >> state;
        splitter->restoreState(state);
    }
    in >> isHeightChosen_;
}

}  // namespace holos::gui

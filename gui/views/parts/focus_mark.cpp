// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/parts/focus_mark.h"

#include <QApplication>
#include <QEvent>
#include <QPainter>

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

}  // namespace holos::gui

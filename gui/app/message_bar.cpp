// SPDX-License-Identifier: BSD-3-Clause
#include "gui/app/message_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace holos::gui {

MessageBar::MessageBar(QWidget* parent) : QFrame(parent), text_(new QLabel(this)) {
    setObjectName(u"MessageBar"_qs);
    setAutoFillBackground(true);
    QPalette warning = palette();
    const bool dark = warning.color(QPalette::Window).lightness() < 128;
    warning.setColor(QPalette::Window, dark ? QColor(0x5a3a12) : QColor(0xfdf0d5));
    setPalette(warning);
    text_->setTextFormat(Qt::PlainText);
    text_->setWordWrap(true);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* close = new QToolButton(this);
    close->setText(u"×"_qs);
    close->setAutoRaise(true);
    close->setAccessibleName(u"Close the message"_qs);
    connect(close, &QToolButton::clicked, this, [this] { setMessage({}); });
    auto* bar = new QHBoxLayout(this);
    bar->addWidget(text_, 1);
    bar->addWidget(close);
    hide();
}

QString MessageBar::message() const {
    return isHidden() ? QString() : text_->text();
}

void MessageBar::setMessage(const QString& message) {
    text_->setText(message);
    setHidden(message.isEmpty());
}

void MessageBar::addMessage(const QString& message) {
    const QString before = this->message();
    setMessage(before.isEmpty() ? message : before + u'\n' + message);
}

}  // namespace holos::gui

// SPDX-License-Identifier: BSD-3-Clause
#include "gui/app/pages.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <chrono>

#include "gui/experiments/settings.h"
#include "gui/models/plain_text.h"
#include "gui/views/parts/assistive.h"

namespace holos::gui {

ProgressPage::ProgressPage(QWidget* parent) : QWidget(parent), text_(new QLabel(this)) {
    text_->setTextFormat(Qt::PlainText);
    text_->setObjectName(u"Progress"_qs);
    auto* stop = new QPushButton(u"Cancel"_qs, this);
    stop->setObjectName(u"Cancel"_qs);
    stop->setShortcut(Qt::Key_Escape);
    connect(stop, &QPushButton::clicked, this, &ProgressPage::cancelled);
    auto* layout = new QVBoxLayout(this);
    layout->addStretch();
    layout->addWidget(text_, 0, Qt::AlignHCenter);
    layout->addWidget(stop, 0, Qt::AlignHCenter);
    layout->addStretch();
    second_.setInterval(std::chrono::seconds(1));
    connect(&second_, &QTimer::timeout, this, [this] {
        ++seconds_;
        tell();
    });
}

void ProgressPage::start(const QString& name) {
    name_ = QFileInfo(name).fileName();
    seconds_ = 0;
    tell();
    second_.start();
}

void ProgressPage::stop() {
    second_.stop();
}

void ProgressPage::tell() {
    text_->setText(seconds_ == 0 ? u"Reading %1 …"_qs.arg(name_)
                                 : u"Reading %1 … %2 s"_qs.arg(name_).arg(seconds_));
}

namespace {

constexpr int kShown = 5;
constexpr int kLetters = 70;  ///< of a path, which loses its middle otherwise

}  // namespace

WelcomePage::WelcomePage(QWidget* parent) : QWidget(parent), recent_(new QVBoxLayout) {
    auto* text = new QLabel(u"Open an experiment (<code>.cubex</code>) to see where its time goes."_qs, this);
    auto* open = new QPushButton(u"Open…"_qs, this);
    connect(open, &QPushButton::clicked, this, &WelcomePage::choiceWanted);
    auto* layout = new QVBoxLayout(this);
    layout->addStretch();
    layout->addWidget(text, 0, Qt::AlignHCenter);
    layout->addWidget(open, 0, Qt::AlignHCenter);
    layout->addSpacing(fontMetrics().height());
    layout->addLayout(recent_);
    layout->addStretch();
}

void WelcomePage::showEvent(QShowEvent* event) {
    listRecent();
    QWidget::showEvent(event);
}

void WelcomePage::listRecent() {
    while (QLayoutItem* item = recent_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const QString& file : recentFiles().mid(0, kShown)) {
        const int width = fontMetrics().averageCharWidth() * kLetters;
        auto* button =
            new QPushButton(menuText(fontMetrics().elidedText(file, Qt::ElideMiddle, width)), this);
        button->setFlat(true);
        setTip(*button, file);
        button->setAccessibleName(file);
        connect(button, &QPushButton::clicked, this, [this, file] { Q_EMIT fileWanted(file); });
        recent_->addWidget(button, 0, Qt::AlignHCenter);
    }
}

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

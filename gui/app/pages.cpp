// SPDX-License-Identifier: BSD-3-Clause
#include "gui/app/pages.h"

#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <chrono>

#include "gui/experiments/settings.h"
#include "gui/models/plain_text.h"
#include "gui/views/parts/tip.h"

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

}  // namespace holos::gui

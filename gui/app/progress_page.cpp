// SPDX-License-Identifier: BSD-3-Clause
#include "gui/app/progress_page.h"

#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <chrono>

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

}  // namespace holos::gui

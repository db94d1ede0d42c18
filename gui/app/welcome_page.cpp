// SPDX-License-Identifier: BSD-3-Clause
#include "gui/app/welcome_page.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "gui/experiments/settings.h"
#include "gui/models/plain_text.h"
#include "gui/views/parts/tip.h"

namespace holos::gui {

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

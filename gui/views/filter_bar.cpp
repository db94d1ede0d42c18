// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/filter_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "gui/models/plain_text.h"

namespace holos::gui {

FilterBar::FilterBar(QWidget* parent)
    : QFrame(parent),
      title_(new QLabel(u"All views show only"_qs, this)),
      parts_(new QHBoxLayout),
      progress_(new QLabel(this)) {
    setObjectName(u"Filter"_qs);
    setAccessibleName(u"Shown part of the run"_qs);
    setAutoFillBackground(true);
    QPalette notice = palette();
    const bool dark = notice.color(QPalette::Window).lightness() < 128;
    notice.setColor(QPalette::Window, dark ? QColor(0x1d3b53) : QColor(0xdcebf7));
    setPalette(notice);
    parts_->setSpacing(6);
    progress_->setTextFormat(Qt::PlainText);
    auto* across = new QHBoxLayout(this);
    across->setContentsMargins(8, 3, 6, 3);
    across->setSpacing(8);
    across->addWidget(title_);
    across->addLayout(parts_);
    across->addWidget(progress_);
    across->addStretch(1);
    hide();
}

void FilterBar::addPart(const QString& text, const Filter& left) {
    auto* part = new QPushButton(menuText(text) + u"  ×"_qs, this);
    part->setFocusPolicy(Qt::TabFocus);
    part->setAccessibleName(u"Only %1: remove"_qs.arg(text));
    part->setToolTip(u"Show everything again that this leaves out"_qs);
    connect(part, &QPushButton::clicked, this, [this, left] { Q_EMIT wanted(left); });
    parts_->addWidget(part);
}

void FilterBar::setFilter(const Filter& filter) {
    filter_ = filter;
    while (QLayoutItem* item = parts_->takeAt(0)) {
        item->widget()->hide();  // it may be telling of its click
        item->widget()->deleteLater();
        delete item;
    }
    for (const FilterPart part : partsOf(filter)) addPart(textOf(filter, part), without(filter, part));
    endProgress();
}

void FilterBar::tellProgress(const Filter& wanted, double done) {
    progress_->setText(u"%1 is being made: %2 %"_qs.arg(textOf(wanted)).arg(qRound(100.0 * done)));
    progress_->show();
    title_->setVisible(!filter_.isEmpty());
    show();
}

void FilterBar::endProgress() {
    progress_->hide();
    title_->show();
    setVisible(!filter_.isEmpty());
}

QString FilterBar::text() const {
    if (isHidden()) return {};
    return progress_->isHidden() ? title_->text() + u' ' + textOf(filter_) : progress_->text();
}

}  // namespace holos::gui

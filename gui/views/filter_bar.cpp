// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/filter_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include "gui/models/plain_text.h"

namespace holos::gui {

namespace {
constexpr int kWidest = 380;  ///< pixels of a part
}

FilterBar::FilterBar(QWidget* parent)
    : QFrame(parent),
      title_(new QLabel(u"All views show only"_qs, this)),
      parts_(new QHBoxLayout),
      progress_(new QLabel(this)),
      save_(new QToolButton(this)) {
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
    across->addWidget(save_);
    save_->setText(u"Save…"_qs);
    save_->setFocusPolicy(Qt::TabFocus);
    save_->setToolTip(u"Keep the values of this part as an experiment, which says what it is of"_qs);
    connect(save_, &QToolButton::clicked, this, &FilterBar::savingWanted);
    hide();
}

void FilterBar::addPart(FilterPart part) {
    const QString text = filterText(filter_, part);
    const QString fitting = fontMetrics().elidedText(text, Qt::ElideMiddle, kWidest);
    auto* button = new QPushButton(menuText(fitting) + u"  ×"_qs, this);
    button->setFocusPolicy(Qt::TabFocus);
    button->setAccessibleName(u"Only %1: remove"_qs.arg(text));
    button->setToolTip(
        asToolTip(wholeTextOf(filter_, part) + u"\nA click shows everything again that this leaves out"_qs));
    connect(button, &QPushButton::clicked, this,
            [this, left = without(filter_, part)] { Q_EMIT wanted(left); });
    parts_->addWidget(button);
}

void FilterBar::setFilter(const Filter& filter) {
    filter_ = filter;
    while (QLayoutItem* item = parts_->takeAt(0)) {
        item->widget()->hide();  // it may be telling of its click
        item->widget()->deleteLater();
        delete item;
    }
    for (const FilterPart part : partsOf(filter)) addPart(part);
    endProgress();
}

void FilterBar::tellProgress(const Filter& wanted, double done) {
    progress_->setText(u"%1 is being made: %2 %"_qs.arg(filterText(wanted)).arg(qRound(100.0 * done)));
    progress_->show();
    save_->setVisible(!ofOneRun(filter_).isEmpty());
    title_->setVisible(!filter_.isEmpty());
    show();
}

void FilterBar::endProgress() {
    progress_->hide();
    title_->show();
    save_->setVisible(!ofOneRun(filter_).isEmpty());
    setVisible(!filter_.isEmpty());
}

QString FilterBar::text() const {
    if (isHidden()) return {};
    return progress_->isHidden() ? title_->text() + u' ' + filterText(filter_) : progress_->text();
}

}  // namespace holos::gui

// SPDX-License-Identifier: BSD-3-Clause
#include "gui/views/events/event_pager.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QRegularExpression>
#include <QToolButton>

#include "gui/models/events/event_model.h"

namespace holos::gui {

namespace {

constexpr int kRowDigits = 14;

QToolButton* arrowButton(Qt::ArrowType arrow, const QString& text, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setArrowType(arrow);
    button->setAccessibleName(text);
    button->setToolTip(text);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

}  // namespace

EventPager::EventPager(QWidget* parent)
    : QWidget(parent),
      box_(new QLineEdit(this)),
      before_(arrowButton(Qt::LeftArrow, u"Rows before these"_qs, this)),
      behind_(arrowButton(Qt::RightArrow, u"Rows behind these"_qs, this)) {
    box_->setObjectName(u"Row"_qs);
    box_->setAccessibleName(u"Number of the row to go to"_qs);
    box_->setPlaceholderText(u"Go to row"_qs);
    box_->setToolTip(u"Enter goes to the row of this number"_qs);
    box_->setMaximumWidth(fontMetrics().horizontalAdvance(u"0"_qs) * kRowDigits);
    auto* across = new QHBoxLayout(this);
    across->setContentsMargins(0, 0, 0, 0);
    across->setSpacing(4);
    for (QWidget* each :
         {static_cast<QWidget*>(box_), static_cast<QWidget*>(before_), static_cast<QWidget*>(behind_)})
        across->addWidget(each);
    connect(box_, &QLineEdit::returnPressed, this, [this] { goTo(box_->text()); });
    connect(before_, &QToolButton::clicked, this,
            [this] { Q_EMIT rowWanted(answer_->first() - static_cast<std::uint64_t>(answer_->mostRows())); });
    connect(behind_, &QToolButton::clicked, this,
            [this] { Q_EMIT rowWanted(answer_->first() + static_cast<std::uint64_t>(answer_->mostRows())); });
    hide();
}

void EventPager::goTo(const QString& typed) {
    const QString digits = QString(typed).remove(QRegularExpression(u"[\\s,.']"_qs));
    bool isNumber = false;
    const std::uint64_t row = digits.toULongLong(&isNumber);
    if (isNumber && row > 0) Q_EMIT rowWanted(row - 1);
}

void EventPager::follow(const EventModel* answer) {
    answer_ = answer;
    const bool isThere = answer != nullptr && answer->hasIndex();
    setVisible(isThere);
    if (!isThere) return;
    before_->setEnabled(answer->first() > 0);
    behind_->setEnabled(answer->first() + static_cast<std::uint64_t>(answer->rowCount()) < *answer->total());
}

}  // namespace holos::gui
